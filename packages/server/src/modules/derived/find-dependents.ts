import type { Sql } from 'sql-template-tag';
import { groupBy } from '../../platform/collections.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Changes, teamsBetween } from './changes.ts';
import type { DependentNodes } from './dependents-index.ts';
import { keysOfBlueprint, keysThere, markSelected, someKeys, teamEntities } from './derived.store.ts';
import type { DerivedNode } from './derived-node.ts';
import type { LoadedPlans } from './load-plans.ts';
import type { LockedEntities } from './locked-entities.ts';
import type { ComputedChange } from './read-path-values.ts';
import type { RecomputeQueue } from './recompute-queue.ts';
import { passesTeams } from './relation-path.ts';
import { startsOfOpen, startsOfPath } from './walk-relation-path.sql.ts';

/**
 * Most dependants computed with a change; beyond that they are marked for the job. On two busy cores a new title with
 * 400 mirrors took 29 ms in all, and 1,300 marks and their job 14 and 84 ms: a bearable wait for others.
 */
export const inlineMax = 500;

export interface DependentFinder {
  fromChanges(changes: Changes): Promise<void>;
  fromComputed(blueprintKey: number, changes: readonly ComputedChange[]): Promise<void>;
  /** Records what cannot be computed because somebody else holds the entities. */
  miss(node: DerivedNode, wanted: Iterable<number>, missing: ReadonlySet<number>): void;
  postpone(node: DerivedNode, keys: readonly number[]): void;
  /** Marks what was postponed; returns whether anything was marked. */
  markPostponed(): Promise<boolean>;
}

export interface DependentFinderPorts {
  readonly tx: Tx;
  readonly orgId: string;
  readonly plans: LoadedPlans;
  readonly due: RecomputeQueue;
  readonly held: LockedEntities;
  readonly lock: (group: number) => void;
}

