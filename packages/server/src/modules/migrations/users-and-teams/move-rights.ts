import { mapGrants } from '../../blueprints/maintenance.ts';
import type { EntityRights, Grant } from '../../rights/index.ts';
import type { StoredMigration } from './migration.ts';

/** The team key that people chose per ambiguous name, keyed by the marked name (`?name`). */
export function resolvedNames(
  choices: StoredMigration['choices'],
  teams: readonly { readonly key: string; readonly identifier: string }[],
): Map<string, string> {
  const pairs = Object.entries(choices.duplicates ?? {}).flatMap(([title, identifier]): [string, string][] => {
    const team = teams.find((each) => each.identifier === identifier);
    return team ? [[`?${title}`, team.key]] : [];
  });
  return new Map(pairs);
}

type ResolvedNames = ReadonlyMap<string, string>;

function withResolved<G extends Pick<Grant, 'teams'>>(grant: G, resolved: ResolvedNames): G {
  if (!grant.teams?.some((reference) => resolved.has(reference))) return grant;
  return { ...grant, teams: [...new Set(grant.teams.map((reference) => resolved.get(reference) ?? reference))] };
}

/** Replaces marked names in rights on entities by the chosen teams; returns the same object if nothing changes. */
export function withResolvedTeams(rights: EntityRights | null, resolved: ResolvedNames): EntityRights | null {
  if (!rights || resolved.size === 0) return rights;
  const next = mapGrants(rights, (grant) => withResolved(grant, resolved));
  return JSON.stringify(next) === JSON.stringify(rights) ? rights : next;
}

/** Like `withResolvedTeams`, for rights on actions and pages, which are grants by verb. */
export function mapRights<Rights extends object>(rights: Rights | null, resolved: ResolvedNames): Rights | null {
  if (!rights || resolved.size === 0) return rights;
  const next = Object.entries(rights).map(([verb, grant]) => [
    verb,
    withResolved(grant as Pick<Grant, 'teams'>, resolved),
  ]);
  return Object.fromEntries(next) as Rights;
}

/** Display names of references: from `names` for a team, the name itself for an unresolved one. */
export function shownBy(names: ReadonlyMap<string, string>, references: readonly string[]): Map<string, string> {
  return new Map(
    references.flatMap((reference): [string, string][] => {
      const name = reference.startsWith('?') ? reference.slice(1) : names.get(reference);
      return name === undefined ? [] : [[reference, name]];
    }),
  );
}
