export interface Check {
  readonly name: 'address' | 'server' | 'ready' | 'reads' | 'clock' | 'credentials' | 'assistant' | 'model';
  readonly status: 'ok' | 'failed' | 'unknown';
  readonly message: string;
  /** The error code of a failed check. */
  readonly code?: string;
}
