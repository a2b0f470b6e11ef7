import { AppError } from '../errors.ts';
import { createGiveWay } from './give-way.ts';
import { createLine, type Line, type Waiter } from './line.ts';
import type { WorkClass } from './work-class.ts';

/** What is let in here: requests by the class of their operation, jobs in the background. */
export type AdmittedClass = Exclude<WorkClass, 'control'>;
type WaitingClass = Exclude<AdmittedClass, 'background'>;

export interface Share {
  /** Places it may take at once. */
  readonly most: number;
  /** How many may wait for one, and how long. */
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Of how many free places it gets how many while others wait too. */
  readonly weight: number;
}

export interface AdmissionLimits {
  /** What is under way at once, of all classes. */
  readonly places: number;
  /** What large amounts and the background take together at most: the rest is for what people wait for. */
  readonly bulkAndBackground: number;
  /** Places of the background while large amounts wait. */
  readonly backgroundLeast: number;
  readonly shares: Readonly<Record<WaitingClass, Share>>;
  /** How many wait, and how long, while the database is away. */
  readonly heldMax: number;
  readonly heldMs: number;
}

/** Gives a place back. Calling it twice counts once. */
export type Leave = () => void;

export interface Asked {
  readonly workClass: WaitingClass;
  /** Who stands in one line: an organization. */
  readonly line: string;
}

export interface AdmissionFigures {
  readonly underWay: Readonly<Record<AdmittedClass, number>>;
  readonly waiting: Readonly<Record<WaitingClass, number>>;
}

/**
 * Decides what begins now, what waits and what is refused, before anything is done for it. Within a class each line gets
 * its turn, and within a line the order of arrival holds.
 */
export interface Admission {
  /** Answers with a place or a refusal, at once if nobody has to wait. Returns what to call if the asker has gone. */
  ask(asked: Asked, answer: (outcome: Leave | AppError) => void): () => void;
  /** A place for a job, taken without waiting: `roomForJobs` said that there is one. */
  takeForJob(): Leave;
  roomForJobs(): number;
  /** Between two steps of a large amount: resolves when it may go on beside what people wait for. */
  giveWay(): Promise<void>;
  /** While the database is away nobody begins, and everybody is held. */
  hold(isHeld: boolean): void;
  figures(): AdmissionFigures;
  /** Resolves when no request is under way or waits. */
  idle(): Promise<void>;
  close(): void;
}

export interface AdmissionClock {
  nowMs(): number;
  /** Calls back after a while, unless the returned function was called before. */
  after(milliseconds: number, action: () => void): () => void;
}

const waitingClasses = ['interactive', 'streams', 'bulk'] as const satisfies readonly WaitingClass[];
/** How late the loop may be before large amounts have half of their places, and then one. */
const lagMsLimits = { half: 10, one: 30 };
/** How often it is looked whose patience has ended, while anybody waits. */
export const lookMs = 50;

const systemAdmissionClock: AdmissionClock = {
  nowMs: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** `lagMs` says how late the event loop is: the later, the fewer large amounts are let in beside what people wait for. */
export function createAdmission(
  limits: AdmissionLimits,
  clock: AdmissionClock = systemAdmissionClock,
  lagMs: () => number = () => 0,
): Admission {
  const underWay: Record<AdmittedClass, number> = { interactive: 0, bulk: 0, streams: 0, background: 0 };
  const lines: Record<WaitingClass, Line> = { interactive: createLine(), bulk: createLine(), streams: createLine() };
  const passes: Record<WaitingClass, number> = { interactive: 0, bulk: 0, streams: 0 };
  let reached = 0;
  let isHeld = false;
  let isClosed = false;
  let resumedMs = Number.NEGATIVE_INFINITY;
  let cancelLook: (() => void) | undefined;

  const total = (): number => underWay.interactive + underWay.bulk + underWay.streams + underWay.background;
  const isIdle = (): boolean => total() === underWay.background && waitingTotal() === 0;
  const onIdle: (() => void)[] = [];
  const waitingTotal = (): number => lines.interactive.size() + lines.bulk.size() + lines.streams.size();

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

  /** The class whose turn it is, of those that have somebody waiting and a place for them. */
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
    // what had to wait because the loop was late may go on now
    letIn();
    lookAgain();
  };
  const lookAgain = (): void => {
    if (waitingTotal() > 0) cancelLook ??= clock.after(lookMs, look);
  };

  /** A newcomer for whom there is no room takes that of the last in a longer line, so that a flood refuses itself. */
  const refusalFor = ({ workClass, line }: Asked): AppError | undefined => {
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
      waiting: { interactive: lines.interactive.size(), bulk: lines.bulk.size(), streams: lines.streams.size() },
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
