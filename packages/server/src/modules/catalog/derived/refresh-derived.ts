import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { lockEntitiesByKey, updateDerived } from '../entity.store.ts';
import { pointingAt } from '../relation.store.ts';
import { type Computed, computeDerived } from './compute-derived.ts';
import type { DerivationPlan, DerivationPlans, Hop } from './derivation-plan.ts';

/** Entities of one blueprint whose own or derived values, relations or teams may have changed. */
export interface Changed {
  readonly blueprintKey: number;
  readonly keys: readonly number[];
  /** Known to be the target of no relation: nothing is derived from it over a path. */
  readonly isUnpointed?: boolean;
  /** Known to have no relations and no teams: it is counted nowhere. */
  readonly isUnrelated?: boolean;
}

/** Chains of derived values (a mirror of an aggregation of a mirror …) are followed this far; a cycle ends here. */
const roundsMax = 10;

/**
 * Recomputes what is derived on the changed entities and on everything that depends on them, and writes only what
 * differs. Dependants are found through the edges, set by set. Answers the new values by the entity's key.
 */
export async function refreshDerived(
  tx: Tx,
  orgId: string,
  plans: DerivationPlans,
  changed: readonly Changed[],
  options: { readonly evenWithoutPlan?: boolean } = {},
): Promise<Map<number, Computed>> {
  const values = new Map<number, Computed>();
  let due = merge([...changed, ...(await dependantsOf(tx, orgId, plans, changed))]);
  for (let round = 0; round < roundsMax && due.size > 0; round += 1) {
    const moved: Changed[] = [];
    for (const [blueprintKey, keys] of due) {
      const plan = plans.get(blueprintKey);
      if (!plan || !(options.evenWithoutPlan || hasPlan(plan))) continue;
      const { differing, lostTeams } = await recompute(tx, orgId, plan, [...keys]);
      for (const { key, derived, teamRefs } of differing) values.set(key, { derived, teamRefs });
      if (differing.length > 0) moved.push({ blueprintKey, keys: differing.map(({ key }) => key) });
      moved.push(...(await teamsCounting(tx, orgId, plans, blueprintKey, lostTeams)));
    }
    due = merge(await dependantsOf(tx, orgId, plans, moved));
  }
  return values;
}

function hasPlan({ mirrors, counts, ownershipHops, blueprint }: DerivationPlan): boolean {
  const { calculationProperties } = blueprint.definition;
  return mirrors.length > 0 || counts.length > 0 || ownershipHops !== undefined || calculationProperties !== undefined;
}

async function recompute(tx: Tx, orgId: string, plan: DerivationPlan, keys: readonly number[]) {
  // locked before anything is counted or followed: of two that change the same value, the second sees what the first did
  const entities = await lockEntitiesByKey(tx, orgId, keys);
  const computed = await computeDerived(tx, orgId, plan, entities);
  const differing = entities.flatMap((entity) => {
    const next = computed.get(entity.key);
    if (!next) return [];
    const isSame = isDeepStrictEqual(next.derived, entity.derived) && isDeepStrictEqual(next.teamRefs, entity.teamRefs);
    return isSame ? [] : [{ key: entity.key, ...next }];
  });
  await updateDerived(tx, orgId, differing);
  const before = new Map(entities.map(({ key, teamRefs }) => [key, teamRefs]));
  const lostTeams = differing.flatMap(({ key, teamRefs }) =>
    (before.get(key) ?? []).filter((reference) => !teamRefs.includes(reference)),
  );
  return { differing, lostTeams };
}

/** The entities that stand for these teams, if the blueprint's entities are counted on them: their counts are due. */
export async function teamsCounting(
  tx: Tx,
  orgId: string,
  plans: DerivationPlans,
  blueprintKey: number,
  teamKeys: readonly string[],
): Promise<Changed[]> {
  if (teamKeys.length === 0) return [];
  const counting = [...plans.values()].filter(({ counts }) =>
    counts.some(({ from, relations }) => from.key === blueprintKey && relations.includes('$team')),
  );
  const found: Changed[] = [];
  for (const { blueprint } of counting) {
    const rows = await tx.rows<{ key: number }>(sql`
      select e.key from teams t
      join entities e on e.org_id = t.org_id and e.blueprint_key = ${blueprint.key} and e.identifier = t.identifier
      where t.org_id = ${orgId} and t.key = any(${teamKeys})`);
    found.push({ blueprintKey: blueprint.key, keys: rows.map(({ key }) => key) });
  }
  return found;
}

type Due = Map<number, Set<number>>;

async function dependantsOf(
  tx: Tx,
  orgId: string,
  plans: DerivationPlans,
  changed: readonly Changed[],
): Promise<Changed[]> {
  const found: Changed[] = [];
  const pointed = merge(changed.filter(({ isUnpointed }) => !isUnpointed));
  const relating = merge(changed.filter(({ isUnrelated }) => !isUnrelated));
  for (const plan of plans.values()) {
    for (const hops of [
      ...plan.mirrors.map((mirror) => mirror.hops),
      ...(plan.ownershipHops ? [plan.ownershipHops] : []),
    ]) {
      const keys = await startsReaching(tx, orgId, plan.blueprint.key, hops, pointed);
      if (keys.length > 0) found.push({ blueprintKey: plan.blueprint.key, keys });
    }
    for (const count of plan.counts) {
      const sources = relating.get(count.from.key);
      if (!sources) continue;
      const keys = await countedAt(tx, orgId, plan.blueprint.key, count.relations, [...sources]);
      if (keys.length > 0) found.push({ blueprintKey: plan.blueprint.key, keys });
    }
  }
  return found;
}

/** Entities from which the path passes or ends at something that changed: the path is walked backwards. */
async function startsReaching(
  tx: Tx,
  orgId: string,
  startBlueprint: number,
  hops: readonly Hop[],
  changed: Due,
): Promise<number[]> {
  let frontier = new Set<number>();
  for (let index = hops.length - 1; index >= 0; index -= 1) {
    const hop = hops[index] as Hop;
    for (const key of changed.get(hop.to.key) ?? []) frontier.add(key);
    if (frontier.size === 0) continue;
    const from = index === 0 ? startBlueprint : (hops[index - 1] as Hop).to.key;
    frontier = new Set(await pointingAt(tx, orgId, from, hop.relation, [...frontier]));
  }
  return [...frontier];
}

async function countedAt(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  relations: readonly string[],
  sources: readonly number[],
): Promise<number[]> {
  const rows = relations.includes('$team')
    ? await tx.rows<{ key: number }>(sql`
        select distinct team.key from entities owned
        join teams t on t.org_id = owned.org_id and t.key = any(owned.team_refs)
        join entities team on team.org_id = t.org_id and team.blueprint_key = ${blueprintKey}
          and team.identifier = t.identifier
        where owned.org_id = ${orgId} and owned.key = any(${sources}::bigint[])`)
    : await tx.rows<{ key: number }>(sql`
        select distinct target_key as key from entity_relations
        where org_id = ${orgId} and source_key = any(${sources}::bigint[]) and relation = any(${relations})`);
  return rows.map(({ key }) => key);
}

function merge(changed: readonly Changed[]): Due {
  const due: Due = new Map();
  for (const { blueprintKey, keys } of changed) add(due, blueprintKey, keys);
  return due;
}

function add(due: Due, blueprintKey: number, keys: readonly number[]): void {
  if (keys.length === 0) return;
  const set = due.get(blueprintKey) ?? new Set();
  for (const key of keys) set.add(key);
  due.set(blueprintKey, set);
}
