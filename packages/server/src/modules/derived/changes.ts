import { ownValue } from '../../platform/collections.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

/** An entity that was written, or whose row changed otherwise, in this transaction. */
export interface ChangedEntity {
  readonly blueprintKey: number;
  readonly key: number;
  /** Names that changed: properties and relations by key, the rest as `$title` …; or that it is new. */
  readonly names: ReadonlySet<string> | 'new';
  /** Known to be the target of no relation. */
  readonly isUnpointed?: boolean;
  /** As it is stored now, if the transaction has it and holds its row. */
  readonly entity?: StoredEntity;
}

/** An edge that came or went. */
export interface ChangedEdge {
  readonly sourceBlueprintKey: number;
  readonly relation: string;
  readonly targetKey: number;
}

/** Teams that an entity of a blueprint came to belong to, or no longer belongs to. */
export interface ChangedTeams {
  readonly blueprintKey: number;
  readonly references: readonly string[];
}

/** Everything a transaction changed that values may be derived from. */
export interface Changes {
  readonly entities: readonly ChangedEntity[];
  readonly edges?: readonly ChangedEdge[];
  readonly teams?: readonly ChangedTeams[];
  /** Entities of `_team` whose title or identifier changed: their names are shown where they own something. */
  readonly hasRenamedTeams?: boolean;
}

/** The names of what a write changed. `$updatedAt` and `$updatedBy` always are among them. */
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

/** The teams that are in one list and not in the other. */
export function teamsBetween(before: readonly string[], after: readonly string[]): string[] {
  return [...before.filter((each) => !after.includes(each)), ...after.filter((each) => !before.includes(each))];
}
