import { setTimeout as sleep } from 'node:timers/promises';
import type { TimedAnswer } from './replicas.ts';

export interface Outcome {
  readonly kind: 'interactive' | 'bulk';
  /** The answer, or why there was none. */
  readonly sent: TimedAnswer | Error;
  /** By the clock of the machine. */
  readonly atMs: number;
}

/** Sends at a pace, whatever becomes of what was sent, and waits for every answer. */
export async function atPace(
  kind: Outcome['kind'],
  perSecond: number,
  milliseconds: number,
  make: () => Promise<TimedAnswer>,
): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = [];
  const begunMs = performance.now();
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begunMs) {
    while (outcomes.length < (elapsed * perSecond) / 1000) {
      outcomes.push(
        make().then(
          (sent) => ({ kind, sent, atMs: Date.now() }),
          (error: Error) => ({ kind, sent: error, atMs: Date.now() }),
        ),
      );
    }
    await sleep(2);
  }
  return Promise.all(outcomes);
}
