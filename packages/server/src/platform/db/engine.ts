import type { WorkClass } from '../admission/work-class.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import type { Presence } from './presence.types.ts';
import type { PrimaryReason, StandbyFigures } from './standby-metrics.ts';

/**
 * The two engines behind one interface: PGlite in a worker thread and PostgreSQL through `pg`. Statements are
 * PostgreSQL 15 syntax with `$1` parameters. Both engines speak the wire protocol through the same driver, so values
 * are written and read alike: `value-types.ts` says how.
 */
export interface Engine {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Waits for a connection that belongs to the caller until `release`. The embedded engine has exactly one. Those for
   * `writes` get only a part of the pool, since commits may wait for a standby.
   */
  connect(use?: 'reads' | 'writes'): Promise<Connection>;
  /** One that keeps session locks and settings until `release`, whatever pooler `connect` goes through. */
  connectDirectly(): Promise<Connection>;
  /**
   * Calls `onPayload` for every NOTIFY on the channel, from any replica, until the returned function is called.
   * A lost connection is made again; `onGap` then says that payloads may have been missed meanwhile.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /**
   * An engine over a copy of the database as it is now, for long reads that must not hold the one connection; closing it
   * removes the copy. Statements wait while files are copied. Absent on PostgreSQL, whose transactions give such a view.
   */
  readonly openCopy?: () => Promise<Engine>;
  /** Whether the database answers; `connect` holds its callers while it does not. */
  readonly presence: Presence;
  /** Where reads may go instead; absent unless the operator named some. */
  readonly standbys?: Standbys | undefined;
  /** What `/metrics` says of the connections of this engine. */
  readonly metrics: DatabaseMetrics['metrics'];
  /**
   * Runs `body`; its connections are lent with the priority of the class. A no-op on PostgreSQL, where admission keeps
   * classes apart.
   */
  inClass<T>(workClass: WorkClass, body: () => T): T;
  /** Waits for running statements and frees every resource. Safe to call twice. */
  close(): Promise<void>;
}

/** One session. Statements run in the order they were sent; sending the next before an answer came is allowed. */
export interface Connection {
  /** @throws DatabaseError with the SQLSTATE; TypeError for a value that is no SQL parameter */
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Runs several statements without parameters (migrations). */
  script(text: string): Promise<void>;
  /** Gives the connection back; `broken` closes it instead, for a session whose state is unknown. */
  release(broken?: boolean): void;
}

export interface QueryResult {
  /** What the server says of each column of the result, as the driver hands it on. */
  readonly fields: readonly ResultField[];
  readonly rows: readonly Record<string, unknown>[];
  /** Rows read, or rows changed without `returning`. */
  readonly rowCount: number;
  /** The command that ran, as the server names it: `SELECT`, `COMMIT`, `ROLLBACK` … */
  readonly command: string;
}

export interface ResultField {
  readonly name: string;
  /** Where a plain column comes from, by the catalogs' numbers; 0 for what is computed. */
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Reports what no caller waits for: a lost connection, a listener that is back. */
export interface EngineLog {
  warn(context: Readonly<Record<string, unknown>>, message: string): void;
}

/** What a request says of what it has to see. */
export interface Following {
  /** Its `x-portolan-position`. */
  readonly position: string | undefined;
  /** Whether its operation may be answered by a standby. */
  readonly mayLag: boolean;
}

/** The standbys that reads may go to, and the positions that keep those reads from going back in time. */
export interface Standbys {
  /** Runs a request; `seen` says up to which position it has written and read by then, for its answer. */
  follow<T>(request: Following, body: (seen: () => string | undefined) => Promise<T>): Promise<T>;
  /** Reads on a standby; undefined if the primary is to answer. */
  ask(text: string, values: readonly unknown[]): Promise<QueryResult | undefined>;
  /** Whether the request under way has been answered by a standby so far. */
  hasAsked(): boolean;
  /** What the request reads from now on is read on the primary. */
  leave(reason: PrimaryReason): void;
  /** Notes, behind a statement on the primary, how far that has come, if the request under way wants to know. Never fails. */
  note(connection: Connection, isWrite: boolean): Promise<void> | undefined;
  /** What `doctor` says. */
  describe(): StandbyReport;
  close(): Promise<void>;
}

export interface StandbyReport {
  readonly standbys: readonly (StandbyFigures & { readonly problem: StandbyProblem | undefined })[];
  /** How far the clock of the primary is ahead of ours; undefined until it has answered. */
  readonly clockAheadMs: number | undefined;
}

/** `away`: no answer; `primary`: it takes writes; `foreign`: of another system; `diverged`: of another timeline. */
export type StandbyProblem = 'away' | 'primary' | 'foreign' | 'diverged';
