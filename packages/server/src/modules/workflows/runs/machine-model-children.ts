import { type Row, type RunState, type Stimulus, transition } from './machine.ts';

/**
 * A small world of a run whose step begins two others, one at a time, and goes on when both have succeeded. In each of
 * them a person presses a button before an entity is written. Two processes read, plan and commit in every order and die
 * at every point; the run, or one of the two, may be cancelled at any moment.
 */
export interface FamilyWorld {
  readonly parent: Member;
  /** Undefined before they are begun. */
  readonly children: readonly [Member, Member] | undefined;
  /** Entities written by each child. */
  readonly written: readonly [number, number];
  readonly approved: readonly [boolean, boolean];
  /** Jobs that wait: of the parent, of each child, and the one that stops children. */
  readonly jobs: readonly [boolean, boolean, boolean, boolean];
  readonly processes: readonly [Process, Process];
  readonly crashesLeft: number;
  readonly surprisesLeft: number;
  readonly fault: string | null;
}

interface Member {
  readonly rev: number;
  readonly state: RunState;
}
type Target = 'parent' | 0 | 1;
type Job = 0 | 1 | 2 | 3;
const stopping = 3;

type Process = null | {
  readonly job: Job | null;
  readonly target: Target;
  readonly rev: number;
  readonly state: RunState;
  readonly asked: Stimulus | 'sends-on' | undefined;
  /** Of a child: nobody waited for it when it was read. */
  readonly wasAbandoned: boolean;
  /** It has committed the end of a child, and still owes the parent its job. */
  readonly owes?: true;
};

export interface FamilyLaws {
  readonly comparesAndSets: boolean;
  /** The end of a child writes the job of its parent in its own commit. */
  readonly tellsInCommit: boolean;
  /** A step that ends otherwise than by its children leaves the job that stops them. */
  readonly stopsChildren: boolean;
  /** A child looks whether it is still waited for before it goes on. */
  readonly looksUp: boolean;
  /** Whether the second child is begun by a transition of the step, as rounds are, or was stored with the first. */
  readonly inRounds: boolean;
}

export const familyLaws: FamilyLaws = {
  comparesAndSets: true,
  tellsInCommit: true,
  stopsChildren: true,
  looksUp: true,
  inRounds: false,
};

const fresh: Member = {
  rev: 0,
  state: { status: 'IN_PROGRESS', result: null, cancel: null, endsAs: null, token: null },
};

/** Visits every state that can be reached, and stops at the first that breaks an invariant. */
export function exploreFamily(crashes: number, rules: FamilyLaws = familyLaws) {
  const first: FamilyWorld = {
    parent: fresh,
    children: undefined,
    written: [0, 0],
    approved: [false, false],
    jobs: [true, false, false, false],
    processes: [null, null],
    crashesLeft: crashes,
    surprisesLeft: 2,
    fault: null,
  };
  const rowsTaken = new Set<Row>();
  const seen = new Set([keyOf(first, rules)]);
  const open = [first];
  let transitions = 0;
  for (let world = open.pop(); world; world = open.pop()) {
    for (const next of successors(world, rules, rowsTaken)) {
      transitions += 1;
      const key = keyOf(next, rules);
      if (seen.has(key)) continue;
      seen.add(key);
      const violation = broken(next);
      if (violation !== undefined) return { states: seen.size, transitions, rowsTaken, violation };
      open.push(next);
    }
  }
  return { states: seen.size, transitions, rowsTaken, violation: undefined };
}

/** A number of a transition means something only to those who have read it. */
function keyOf(world: FamilyWorld, { comparesAndSets }: FamilyLaws): string {
  const { parent, children, written, approved, jobs, crashesLeft, surprisesLeft } = world;
  const shown = world.processes.map((each) => {
    if (each === null) return '';
    const { job, target, asked, wasAbandoned, owes, rev, state } = each;
    const isStale = rev !== find(world, target).rev;
    return JSON.stringify([job, target, asked, wasAbandoned, owes, isStale, comparesAndSets ? null : state]);
  });
  const states = [parent.state, children?.[0].state, children?.[1].state, children?.map(({ rev }) => rev > 0)];
  return JSON.stringify([states, written, approved, jobs, crashesLeft, surprisesLeft, shown.sort()]);
}

