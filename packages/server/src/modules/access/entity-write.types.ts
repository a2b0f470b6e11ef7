import type { EntityBody } from '@portolan/contract';
import type { AppError } from '../../platform/errors.ts';
import type { ExpectedVersion, Properties, Relations, StoredEntity, TargetRow } from '../entity-rows/index.ts';
import type { GrantName, NamedTeam, Permitted, Person } from '../identity/index.ts';

/** How a write treats what it does not name (catalog semantics §2.2): `replace` clears it, `merge` keeps it. */
export type WriteMode = 'replace' | 'merge';

/** An entity as it will be, before its relations and teams are looked up. */
export interface Draft {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  /** Team names as written; undefined leaves the teams as they are. */
  readonly team: readonly string[] | undefined;
  /** References in place of the names, from callers that know them. */
  readonly teamRefs?: readonly string[];
}

export interface WriteOptions {
  readonly mode: WriteMode;
  /**
   * What must hold of the identifier: that it is free, that it is in use, or neither. `fresh` is a random one made a
   * moment ago: nobody looks whether it is in use.
   */
  readonly expects: 'fresh' | 'new' | 'existing' | 'either';
  readonly createMissingRelated: boolean;
}

/** One entity to write; `target` is the identifier it has now, the body's may rename it. */
export interface Item {
  readonly target: string;
  readonly body: EntityBody & { readonly identifier: string };
  /** The version the caller relies on; undefined where any will do. */
  readonly expectedVersion?: ExpectedVersion | undefined;
  /** References of teams in place of the names of the body, from callers that know them. */
  readonly teamRefs?: readonly string[] | undefined;
  /** What its author should know of how it was read. */
  readonly warnings?: readonly string[];
}

/** An item on its way through the write: checked, not yet stored. */
export interface Pending {
  readonly index: number;
  readonly draft: Draft;
  readonly before: StoredEntity | undefined;
  /** Sentences for the `Warning` header. */
  readonly warnings: readonly string[];
  /** The grants whose policies the entity satisfied before the write. */
  readonly met: ReadonlySet<GrantName>;
}

/** An item whose teams are found. */
export interface Owned extends Pending {
  /** Undefined where the write leaves the teams as they are. */
  readonly ownTeamRefs: readonly string[] | undefined;
}

/** An item that its author may write, with the user or team that it stands for. */
export interface Allowed extends Owned {
  readonly person?: Permitted<Person>;
  readonly team?: Permitted<NamedTeam>;
}

/** A relation value that leads somewhere: to an entity that is stored, or to another item of the same write. */
export interface Link {
  readonly relation: string;
  readonly position: number;
  readonly target: TargetRow | { readonly pendingIdentifier: string };
}

/** A checked item whose relations and teams are found. */
export interface Linked extends Allowed {
  readonly links: readonly Link[];
}

/** What became of one item: the entity as stored, or why not. */
export type Outcome =
  | {
      readonly entity: StoredEntity;
      /** What it was; `entity` itself where nothing changed, undefined of a new one. */
      readonly before: StoredEntity | undefined;
      readonly isCreated: boolean;
      readonly warnings: readonly string[];
    }
  | { readonly error: AppError };
