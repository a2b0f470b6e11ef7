import { AppError } from '../errors.ts';
import { type AdmissionClock, createGiveWay } from './give-way.ts';
import { createLine, type Line, type Waiter } from './line.ts';
import type { WorkClass } from './work-class.ts';

/** The classes that queue here: requests by the class of their operation, and background jobs. */
export type AdmittedClass = Exclude<WorkClass, 'control'>;
type WaitingClass = Exclude<AdmittedClass, 'background'>;

export interface Share {
  /** Places it may hold at once. */
  readonly most: number;
  /** Largest number that may wait. */
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Share of the free places when other classes wait too. */
  readonly weight: number;
}

export interface AdmissionLimits {
  /** Total places of all classes. */
  readonly places: number;
  /** Upper bound for bulk and background together; the rest is reserved for interactive work. */
  readonly bulkAndBackground: number;
  /** Places kept for the background while bulk work waits. */
  readonly backgroundLeast: number;
  readonly shares: Readonly<Record<WaitingClass, Share>>;
  /** How many requests are held, and for how long, while the database is away. */
  readonly heldMax: number;
  readonly heldMs: number;
}

/** Gives a place back. Calling it twice counts once. */
export type Leave = () => void;

export interface AdmissionRequest {
  readonly workClass: WaitingClass;
  /** The organization: waiting requests queue per organization. */
  readonly line: string;
}

export interface AdmissionFigures {
  readonly underWay: Readonly<Record<AdmittedClass, number>>;
  readonly waiting: Readonly<Record<WaitingClass, number>>;
}

/**
 * Admits, queues or refuses work before anything is done for it. Within a class organizations take turns; within an
 * organization the order of arrival holds.
 */
export interface Admission {
  /** Answers with a place or a refusal, at once if there is no queue. Returns the function that cancels the wait. */
  ask(asked: AdmissionRequest, answer: (outcome: Leave | AppError) => void): () => void;
  /** Takes a place without waiting; `roomForJobs` said that there is one. */
  takeForJob(): Leave;
  roomForJobs(): number;
  /** Called between two steps of bulk work; resolves when it may go on. */
  giveWay(): Promise<void>;
  /** While held, nothing is admitted. */
  hold(isHeld: boolean): void;
  figures(): AdmissionFigures;
  /** Resolves when no request is under way or waits. */
  idle(): Promise<void>;
  close(): void;
}

const waitingClasses = ['interactive', 'events', 'streams', 'bulk'] as const satisfies readonly WaitingClass[];
/** Event loop lag from which bulk work has half of its places, and then one. */
const lagMsLimits = { half: 10, one: 30 };
/** Interval at which expired waits are refused. */
export const lookMs = 50;