/** Finds dependants of changes: queues few, marks many. */
export function createDependentFinder({ tx, orgId, plans, due, held, lock }: DependentFinderPorts): DependentFinder {
  const postponed = new Map<DerivedNode, Set<number>>();
  let isMarked = false;

  const postpone = (node: DerivedNode, keys: Iterable<number>): void => {
    const set = postponed.get(node) ?? new Set();
    for (const key of keys) set.add(key);
    postponed.set(node, set);
  };

  /** Starts of the watched routes through these entities are due. */
  const follow = async ({ route, position, nodes }: DependentNodes, near: readonly number[]): Promise<void> => {
    if (near.length === 0) return;
    if (position === 0) {
      for (const { id } of nodes) due.add(id, near);
      return;
    }
    lock(plans.groupOf(route.start));
    if (held.hasUnwrittenTeams() || passesTeams(route)) await held.flush();
    const starts = startsAt(orgId, { route, position }, near);
    const some = await someKeys(tx, starts, inlineMax + 1);
    if (some.length <= inlineMax) {
      for (const { id } of nodes) due.add(id, some);
      return;
    }
    const names = nodes.map(({ key }) => key);
    isMarked = true;
    await markSelected(tx, orgId, route.start, starts, names);
  };

  /** Entities of a blueprint whose values of these names changed. */
  const followValues = async (blueprintKey: number, changed: ReadonlyMap<string, Iterable<number>>): Promise<void> => {
    const found = new Map<
      string,
      { watch: DependentNodes; nodes: Set<DependentNodes['nodes'][number]>; near: Set<number> }
    >();
    for (const [name, keys] of changed) {
      for (const watch of plans.watches.onValue(blueprintKey, name)) {
        const id = `${watch.position}:${watch.route.id}`;
        const known = found.get(id) ?? { watch, nodes: new Set(), near: new Set() };
        found.set(id, known);
        for (const node of watch.nodes) known.nodes.add(node);
        for (const key of keys) known.near.add(key);
      }
    }
    for (const { watch, nodes, near } of found.values()) await follow({ ...watch, nodes: [...nodes] }, [...near]);
  };

  const followTeams = async (blueprintKey: number, references: readonly string[]): Promise<void> => {
    const watches = plans.watches.onEdge(blueprintKey, '$team');
    if (watches.length === 0 || references.length === 0) return;
    const near = await teamEntities(tx, orgId, [...new Set(references)]);
    for (const watch of watches) await follow(watch, near);
  };

  return {
    async fromChanges({ entities, edges = [], teams = [], hasRenamedTeams }) {
      const existing = entities.filter(({ names }) => names !== 'new');
      for (const [blueprintKey, group] of groupBy(existing, (entity) => entity.blueprintKey)) {
        const byName = new Map<string, number[]>();
        for (const { key, names } of group) {
          for (const name of names) {
            // most changes have no dependants
            if (plans.watches.onValue(blueprintKey, name).length === 0) continue;
            const keys = byName.get(name);
            if (keys) keys.push(key);
            else byName.set(name, [key]);
          }
        }
        await followValues(blueprintKey, byName);
      }
      for (const group of groupBy(edges, (edge) => `${edge.sourceBlueprintKey}/${edge.relation}`).values()) {
        const [{ sourceBlueprintKey, relation }] = group as [(typeof edges)[number]];
        const near = [...new Set(group.map(({ targetKey }) => targetKey))];
        for (const watch of plans.watches.onEdge(sourceBlueprintKey, relation)) await follow(watch, near);
      }
      for (const [blueprintKey, group] of groupBy(teams, (each) => each.blueprintKey)) {
        await followTeams(
          blueprintKey,
          group.flatMap(({ references }) => references),
        );
      }
      if (hasRenamedTeams) await markShownTeams();
    },

    async fromComputed(blueprintKey, changes) {
      if (changes.length === 0) return;
      for (const [key, group] of groupBy(changes, (change) => change.key)) {
        due.addOwn({ blueprintKey, key, names: new Set(group.map(({ name }) => name)) });
      }
      const byName = new Map(
        [...groupBy(changes, ({ name }) => name)].map(([name, group]) => [name, group.map(({ key }) => key)]),
      );
      await followValues(blueprintKey, byName);
      const moved = changes.flatMap(({ key, teamsBefore }) =>
        teamsBefore ? teamsBetween(teamsBefore, held.get(key)?.teamRefs ?? []) : [],
      );
      await followTeams(blueprintKey, moved);
    },

    miss(node, wanted, missing) {
      const lost = [...wanted].filter((key) => missing.has(key));
      if (lost.length > 0) postpone(node, lost);
    },

    postpone,

    async markPostponed() {
      for (const [{ blueprint, key }, keys] of postponed) {
        // deleted entities are not marked; those being deleted lose their marks
        const there = keysThere(orgId, [...keys]);
        lock(plans.groupOf(blueprint.key));
        if ((await markSelected(tx, orgId, blueprint.key, there, [key])) > 0) isMarked = true;
      }
      return isMarked;
    },
  };

  /** A renamed team changes wherever its name is shown; that is rare, so everything that shows names is marked. */
  async function markShownTeams(): Promise<void> {
    for (const node of plans.nodes.values()) {
      const isShown =
        node.kind === 'calculation'
          ? node.calculation.reads === 'all' || node.calculation.reads.has('$team')
          : node.kind === 'mirror' && node.source === '$team';
      if (!isShown) continue;
      lock(plans.groupOf(node.blueprint.key));
      const all = keysOfBlueprint(orgId, node.blueprint.key);
      if ((await markSelected(tx, orgId, node.blueprint.key, all, [node.key])) > 0) isMarked = true;
    }
  }
}

function startsAt(
  orgId: string,
  { route, position }: Pick<DependentNodes, 'route' | 'position'>,
  near: readonly number[],
): Sql {
  if (route.kind === 'path') return startsOfPath(orgId, route, position as number, near);
  return startsOfOpen(orgId, route, position as 'along' | 'against', near);
}
