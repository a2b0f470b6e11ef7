/** Longest wait of one step of bulk work: about the duration of a short read. */
export const giveWayMsMax = 6;

export interface GiveWay {
  /** Resolves when the caller may go on. */
  wait(): Promise<void>;
  /** Call when nothing interactive is busy any more. */
  wake(): void;
}

/**
 * Releases waiting bulk steps one per turn of the event loop, so that new requests are noticed between two of them, and
 * none while interactive work is busy, unless a step has waited `giveWayMsMax`.
 */
export function createGiveWay(
  isBusy: () => boolean,
  clock: Pick<AdmissionClock, 'nowMs' | 'after'>,
  nextTurn: (action: () => void) => void = setImmediate,
): GiveWay {
  const waiting: { readonly untilMs: number; readonly goOn: () => void }[] = [];
  let isTurnAsked = false;
  let cancelTimer: (() => void) | undefined;

  const askForTurn = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (isTurnAsked) return;
    isTurnAsked = true;
    nextTurn(() => {
      isTurnAsked = false;
      takeTurn();
    });
  };

  const takeTurn = (): void => {
    const first = waiting[0];
    if (!first) return;
    const leftMs = first.untilMs - clock.nowMs();
    if (isBusy() && leftMs > 0) {
      cancelTimer ??= clock.after(leftMs, askForTurn);
      return;
    }
    waiting.shift();
    first.goOn();
    if (waiting.length > 0) askForTurn();
  };

  return {
    wait: () =>
      new Promise((goOn) => {
        waiting.push({ untilMs: clock.nowMs() + giveWayMsMax, goOn });
        if (waiting.length === 1) askForTurn();
      }),
    wake() {
      if (waiting.length > 0) askForTurn();
    },
  };
}

export interface AdmissionClock {
  nowMs(): number;
  /** Calls back after a while, unless the returned function was called before. */
  after(milliseconds: number, action: () => void): () => void;
}
