import type { AdmissionLimits } from './admission.ts';

const held = { heldMax: 500, heldMs: 25_000 };

/** Starting a stream is short: a thousand at once start within the ten seconds they are allowed. */
const startMs = 9_000;

/**
 * Senders of events often send each only once, and give up after five to ten seconds. Those of one webhook share commits,
 * so that as many as may wait to be mapped are let in within that time.
 */
const events = { waitMs: 9_000, weight: 4 };

/**
 * For a pool of ten connections and one JavaScript thread: enough concurrency to keep both busy, little enough that
 * admitted requests finish soon. Three connections are reserved from bulk work and jobs.
 */
const ofServer: AdmissionLimits = {
  places: 32,
  bulkAndBackground: 7,
  backgroundLeast: 3,
  shares: {
    interactive: { most: 28, waitingMax: 200, waitMs: 2_000, weight: 8 },
    events: { most: 12, waitingMax: 5_000, ...events },
    streams: { most: 12, waitingMax: 1_000, waitMs: startMs, weight: 4 },
    bulk: { most: 4, waitingMax: 100, waitMs: 10_000, weight: 2 },
  },
  ...held,
};

/** One connection: more concurrency only lengthens its queue, which orders by the same classes. */
const ofEmbedded: AdmissionLimits = {
  places: 16,
  bulkAndBackground: 3,
  backgroundLeast: 1,
  shares: {
    interactive: { most: 12, waitingMax: 200, waitMs: 2_000, weight: 8 },
    events: { most: 6, waitingMax: 5_000, ...events },
    streams: { most: 6, waitingMax: 1_000, waitMs: startMs, weight: 4 },
    bulk: { most: 2, waitingMax: 100, waitMs: 10_000, weight: 2 },
  },
  ...held,
};

export const admissionLimits = { postgres: ofServer, embedded: ofEmbedded } as const;
