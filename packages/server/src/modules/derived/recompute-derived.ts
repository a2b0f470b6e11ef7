import type { Work } from '../../platform/unit-of-work.ts';
import { type StoredEntity, teamForms } from '../entity-rows/index.ts';
import { evaluateAt } from '../scorecard-rules/index.ts';
import { calculate } from './calculate.ts';
import type { Changes, UnstoredEntities } from './changes.ts';
import { isRouted } from './derivation-plan.ts';
import { holdPlans, lockGroup } from './derived.store.ts';
import type { DueNode } from './due-node.ts';
import { createDependentFinder } from './find-dependents.ts';
import { isLargeFanOut } from './large-fan-outs.ts';
import { type LoadedPlans, loadPlans } from './load-plans.ts';
import { createLockedEntities } from './locked-entities.ts';
import { isUnresolvedPath, readPathValues } from './read-path-values.ts';
import { createRecomputeQueue } from './recompute-queue.ts';
import { refreshRequest } from './refresh-request.ts';
import { leadsToTargets } from './relation-path.ts';

export interface RecomputeInput extends Changes {
  readonly unstored?: UnstoredEntities | undefined;
  /** Values to compute regardless of changes: entities by node. */
  readonly due?: ReadonlyMap<string, readonly number[]>;
  /** Entities that may hold values under removed keys, which are dropped. */
  readonly prune?: readonly number[];
  /** The caller holds the lock of the plans, or of all groups. */
  readonly isLocked?: boolean;
  readonly plans?: LoadedPlans;
  /** Also computes what writes leave to the job. */
  readonly isJob?: boolean;
}

/**
 * Recomputes what is derived from what changed, in this transaction, and writes what differs. Call it last: after all
 * rows but the unstored, and all edges, are written. Answers the entities that it holds, by key, as they are stored now.
 *
 * Why stored values are never stale once everybody has committed. All who derive across entities of a group do so one
 * after another, from the lock to the commit. Of two transactions whose changes meet in one value, the later sees what
 * the earlier wrote, finds the value as a dependant of its own change, and computes it from both. The lock is taken
 * after all row locks, and after it nobody waits for rows: of entities that others are writing only marks are left, in
 * the same transaction, and the job computes those when the rows are free. Unstored entities are inserted after the
 * lock; only somebody who inserts the same identifier holds that up, and a deadlock of the two is repeated. So every
 * value is right, or marked, or about to be computed by a transaction that is under way; and there is no circle of
 * waiting. What can be computed from a row alone needs no lock but that of the row. Plans are held shared meanwhile, so
 * that a blueprint changes before or after, never in between.
 */
