import type { EventMapping, MappedEvent, mapEvent } from '@portolan/jq';

export type SampleEvent = Parameters<typeof mapEvent>[1];

export interface TrialRequest {
  readonly id: number;
  readonly mappings: readonly EventMapping[];
  readonly event: SampleEvent;
  /** The value of `now` in milliseconds. */
  readonly at: number;
}

/** One result per mapping. */
export interface TrialAnswer {
  readonly id: number;
  readonly results: readonly MappedEvent[];
}
