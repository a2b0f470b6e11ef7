import type { EntityWriteBody } from '@portolan/contract/entities';
import type { SyncProblem } from './sync.ts';

/** An entity in the form of an upsert, with its identifier. */
export type IngestBody = EntityWriteBody & { readonly identifier: string };

/** What an item makes of one entity. */
export interface ItemPart {
  readonly blueprint: string;
  readonly body: IngestBody;
}

/** An item as it was read, before anybody looked into it. */
export interface RawItem {
  /** Position within the sync, from 1. */
  readonly line: number;
  /** Names the item within its source. */
  readonly key: string;
  /** Equal for items that are the same. */
  readonly text: string;
  /** Where its author finds it. */
  readonly place?: SyncProblem['place'];
  /** Blueprints on which it depends what the item makes. */
  readonly blueprints: readonly string[];
  /** The entities it makes; asked only if the item is not as it was. */
  read(): ReadItem | Promise<ReadItem>;
}

export interface ReadItem {
  readonly parts: readonly ItemPart[];
  readonly problems: readonly SyncProblem[];
}

/** A part on its way: `hash` is null where the item has to be tried again the next time. */
export interface PendingPart extends ItemPart {
  readonly line: number;
  readonly itemKey: string;
  readonly position: number;
  readonly hash: string | null;
}
