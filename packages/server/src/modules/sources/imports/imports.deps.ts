import type { IngestDeps } from '../ingest/ingest.deps.ts';

export interface ImportsDeps extends IngestDeps {
  /** Waits for a place among the bulk work of the organization. @throws AppError `too_many_requests` */
  readonly takePlace: (orgId: string) => Promise<() => void>;
}