function broken({ parent, children, written, approved, jobs, processes, fault }: FamilyWorld): string | undefined {
  if (fault !== null) return fault;
  for (const index of [0, 1] as const) {
    if (written[index] > 1) return 'an entity is written twice';
    if (written[index] > 0 && !approved[index]) return 'an effect without approval';
  }
  const { token } = parent.state;
  const isDone =
    token?.id === 'after' || (token?.id === 'each' && token.phase === 'ENDED' && token.result === 'SUCCESS');
  if (isDone && !children?.every(({ state }) => state.result === 'SUCCESS')) return 'it went on before its children';
  if (processes.some((each) => each !== null) || jobs.some(Boolean)) return undefined;
  const isOpen = children?.some(({ state }) => state.status !== 'COMPLETED') ?? false;
  if (parent.state.status === 'COMPLETED') return isOpen ? 'a child is left behind' : undefined;
  if (token?.phase !== 'WAIT_CHILD') return `nothing goes on in phase ${token?.phase ?? 'none'}`;
  const canGoOn = children?.some(({ state }) => state.token?.phase === 'WAIT_RESPONSE') ?? false;
  return canGoOn ? undefined : 'it waits for children of which none goes on';
}

function* successors(world: FamilyWorld, rules: FamilyLaws, rowsTaken: Set<Row>): Generator<FamilyWorld> {
  for (const index of [0, 1] as const) {
    const process = world.processes[index];
    if (process === null) {
      yield* begun(world, index, rules);
      continue;
    }
    // whoever dies without a job has done nothing, unless it still owes something
    if (world.crashesLeft > 0 && (process.job !== null || process.owes)) {
      const kept = process.job === null ? world : withJob(world, process.job);
      yield { ...withProcess(kept, index, null), crashesLeft: world.crashesLeft - 1 };
    }
    if (process.owes) yield toldParent(withProcess(world, index, null), index, process, rules);
    else yield committed(world, index, process, rules, rowsTaken);
  }
}

function* begun(world: FamilyWorld, index: 0 | 1, rules: FamilyLaws): Generator<FamilyWorld> {
  const { children } = world;
  for (const job of [0, 1, 2, stopping] as const) {
    if (!world.jobs[job]) continue;
    const taken = { ...world, jobs: world.jobs.map((each, at) => each && at !== job) as never };
    const target = job === stopping ? firstOpen(world) : job === 0 ? 'parent' : ((job - 1) as 0 | 1);
    yield target === undefined ? taken : withProcess(taken, index, read(world, target, job, rules));
  }
  const asks = (target: Target, asked: Stimulus) =>
    withProcess(world, index, { ...read(world, target, null, rules), asked });
  for (const child of [0, 1] as const) {
    if (children?.[child].state.token?.phase !== 'WAIT_RESPONSE') continue;
    yield asks(child, { kind: 'responded', nodeRun: `ask${child}`, verdict: { kind: 'decided', outlet: 'yes' } });
  }
  if (world.surprisesLeft === 0) return;
  const surprises: readonly (readonly [Target, boolean])[] = [
    ['parent', false],
    ['parent', true],
    ...(children ? [[0, false] as const] : []),
  ];
  for (const [target, isForced] of surprises) {
    yield { ...asks(target, { kind: 'cancel', isForced, owes: false }), surprisesLeft: world.surprisesLeft - 1 };
  }
}

function firstOpen({ children }: FamilyWorld): 0 | 1 | undefined {
  return ([0, 1] as const).find((index) => children && children[index].state.status !== 'COMPLETED');
}

