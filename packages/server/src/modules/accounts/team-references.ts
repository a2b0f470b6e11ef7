import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { noteOldWriter } from '../organizations/index.ts';
import { findTeamsByKey, findTeamsByName, type TeamRow } from './people.store.ts';
import { severalTeams, teamMeantBy } from './team-meaning.ts';

/** Prefix of names that match no team: stored and answered, granting nothing. No key begins with it. */
const unresolvedMark = '?';

/** How rules of an organization name teams: by title in `legacy`, by identifier after (compatibility choices, People and teams). */
export function ruleTeamForm(model: 'legacy' | 'beta' | 'blueprints'): 'identifier' | 'title' {
  return model === 'legacy' ? 'title' : 'identifier';
}

export interface TeamReferences {
  /** Keys of teams, and marked names, in order and without repetition. */
  readonly references: readonly string[];
  readonly unresolved: readonly string[];
  /** Sentences for whoever wrote the names. */
  readonly warnings: readonly string[];
}

/** @throws AppError `invalid_request` with `at` as its path for a name that matches several teams */
export type ResolveTeams = (names: readonly string[], at?: string) => TeamReferences;

type Model = Actor['model'];

/**
 * Resolves many lists of team names (`teamMeantBy`) with one look-up. A name that matches no team, or in the older
 * models several by title, stays unresolved, even if a team of that name appears later (compatibility choices,
 * Catalog).
 */
export async function teamResolver(
  reader: Reader,
  orgId: string,
  model: Model,
  names: readonly string[],
): Promise<ResolveTeams> {
  return resolverAmong(await findNamed(reader, orgId, names), model);
}

/**
 * `teamResolver` for writes: records who names teams by title and has to change (decision 0078), except the portal,
 * which follows the model.
 */
export async function writtenTeams(
  work: Work,
  written: { readonly kind: string; readonly identifier: string },
  names: readonly string[],
): Promise<ResolveTeams> {
  const { tx, actor } = work;
  const teams = await findNamed(tx, actor.orgId, names);
  if (actor.origin === 'UI') return resolverAmong(teams, actor.model, { isTold: false });
  const title = names.find((name) => {
    const meant = teamMeantBy(teams, actor.model, name);
    return meant.kind === 'one' && meant.isTitle;
  });
  if (title !== undefined) await noteOldWriter(work, { ...written, title });
  return resolverAmong(teams, actor.model);
}

function findNamed(reader: Reader, orgId: string, names: readonly string[]): Promise<readonly TeamRow[]> {
  return names.length === 0 ? Promise.resolve([]) : findTeamsByName(reader, orgId, [...new Set(names)]);
}

function resolverAmong(teams: readonly TeamRow[], model: Model, { isTold = true } = {}): ResolveTeams {
  return (names, at = '') => {
    const unresolved: string[] = [];
    const warnings: string[] = [];
    // an empty text names nobody: mappings produce it for missing values
    const references = names
      .filter((name) => name !== '')
      .map((name) => {
        const meant = teamMeantBy(teams, model, name);
        if (meant.kind === 'several') {
          throw invalidRequest([{ path: at, message: severalTeams(name, meant.teams) }], 'The name of a team');
        }
        if (meant.kind === 'none') {
          unresolved.push(name);
          warnings.push(`"${name}" is not a team; it is kept and grants nothing`);
          return unresolvedMark + name;
        }
        if (meant.isTitle && isTold) warnings.push(titleWritten(name, meant.team, model));
        return meant.team.key;
      });
    return { references: [...new Set(references)], unresolved, warnings: [...new Set(warnings)] };
  };
}

function titleWritten(name: string, { identifier }: TeamRow, model: Model): string {
  // before the migration the identifier may still change
  return model === 'blueprints'
    ? `"${name}" is the title of a team; write its identifier "${identifier}"`
    : `"${name}" is the title of a team; once users and teams are blueprints, write its identifier`;
}

/** The name of an unresolved reference; undefined for a key. */
function unresolvedName(reference: string): string | undefined {
  return reference.startsWith(unresolvedMark) ? reference.slice(unresolvedMark.length) : undefined;
}

/** Names of references in the organization's model; unresolved names as written, deleted teams left out. */
export async function teamNames(
  reader: Reader,
  orgId: string,
  model: 'legacy' | 'beta' | 'blueprints',
  references: readonly string[],
  form: 'identifier' | 'title' = model === 'blueprints' ? 'identifier' : 'title',
): Promise<ReadonlyMap<string, string>> {
  const keys = references.filter((reference) => unresolvedName(reference) === undefined);
  const teams = await findTeamsByKey(reader, orgId, [...new Set(keys)]);
  const names = new Map(teams.map((team) => [team.key, team[form]]));
  for (const reference of references) {
    const name = unresolvedName(reference);
    if (name !== undefined) names.set(reference, name);
  }
  return names;
}

/** Keys of the teams that names mean; a name that means none, or several, is left out. */
export async function findTeamKeys(
  reader: Reader,
  orgId: string,
  model: Model,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const teams = await findTeamsByName(reader, orgId, names);
  return names.flatMap((name) => {
    const meant = teamMeantBy(teams, model, name);
    return meant.kind === 'one' ? [meant.team.key] : [];
  });
}
