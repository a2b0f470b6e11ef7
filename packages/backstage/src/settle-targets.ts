import { blueprintsFor } from './blueprints.ts';
import type { Draft } from './map-documents.ts';
import type { Problem } from './problem.ts';
import { fromIdentifier, printReference } from './reference.ts';

/** Names an entity of the catalog. */
export interface Target {
  readonly blueprint: string;
  readonly identifier: string;
}

export function targetKey({ blueprint, identifier }: Target): string {
  return `${blueprint} ${identifier}`;
}

/** Where the relations of a blueprint lead, and the teams of its entities. */
function targetsOf(draft: Draft): { readonly relation: string; readonly target: Target }[] {
  const definition = blueprintsFor([draft.blueprint]).find(({ identifier }) => identifier === draft.blueprint);
  const relations = Object.entries(draft.relations).flatMap(([relation, value]) => {
    const blueprint = String(definition?.relations[relation]?.['target']);
    const identifiers = typeof value === 'string' ? [value] : value;
    return identifiers.map((identifier) => ({ relation, target: { blueprint, identifier } }));
  });
  const teams = (draft.team ?? []).map((identifier) => ({
    relation: 'team',
    target: { blueprint: '_team', identifier },
  }));
  return [...relations, ...teams];
}

/** What the drafts refer to and is not among them. */
export function missingTargets(drafts: readonly Draft[]): readonly Target[] {
  const here = new Set(drafts.map(targetKey));
  const missing = new Map<string, Target>();
  for (const { target } of drafts.flatMap(targetsOf)) {
    const key = targetKey(target);
    if (!here.has(key)) missing.set(key, target);
  }
  return [...missing.values()];
}

/**
 * The drafts without relations to what does not exist: neither among them nor in `known`, keys of entities in the
 * catalog. Each is a problem, and listed on the entity. A team that does not exist stays: it is shown and grants nothing.
 */
export function settleTargets(
  drafts: readonly Draft[],
  known: ReadonlySet<string>,
): { readonly drafts: readonly Draft[]; readonly problems: readonly Problem[] } {
  const here = new Set([...drafts.map(targetKey), ...known]);
  const problems: Problem[] = [];
  const settled = drafts.map((draft): Draft => {
    const missing = targetsOf(draft).filter(({ target }) => !here.has(targetKey(target)));
    if (missing.length === 0) return draft;
    problems.push(...missing.map(({ relation, target }) => targetMissing(draft, relation, target)));
    const gone = new Set(missing.map(({ relation, target }) => `${relation} ${target.identifier}`));
    const relations = Object.entries(draft.relations).flatMap(([relation, value]) => {
      const isHere = (identifier: string) => !gone.has(`${relation} ${identifier}`);
      if (typeof value === 'string') return isHere(value) ? [[relation, value]] : [];
      return [[relation, value.filter(isHere)]];
    });
    const references = missing.filter(({ relation }) => relation !== 'team').map(({ target }) => refText(target));
    return {
      ...draft,
      properties: { ...draft.properties, ...(references.length > 0 ? { unresolvedReferences: references } : {}) },
      relations: Object.fromEntries(relations),
    };
  });
  return { drafts: settled, problems };
}

function targetMissing({ key }: Draft, relation: string, target: Target): Problem {
  const name = refText(target);
  const message =
    relation === 'team'
      ? `The owner ${name} is no team here. It is shown and grants nothing; create the team or import the group.`
      : `${name} does not exist; "${relation}" stays empty. Import it, or correct the reference.`;
  return { severity: 'warning', code: 'target_missing', message, item: key, place: null };
}

const kindsByBlueprint: Readonly<Record<string, string>> = { _team: 'group', _user: 'user' };

function refText({ blueprint, identifier }: Target): string {
  return printReference(fromIdentifier(kindsByBlueprint[blueprint] ?? blueprint, identifier));
}
