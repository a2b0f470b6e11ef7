import type { DatabaseError } from './database-error.ts';

export interface Absence {
  readonly sinceMs: number;
  readonly error: Error;
}

/** Whether the database answers, as far as known. While it is away only this probe connects; every borrower is held. */
export interface Presence {
  absence(): Absence | undefined;
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