const systemAdmissionClock: AdmissionClock = {
  nowMs: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** `lagMs` reports the event loop lag: the higher it is, the less bulk work is admitted. */
export function createAdmission(
  limits: AdmissionLimits,
  clock: AdmissionClock = systemAdmissionClock,
  lagMs: () => number = () => 0,
): Admission {
  const underWay: Record<AdmittedClass, number> = { interactive: 0, events: 0, bulk: 0, streams: 0, background: 0 };
  const lines: Record<WaitingClass, Line> = {
    interactive: createLine(),
    events: createLine(),
    bulk: createLine(),
    streams: createLine(),
  };
  const passes: Record<WaitingClass, number> = { interactive: 0, events: 0, bulk: 0, streams: 0 };
  let reached = 0;
  let isHeld = false;
  let isClosed = false;
  let resumedMs = Number.NEGATIVE_INFINITY;
  let cancelLook: (() => void) | undefined;

  const total = (): number => Object.values(underWay).reduce((sum, each) => sum + each, 0);
  const isIdle = (): boolean => total() === underWay.background && waitingTotal() === 0;
  const onIdle: (() => void)[] = [];
  const waitingTotal = (): number => waitingClasses.reduce((sum, each) => sum + lines[each].size(), 0);

  const mostOf = (workClass: WaitingClass): number => {
    const { most } = limits.shares[workClass];
    if (workClass !== 'bulk') return most;
    const lag = lagMs();
    if (lag > lagMsLimits.one) return 1;
    return lag > lagMsLimits.half ? Math.ceil(most / 2) : most;
  };

  const mayBegin = (workClass: WaitingClass): boolean =>
    !isHeld &&
    total() < limits.places &&
    underWay[workClass] < mostOf(workClass) &&
    (workClass !== 'bulk' || underWay.bulk + underWay.background < limits.bulkAndBackground);

  const way = createGiveWay(() => underWay.interactive > 0 || lines.interactive.size() > 0, clock);

  const begin = (workClass: AdmittedClass): Leave => {
    underWay[workClass] += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      underWay[workClass] -= 1;
      letIn();
      if (underWay.interactive === 0) way.wake();
      if (isIdle()) for (const resolve of onIdle.splice(0)) resolve();
    };
  };

  /** The next class to admit from: one with a waiting request and a free place. */
  const nextClass = (): WaitingClass | undefined => {
    let next: WaitingClass | undefined;
    for (const workClass of waitingClasses) {
      if (lines[workClass].size() === 0 || !mayBegin(workClass)) continue;
      if (next === undefined || passes[workClass] < passes[next]) next = workClass;
    }
    return next;
  };

  const letIn = (): void => {
    for (let next = nextClass(); next !== undefined; next = nextClass()) {
      reached = passes[next];
      passes[next] += 1 / limits.shares[next].weight;
      lines[next].take()?.answer(begin(next));
    }
  };

  const expiresMs = (workClass: WaitingClass, { sinceMs }: Waiter): number =>
    isHeld ? sinceMs + limits.heldMs : Math.max(sinceMs, resumedMs) + limits.shares[workClass].waitMs;

  const look = (): void => {
    cancelLook = undefined;
    const now = clock.nowMs();
    for (const workClass of waitingClasses) {
      for (const waiter of lines[workClass].removeAll((each) => expiresMs(workClass, each) <= now)) {
        waiter.answer(isHeld ? away() : tooMany());
      }
    }
    // bulk work held back by the lag may go on now
    letIn();
    lookAgain();
  };
  const lookAgain = (): void => {
    if (waitingTotal() > 0) cancelLook ??= clock.after(lookMs, look);
  };

  /** If the queue is full, a newcomer replaces the last of a longer line, so that a flood displaces only itself. */
  const refusalFor = ({ workClass, line }: AdmissionRequest): AppError | undefined => {
    if (isHeld) return waitingTotal() < limits.heldMax ? undefined : away();
    if (lines[workClass].size() < limits.shares[workClass].waitingMax) return undefined;
    const last = lines[workClass].lastOfLongest(line);
    if (!last) return tooMany();
    lines[workClass].remove(last);
    last.answer(tooMany());
    return undefined;
  };

  return {
    ask(asked, answer) {
      const { workClass, line } = asked;
      if (isClosed) {
        answer(new AppError('service_unavailable', 'The server is stopping'));
        return () => undefined;
      }
      if (lines[workClass].size() === 0 && mayBegin(workClass)) {
        answer(begin(workClass));
        return () => undefined;
      }
      const refusal = refusalFor(asked);
      if (refusal) {
        answer(refusal);
        return () => undefined;
      }
      if (lines[workClass].size() === 0) passes[workClass] = Math.max(passes[workClass], reached);
      const waiter: Waiter = { line, sinceMs: clock.nowMs(), answer };
      lines[workClass].add(waiter);
      lookAgain();
      return () => lines[workClass].remove(waiter);
    },
    giveWay: way.wait,
    takeForJob: () => begin('background'),
    roomForJobs() {
      if (isHeld || isClosed) return 0;
      const taken = lines.bulk.size() > 0 ? limits.bulkAndBackground - limits.backgroundLeast : underWay.bulk;
      const share = limits.bulkAndBackground - Math.max(taken, underWay.bulk) - underWay.background;
      return Math.max(0, Math.min(share, limits.places - total()));
    },
    hold(shouldHold) {
      if (isHeld && !shouldHold) resumedMs = clock.nowMs();
      isHeld = shouldHold;
      letIn();
    },
    figures: () => ({
      underWay: { ...underWay },
      waiting: {
        interactive: lines.interactive.size(),
        events: lines.events.size(),
        bulk: lines.bulk.size(),
        streams: lines.streams.size(),
      },
    }),
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => void onIdle.push(resolve))),
    close() {
      isClosed = true;
      cancelLook?.();
      for (const workClass of waitingClasses) {
        for (const waiter of lines[workClass].removeAll(() => true)) {
          waiter.answer(new AppError('service_unavailable', 'The server is stopping'));
        }
      }
    },
  };
}

function tooMany(): AppError {
  return new AppError(
    'too_many_requests',
    'More is asked than can be done at the moment. Send the request again after the seconds in Retry-After.',
  );
}

function away(): AppError {
  return new AppError(
    'service_unavailable',
    'The database does not answer at the moment. Send the request again after the seconds in Retry-After.',
  );
}
