import { writtenBy } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { KeyRename, StoredBlueprint } from '../blueprints/index.ts';
import { followRenamedKey, lockPlans, renameMarks } from '../derived/index.ts';
import {
  findScorecards,
  renameOwnValues,
  type ScorecardDefinition,
  updateScorecardRow,
} from '../scorecard-rules/index.ts';
import { reflectScorecards } from '../scorecards/index.ts';
import { renameEdges, renameValues } from './entity-values.store.ts';

/**
 * Carries what entities hold under a key over to its new name: values, edges, computed values, and the conditions of
 * scorecards. Versions and times of change stay, since no value changed.
 */
export async function renameEntityKey(work: Work, blueprint: StoredBlueprint, rename: KeyRename): Promise<void> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const column = ({ property: 'properties', mirror: 'derived', relation: 'relations' } as const)[rename.kind];
  // whoever derives by the old name is done before, and nobody begins
  await lockPlans(tx, orgId);
  await renameValues(tx, blueprint, column, rename);
  if (rename.kind === 'relation') {
    await renameEdges(tx, blueprint, rename);
  }
  if (blueprint.identifier === '_scorecard' && rename.kind === 'property') {
    await renameOwnValues(tx, orgId, rename.from, rename.to);
  }
  if (rename.kind === 'mirror') await renameMarks(tx, orgId, blueprint.key, rename);
  for (const scorecard of await findScorecards(tx, orgId, blueprint.key)) {
    const definition = followScorecard(scorecard.definition, rename);
    if (JSON.stringify(definition) === JSON.stringify(scorecard.definition)) continue;
    await updateScorecardRow(
      tx,
      { orgId, by: actor.id, at: now, authors: writtenBy(actor) },
      scorecard.key,
      definition,
    );
  }
  await reflectScorecards(work, blueprint);
  await followRenamedKey(work, blueprint, rename);
}

/** The definition with the key's new name in its conditions. Pure. */
export function followScorecard<Definition extends Pick<ScorecardDefinition, 'filter' | 'rules'>>(
  definition: Definition,
  { kind, from, to }: Pick<KeyRename, 'kind' | 'from' | 'to'>,
): Definition {
  // a condition may name a relation as a property too; one name means one thing
  const members = kind === 'relation' ? ['relation', 'property'] : ['property'];
  const follow = <Condition>(conditions: Condition[]): Condition[] =>
    conditions.map((condition) => {
      const member = members.find((each) => (condition as Record<string, unknown>)[each] === from);
      return member === undefined ? condition : { ...condition, [member]: to };
    });
  const { filter, rules } = definition;
  return {
    ...definition,
    ...(filter ? { filter: { ...filter, conditions: follow(filter.conditions) } } : {}),
    rules: rules.map((rule) => ({ ...rule, query: { ...rule.query, conditions: follow(rule.query.conditions) } })),
  };
}
