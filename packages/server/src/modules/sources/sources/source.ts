import type { Source } from '@portolan/contract/sources';
import type { JqValue } from '@portolan/jq';
import type { SavedAuthority } from '../../accounts/index.ts';

export interface StoredSecret {
  readonly sealed: string;
  readonly setAt: string;
  readonly lastFour: string;
}

/** A saved source. */
export interface StoredSource {
  readonly key: number;
  readonly identifier: string;
  readonly type: string;
  readonly title: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, StoredSecret>>;
  readonly mapping: readonly Readonly<Record<string, unknown>>[];
  readonly deletion: Source['deletion'];
  readonly scheduleMinutes: number | null;
  readonly isPaused: boolean;
  /** What the last whole pass left for the next one of changes. */
  readonly state: JqValue | null;
  /** Why it does not go on. */
  readonly problem: { readonly code: string; readonly message: string; readonly fix?: string | undefined } | null;
  readonly webhookKey: string;
  readonly webhook: { readonly secret: string; readonly verifiedAt: string | null } | null;
  readonly nextSyncAt: Date | null;
  readonly authority: SavedAuthority | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}
