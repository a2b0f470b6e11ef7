import type { EntityBody } from '@portolan/contract/entities';
import type { AppError } from '../../platform/errors.ts';
import type { NamedTeam, Permitted, Person } from '../accounts/index.ts';
import type { ExpectedVersion, Properties, Relations, StoredEntity, TargetRow } from '../entity-rows/index.ts';

/** How a write treats what it does not name (catalog semantics §2.2): `replace` clears it, `merge` keeps it. */
export type WriteMode = 'replace' | 'merge';

/** A planned entity before its relations and teams are resolved. */
export interface Draft {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  /** Team names as written; undefined keeps the teams. */
  readonly team: readonly string[] | undefined;
  /** References instead of names, from callers that know them. */
  readonly teamRefs?: readonly string[];
}

export interface WriteOptions {
  readonly mode: WriteMode;
  /** Whether the identifier must be free or in use. `fresh` is a new random one, which needs no look-up. */
  readonly expects: 'fresh' | 'new' | 'existing' | 'either';
  readonly createMissingRelated: boolean;
  /** For a plan, which creates nothing: targets that the same plan creates. */
  readonly isPlanned?: (blueprint: string, identifier: string) => boolean;
}

/** One write; `target` is the current identifier, and the body's may rename it. */
export interface EntityWrite {
  readonly target: string;
  readonly body: EntityBody & { readonly identifier: string };
  /** The version the caller relies on; undefined for any. */
  readonly expectedVersion?: ExpectedVersion | undefined;
  /** Team references instead of the body's names, from callers that know them. */
  readonly teamRefs?: readonly string[] | undefined;
  /** Warnings for its author about how it was read. */
  readonly warnings?: readonly string[];
}

/** A checked write that is not stored yet. */
export interface PendingWrite {
  readonly index: number;
  readonly draft: Draft;
  readonly before: StoredEntity | undefined;
  /** Sentences for the `Warning` header. */
  readonly warnings: readonly string[];
}

/** A write with resolved teams. */
export interface DraftWithTeams extends PendingWrite {
  /** Undefined if the write keeps the teams. */
  readonly ownTeamRefs: readonly string[] | undefined;
}

/** A permitted write, with the user or team it stands for. */
export interface PermittedWrite extends DraftWithTeams {
  readonly person?: Permitted<Person>;
  readonly team?: Permitted<NamedTeam>;
}

/** A resolved relation value: a stored entity, or another item of the same write. */
export interface Link {
  readonly relation: string;
  readonly position: number;
  readonly target: TargetRow | { readonly pendingIdentifier: string };
}

/** A checked write with resolved relations and teams. */
export interface ResolvedWrite extends PermittedWrite {
  readonly links: readonly Link[];
}

/** The stored entity, or why not. */
export type WriteOutcome =
  | {
      readonly entity: StoredEntity;
      /** The earlier state; `entity` itself if nothing changed, undefined for a new one. */
      readonly before: StoredEntity | undefined;
      readonly isCreated: boolean;
      readonly warnings: readonly string[];
    }
  | { readonly error: AppError };
