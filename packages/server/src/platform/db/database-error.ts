/** A statement failed; `code` is the SQLSTATE (PostgreSQL documentation, appendix A), `08006` for a lost connection. */
export class DatabaseError extends Error {
  readonly code: string;
  readonly constraint: string | undefined;

  constructor(message: string, code: string, constraint?: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseError';
    this.code = code;
    this.constraint = constraint;
  }
}

/** Whether the commit holds is unknown: its connection was lost, or it stands on one server where two have to have it. */
export class UnknownOutcomeError extends DatabaseError {
  constructor(cause: DatabaseError) {
    super(cause.message, cause.code, undefined, cause);
    this.name = 'UnknownOutcomeError';
  }
}
