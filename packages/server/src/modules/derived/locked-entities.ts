import { groupBy, ownValue } from '../../platform/collections.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isSameJson } from '../../platform/same-json.ts';
import { type StoredEntity, updateDerived } from '../entity-rows/index.ts';
import type { ChangedEntity, UnstoredEntities } from './changes.ts';
import { lockFree } from './derived.store.ts';

/** Entities whose rows the transaction holds, with computed values not written yet. */
export interface LockedEntities {
  /** Locks and reads entities not held yet; returns keys of those deleted or being written by others. */
  load(keys: readonly number[]): Promise<ReadonlySet<number>>;
  get(key: number): StoredEntity | undefined;
  some(keys: Iterable<number>): StoredEntity[];
  isUnpointed(key: number): boolean;
  /** Sets a computed value; null is no value. Returns whether it changed. */
  set(key: number, name: string, value: unknown): boolean;
  /** Stores what is not yet: new rows, and values of others. Needed before a read that may come upon them. */
  flush(): Promise<void>;
  /** Whether computed values of stored rows are not written. */
  hasUnwrittenValues(): boolean;
  hasUnwrittenTeams(): boolean;
  /** Whether its effective teams changed here. */
  isReowned(key: number): boolean;
  /** Stores the scorecard results in memory. */
  score(key: number, scorecards: StoredEntity['scorecards']): void;
  all(): Map<number, StoredEntity>;
  /** Entities changed before or here, by blueprint. */
  touched(): Map<number, StoredEntity[]>;
}

export function createLockedEntities(
  tx: Tx,
  orgId: string,
  changed: readonly ChangedEntity[],
  unstored?: UnstoredEntities,
): LockedEntities {
  const held = new Map<number, StoredEntity>();
  const touched = new Set<number>();
  const missing = new Set<number>();
  const unwritten = new Set<number>();
  const reowned = new Set<number>();
  const pending = new Set(unstored?.keys);
  let areTeamsUnwritten = false;
  const unpointed = new Set(changed.filter(({ isUnpointed }) => isUnpointed).map(({ key }) => key));
  for (const { key, entity, names } of changed) {
    if (names === 'new' || names.size > 0) touched.add(key);
    if (entity) held.set(key, entity);
  }
  return {
    async load(keys) {
      const wanted = keys.filter((key) => !held.has(key) && !missing.has(key));
      const found = await lockFree(tx, orgId, wanted);
      for (const entity of found) held.set(entity.key, entity);
      for (const key of wanted) if (!held.has(key)) missing.add(key);
      return missing;
    },
    get: (key) => held.get(key),
    some: (keys) => [...keys].flatMap((key) => held.get(key) ?? []),
    isUnpointed: (key) => unpointed.has(key),
    set(key, name, value) {
      const entity = held.get(key);
      if (!entity) return false;
      const next = name === '$team' ? withTeams(entity, value) : withValue(entity, name, value);
      if (next === entity) return false;
      held.set(key, next);
      touched.add(key);
      if (!pending.has(key)) unwritten.add(key);
      areTeamsUnwritten ||= name === '$team';
      if (name === '$team') reowned.add(key);
      return true;
    },
    async flush() {
      if (pending.size > 0) {
        const rows = [...pending].map((key) => held.get(key) as StoredEntity);
        pending.clear();
        await unstored?.store(rows);
      }
      areTeamsUnwritten = false;
      if (unwritten.size === 0) return;
      const rows = [...unwritten].map((key) => held.get(key) as StoredEntity);
      unwritten.clear();
      updateDerived(
        tx,
        orgId,
        rows.map(({ key, derived, teamRefs }) => ({ key, derived, teamRefs })),
      );
    },
    hasUnwrittenValues: () => unwritten.size > 0,
    hasUnwrittenTeams: () => areTeamsUnwritten,
    isReowned: (key) => reowned.has(key),
    score(key, scorecards) {
      const entity = held.get(key);
      if (entity) held.set(key, { ...entity, scorecards });
    },
    all: () => held,
    touched: () =>
      groupBy(
        [...touched].flatMap((key) => held.get(key) ?? []),
        ({ blueprintKey }) => blueprintKey,
      ),
  };
}

function withTeams(entity: StoredEntity, value: unknown): StoredEntity {
  const teamRefs = value as readonly string[];
  return isSameJson(entity.teamRefs, teamRefs) ? entity : { ...entity, teamRefs };
}

function withValue(entity: StoredEntity, name: string, value: unknown): StoredEntity {
  if (isSameJson(ownValue(entity.derived, name) ?? null, value ?? null)) return entity;
  const { [name]: _before, ...others } = entity.derived;
  return { ...entity, derived: value === null || value === undefined ? others : { ...others, [name]: value } };
}
