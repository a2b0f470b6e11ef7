import type { WorkClass } from '../admission/work-class.ts';

/** Lets one in at a time. */
export interface Turnstile {
  /** Resolves with the function to leave; calling it twice counts once. */
  enter(workClass: WorkClass): Promise<() => void>;
  isTaken(): boolean;
  /** How many wait to enter. */
  waiting(): number;
}

/** Turns per class while all of them wait; `control` always goes next. */
const weights: Readonly<Record<Exclude<WorkClass, 'control'>, number>> = {
  interactive: 8,
  events: 4,
  streams: 4,
  bulk: 2,
  background: 1,
};

interface Lane {
  readonly stride: number;
  readonly waiting: (() => void)[];
  /** Grows with every turn: the lane with the lowest goes next. */
  pass: number;
}

/** Order of arrival within a class, weighted turns between classes, so that none starves. */
export function createTurnstile(): Turnstile {
  const lanes = new Map<WorkClass, Lane>(
    Object.entries(weights).map(([name, weight]) => [name as WorkClass, { stride: 1 / weight, waiting: [], pass: 0 }]),
  );
  const control: (() => void)[] = [];
  let isTaken = false;
  let reached = 0;

  const nextLane = (): Lane | undefined => {
    let next: Lane | undefined;
    for (const lane of lanes.values()) {
      if (lane.waiting.length > 0 && (!next || lane.pass < next.pass)) next = lane;
    }
    return next;
  };

  const takeNext = (): (() => void) | undefined => {
    if (control.length > 0) return control.shift();
    const lane = nextLane();
    if (!lane) return undefined;
    reached = lane.pass;
    lane.pass += lane.stride;
    return lane.waiting.shift();
  };

  const wait = (workClass: WorkClass): Promise<void> =>
    new Promise((resolve) => {
      const lane = lanes.get(workClass);
      if (!lane) return void control.push(resolve);
      // an idle lane does not accumulate turns
      if (lane.waiting.length === 0) lane.pass = Math.max(lane.pass, reached);
      lane.waiting.push(resolve);
    });

  return {
    isTaken: () => isTaken,
    waiting: () => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting.length, control.length),
    async enter(workClass) {
      if (isTaken) await wait(workClass);
      isTaken = true;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        const next = takeNext();
        if (next) next();
        else isTaken = false;
      };
    },
  };
}