function find({ parent, children }: FamilyWorld, target: Target): Member {
  return target === 'parent' ? parent : ((children as readonly [Member, Member])[target] as Member);
}

/** What a process sees when it reads, and what it is going to ask for. */
function read(world: FamilyWorld, target: Target, job: Job | null, rules: FamilyLaws): NonNullable<Process> {
  const { rev, state } = find(world, target);
  const { cancel, token } = world.parent.state;
  const wasAbandoned = target !== 'parent' && (cancel !== null || token?.phase !== 'WAIT_CHILD');
  const gaveUp = job === stopping || (rules.looksUp && wasAbandoned && job !== null);
  const asked: NonNullable<Process>['asked'] = gaveUp
    ? { kind: 'cancel', isForced: cancel === 'force', owes: false }
    : target === 'parent'
      ? nextOfParent(world, rules)
      : nextOfChild(state, target);
  return { job, target, rev, state, asked, wasAbandoned };
}

function nextOfParent({ parent, children }: FamilyWorld, { inRounds }: FamilyLaws): NonNullable<Process>['asked'] {
  const { token } = parent.state;
  if (token === null) {
    return { kind: 'advance', next: { kind: 'node', id: 'each', begins: { kind: 'waits', for: 'child' } } };
  }
  if (token.phase === 'WAIT_CHILD') {
    const ended = (result: 'SUCCESS' | 'FAILED'): Stimulus => ({
      kind: 'children',
      nodeRun: 'each',
      verdict: { kind: 'ended', result, outlet: null },
    });
    const all = children?.map(({ state }) => state) ?? [];
    if (all.some(({ status, result }) => status === 'COMPLETED' && result !== 'SUCCESS')) return ended('FAILED');
    if (all.every(({ status }) => status === 'COMPLETED')) return ended('SUCCESS');
    const isNext = all[0]?.status === 'COMPLETED' && children?.[1].rev === 0;
    return inRounds && isNext ? { kind: 'children', nodeRun: 'each', verdict: { kind: 'counted' } } : 'sends-on';
  }
  if (token.result !== 'SUCCESS' || token.id === 'after') {
    return { kind: 'advance', next: { kind: 'end', result: token.result === 'SUCCESS' ? 'SUCCESS' : 'FAILED' } };
  }
  const begins = { kind: 'ended', result: 'SUCCESS', outlet: null } as const;
  return { kind: 'advance', next: { kind: 'node', id: 'after', begins } };
}

function nextOfChild({ token }: RunState, child: 0 | 1): Stimulus | undefined {
  if (token === null) {
    return { kind: 'advance', next: { kind: 'node', id: `ask${child}`, begins: { kind: 'waits', for: 'response' } } };
  }
  if (token.phase !== 'ENDED') return undefined;
  if (token.result !== 'SUCCESS') return { kind: 'advance', next: { kind: 'end', result: 'FAILED' } };
  if (token.id === `write${child}`) return { kind: 'advance', next: { kind: 'end', result: 'SUCCESS' } };
  const begins = { kind: 'ended', result: 'SUCCESS', outlet: null } as const;
  return { kind: 'advance', next: { kind: 'node', id: `write${child}`, begins } };
}

