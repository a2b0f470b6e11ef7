import type { DatabaseError } from './database-error.ts';

export interface Absence {
  readonly sinceMs: number;
  readonly error: Error;
}

/** What a database that answers says of itself. */
export interface Answer {
  /** Why it cannot be used although it answers: it is not migrated. */
  readonly problem?: Error | undefined;
  /** It takes no writes: a standby, or an administrator has closed it. */
  readonly isReadOnly: boolean;
}

/** Whether the database answers, as far as known. While it is away only this probe connects; every borrower is held. */
export interface Presence {
  absence(): Absence | undefined;
  /** Whether its last answer said that it takes no writes. */
  isReadOnly(): boolean;
  /** The problem of a database that answers: not migrated. Probes if the last answer is older than a second. */
  check(): Promise<{ readonly absence: Absence | undefined; readonly problem: Error | undefined }>;
  /**
   * Undefined while the database answers; otherwise resolves when it is back.
   * @throws DatabaseError 08006 after `heldMs`
   */
  held(): Promise<void> | undefined;
  /** A caller lost its connection: probes at once and resolves when the state is known. */
  doubt(error: DatabaseError): Promise<void>;
  onChange(listener: (isAway: boolean) => void): void;
  /** Starts probing every second. */
  start(): void;
  close(): void;
}
