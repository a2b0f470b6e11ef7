import type { WorkClass } from '../admission/work-class.ts';

/** Lets one in at a time. */
export interface Turnstile {
  /** Resolves with what to call when leaving; leaving twice counts once. */
  enter(workClass: WorkClass): Promise<() => void>;
}

/** Of how many turns each class gets how many while all of them wait; `control` is always next. */
const weights: Readonly<Record<Exclude<WorkClass, 'control'>, number>> = {
  interactive: 8,
  streams: 4,
  bulk: 2,
  background: 1,
};

interface Lane {
  readonly stride: number;
  readonly waiting: (() => void)[];
  /** Grows with every turn: the lane that is least far goes next. */
  pass: number;
}

/** Within a class in the order of arrival; among classes by their weights, so that none starves and none is starved. */
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
      // who was away has no claim on turns of the past
      if (lane.waiting.length === 0) lane.pass = Math.max(lane.pass, reached);
      lane.waiting.push(resolve);
    });

  return {
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
