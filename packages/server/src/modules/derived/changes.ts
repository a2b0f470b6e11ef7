import { ownValue } from '../../platform/collections.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

/** An entity written or otherwise changed in this transaction. */
export interface ChangedEntity {
  readonly blueprintKey: number;
  readonly key: number;
  /** Names that changed: properties and relations by key, others as `$title` …; `new` for all. */
  readonly names: ReadonlySet<string> | 'new';
  /** Set if no relation points at it. */
  readonly isUnpointed?: boolean;
  /** Its stored state, if the transaction holds the row. */
  readonly entity?: StoredEntity;
}

/**
 * New entities that are not stored yet, so that they are stored once, with what is computed. No entity points at one,
 * their edges are stored, and `entities` of the changes has them.
 */
export interface UnstoredEntities {
  readonly keys: readonly number[];
  /** Called once with all of them, at the latest when everything is computed. */
  readonly store: (entities: readonly StoredEntity[]) => Promise<void>;
}

/** An edge added or removed. */
export interface ChangedEdge {
  readonly sourceBlueprintKey: number;
  readonly relation: string;
  readonly targetKey: number;
}

/** Teams that entities of a blueprint gained or lost. */
export interface ChangedTeams {
  readonly blueprintKey: number;
  readonly references: readonly string[];
}

/** Changes of a transaction that derived values may depend on. */
export interface Changes {
  readonly entities: readonly ChangedEntity[];
  readonly edges?: readonly ChangedEdge[];
  readonly teams?: readonly ChangedTeams[];
  /** Whether `_team` entities changed title or identifier, which are shown wherever they own something. */
  readonly hasRenamedTeams?: boolean;
}

/** Names changed by a write; always includes `$updatedAt` and `$updatedBy`. */
export function changedNames(before: StoredEntity, after: StoredEntity): Set<string> {
  const names = new Set(['$updatedAt', '$updatedBy']);
  for (const map of ['properties', 'relations'] as const) {
    const [was, is] = [before[map], after[map]];
    for (const key of Object.keys(was)) if (!isSameJson(was[key], ownValue<unknown>(is, key))) names.add(key);
    for (const key of Object.keys(is)) if (!Object.hasOwn(was, key)) names.add(key);
  }
  for (const field of ['identifier', 'title', 'icon'] as const) {
    if (before[field] !== after[field]) names.add(`$${field}`);
  }
  if (!isSameJson(before.teamRefs, after.teamRefs)) names.add('$team');
  return names;
}

/** Teams in exactly one of the lists. */
export function teamsBetween(before: readonly string[], after: readonly string[]): string[] {
  return [...before.filter((each) => !after.includes(each)), ...after.filter((each) => !before.includes(each))];
}
