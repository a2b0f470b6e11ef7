import type { AdmissionLimits } from './admission.ts';

const held = { heldMax: 500, heldMs: 25_000 };

/** A start is short, and a thousand at once are served within the ten seconds that a stream may take to begin. */
const startMs = 9_000;

/**
 * For a pool of ten connections and one thread of JavaScript: enough under way to keep both busy, and so little that
 * whoever is let in is served soon. Three connections are never taken by large amounts and jobs.
 */
const ofServer: AdmissionLimits = {
  places: 32,
  bulkAndBackground: 7,
  backgroundLeast: 3,
  shares: {
    interactive: { most: 28, waitingMax: 200, waitMs: 2_000, weight: 8 },
    streams: { most: 12, waitingMax: 1_000, waitMs: startMs, weight: 4 },
    bulk: { most: 4, waitingMax: 100, waitMs: 10_000, weight: 2 },
  },
  ...held,
};

/** One connection: more at once only lengthens its queue, which goes by the same classes. */
const ofEmbedded: AdmissionLimits = {
  places: 16,
  bulkAndBackground: 3,
  backgroundLeast: 1,
  shares: {
    interactive: { most: 12, waitingMax: 200, waitMs: 2_000, weight: 8 },
    streams: { most: 6, waitingMax: 1_000, waitMs: startMs, weight: 4 },
    bulk: { most: 2, waitingMax: 100, waitMs: 10_000, weight: 2 },
  },
  ...held,
};

export const admissionLimits = { postgres: ofServer, embedded: ofEmbedded } as const;