function committed(
  world: FamilyWorld,
  index: 0 | 1,
  process: NonNullable<Process>,
  rules: FamilyLaws,
  rowsTaken: Set<Row>,
): FamilyWorld {
  const { asked, target, job, state } = process;
  const done = withProcess(world, index, null);
  if (asked === 'sends-on') return rules.inRounds ? done : sentOn(done);
  const answer = asked && transition(state, asked);
  const now = find(world, target);
  if (answer?.kind !== 'taken') return job === stopping ? nextToStop(done, index, rules) : done;
  if (rules.comparesAndSets && process.rev !== now.rev) {
    const again = read(world, target, job, rules);
    // whoever asks from outside asks the same again
    return withProcess(world, index, job === null ? { ...again, asked } : again);
  }
  rowsTaken.add(answer.row);
  const fault = now.state.status === 'COMPLETED' ? 'something that had ended was changed' : null;
  const changed: FamilyWorld = { ...withMember(done, target, { rev: now.rev + 1, state: answer.state }), fault };
  const after =
    target === 'parent' ? ofParent(changed, process, answer.state, rules) : ofChild(changed, process, answer);
  const sent = answer.job === 'advance' ? withJob(after, target === 'parent' ? 0 : ((target + 1) as 1 | 2)) : after;
  if (target !== 'parent' && answer.state.status === 'COMPLETED') {
    if (!rules.tellsInCommit) return withProcess(sent, index, { ...process, owes: true });
    return toldParent(sent, index, process, rules);
  }
  return job === stopping ? nextToStop(sent, index, rules) : sent;
}

function toldParent(world: FamilyWorld, index: 0 | 1, { job }: NonNullable<Process>, rules: FamilyLaws): FamilyWorld {
  const told = withJob(world, 0);
  return job === stopping ? nextToStop(told, index, rules) : told;
}

/** The job that stops children goes from one to the next, each in a commit of its own. */
function nextToStop(world: FamilyWorld, index: 0 | 1, rules: FamilyLaws): FamilyWorld {
  const target = firstOpen(world);
  return target === undefined ? world : withProcess(world, index, read(world, target, stopping, rules));
}

function ofParent(
  world: FamilyWorld,
  { state: before, asked }: NonNullable<Process>,
  { token }: RunState,
  { stopsChildren }: FamilyLaws,
): FamilyWorld {
  if (token?.phase === 'WAIT_CHILD' && before.token === null) {
    return withJob({ ...world, children: [fresh, fresh] }, 1);
  }
  if (asked !== 'sends-on' && asked?.kind === 'children' && asked.verdict.kind === 'counted') return withJob(world, 2);
  const leaves = before.token?.phase === 'WAIT_CHILD' && token?.phase === 'ENDED';
  const byChildren =
    asked !== undefined && asked !== 'sends-on' && asked.kind === 'children' && token?.result === 'SUCCESS';
  return leaves && !byChildren && stopsChildren ? withJob(world, stopping) : world;
}

function ofChild(
  world: FamilyWorld,
  { target, asked, wasAbandoned }: NonNullable<Process>,
  answer: Extract<ReturnType<typeof transition>, { kind: 'taken' }>,
): FamilyWorld {
  const at = target as 0 | 1;
  const isApproved = asked !== 'sends-on' && asked?.kind === 'responded';
  const writes = answer.row === 'node.carried-out';
  return {
    ...world,
    approved: isApproved ? (world.approved.map((each, index) => each || index === at) as never) : world.approved,
    written: writes ? (world.written.map((each, index) => each + (index === at ? 1 : 0)) as never) : world.written,
    fault: world.fault ?? (writes && wasAbandoned ? 'an effect below a run that waits for it no more' : null),
  };
}

/** One child at a time: the first that has not ended, if it has not begun. */
function sentOn(world: FamilyWorld): FamilyWorld {
  const next = firstOpen(world);
  return next !== undefined && find(world, next).rev === 0 ? withJob(world, (next + 1) as 1 | 2) : world;
}

function withJob(world: FamilyWorld, job: Job): FamilyWorld {
  return { ...world, jobs: world.jobs.map((each, at) => each || at === job) as never };
}

function withMember(world: FamilyWorld, target: Target, member: Member): FamilyWorld {
  if (target === 'parent') return { ...world, parent: member };
  return { ...world, children: world.children?.map((each, index) => (index === target ? member : each)) as never };
}

function withProcess(world: FamilyWorld, index: 0 | 1, process: Process): FamilyWorld {
  const processes = index === 0 ? ([process, world.processes[1]] as const) : ([world.processes[0], process] as const);
  return { ...world, processes };
}