export async function recomputeDerived(work: Work, input: RecomputeInput): Promise<Map<number, StoredEntity>> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  if (!input.isLocked) holdPlans(tx, orgId);
  const plans = input.plans ?? (await loadPlans(tx, orgId));
  const context = { orgId, now, ...teamForms(plans.model), blueprints: plans.byIdentifier };
  const held = createLockedEntities(tx, orgId, input.entities, input.unstored);
  const due = createRecomputeQueue(plans);
  const groups = [...new Set(input.entities.map(({ blueprintKey }) => plans.groupOf(blueprintKey)))];
  let isLocked = input.isLocked ?? false;
  const lock = (group: number): void => {
    if (isLocked) return;
    isLocked = true;
    // all locks at once, in order: a later one could deadlock
    const others = (input.edges ?? []).map(({ sourceBlueprintKey }) => plans.groupOf(sourceBlueprintKey));
    const teams = (input.teams ?? []).map(({ blueprintKey }) => plans.groupOf(blueprintKey));
    const all = new Set([group, ...groups, ...others, ...teams]);
    for (const each of [...all].sort((a, b) => a - b)) lockGroup(tx, orgId, each);
  };
  const dependents = createDependentFinder({ tx, orgId, plans, due, held, lock });

  for (const entity of input.entities) due.addOwn(entity);
  for (const [node, keys] of input.due ?? []) due.add(node, keys);
  await dependents.fromChanges(input);

  for (let nodes = due.take(); nodes.length > 0; nodes = due.take()) {
    for (const group of byBlueprint(nodes)) await compute(group);
  }
  await prune();
  await held.flush();
  if (await dependents.markPostponed()) await work.enqueue(refreshRequest, {});
  await evaluate();
  return held.all();

  async function compute(all: readonly DueNode[]): Promise<void> {
    const taken = all.map(withoutWide);
    const { blueprint } = (taken[0] as DueNode).node;
    const keys = [...new Set(taken.flatMap(({ keys: some }) => [...some]))];
    const missing = await held.load(keys);
    for (const { node, keys: wanted } of taken) dependents.miss(node, wanted, missing);
    const routed = taken.filter(({ node }) => isRouted(node));
    const isReading = routed.some(
      ({ node, keys: wanted }) =>
        isRouted(node) &&
        held.some(wanted).some((entity) => !isUnresolvedPath(node.route, entity, held.isUnpointed(entity.key))),
    );
    if (isReading) {
      lock(plans.groupOf(blueprint.key));
      if (held.hasUnwrittenValues() || !routed.every(({ node }) => isRouted(node) && leadsToTargets(node.route)))
        await held.flush();
    }
    const changed = [
      ...(await readPathValues(tx, context, routed, held)),
      ...(await calculate(tx, context, blueprint, taken, held, (node, late) => dependents.postpone(node, late))),
    ];
    await dependents.fromComputed(blueprint.key, changed);
  }

  /** Leaves counts over very many to the job, which counts once for all writes. */
  function withoutWide({ node, keys }: DueNode): DueNode {
    if (input.isJob || node.kind !== 'aggregation') return { node, keys };
    const late = [...keys].filter((key) => isLargeFanOut(orgId, node.route, key));
    if (late.length === 0) return { node, keys };
    dependents.postpone(node, late);
    return { node, keys: new Set([...keys].filter((key) => !late.includes(key))) };
  }

  async function prune(): Promise<void> {
    await held.load(input.prune ?? []);
    for (const { key, blueprintKey, derived } of held.some(input.prune ?? [])) {
      const names = new Set(plans.byBlueprint.get(blueprintKey)?.nodes.map((node) => node.key));
      for (const name of Object.keys(derived)) if (!names.has(name)) held.set(key, name, null);
    }
  }

  /** Evaluates scorecards of whatever was written or changed. */
  async function evaluate(): Promise<void> {
    const shown = ['$identifier', '$title', '$team'];
    const renamed = new Set(
      input.entities.flatMap(({ key, names }) =>
        names !== 'new' && shown.some((name) => names.has(name)) ? [key] : [],
      ),
    );
    const isShownAnew = (key: number) => renamed.has(key) || held.isReowned(key);
    await held.load(input.entities.flatMap(({ key, names }) => (names === 'new' || names.size > 0 ? [key] : [])));
    for (const [blueprintKey, entities] of held.touched()) {
      const blueprint = plans.byBlueprint.get(blueprintKey)?.blueprint;
      if (!blueprint || isUnscored(blueprintKey, entities)) continue;
      for (const [key, scorecards] of await evaluateAt(work, blueprint, entities, isShownAnew))
        held.score(key, scorecards);
    }
  }

  /**
   * Whether there is nothing to evaluate or revert. For entities held before the plans were read, the plans decide
   * about scorecards.
   */
  function isUnscored(blueprintKey: number, entities: readonly StoredEntity[]): boolean {
    if (input.plans || plans.scored.has(blueprintKey)) return false;
    const given = new Set(input.entities.flatMap(({ key, entity }) => (entity ? [key] : [])));
    return entities.every(({ key, scorecards }) => given.has(key) && Object.keys(scorecards).length === 0);
  }
}

function byBlueprint(taken: readonly DueNode[]): DueNode[][] {
  const groups = new Map<number, DueNode[]>();
  for (const each of taken) {
    const { key } = each.node.blueprint;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}
