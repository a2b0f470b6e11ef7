import { type Next, type Row, type RunState, type Stimulus, type Transition, transition } from './machine.ts';

/**
 * A small world around the machine, in which two processes read, plan and commit in every order and die at every point.
 * The workflow: a call, a form that two people of a closed list answer, an entity that is written, and a delay. The call
 * and the entity are undone, by a call and at once or after a wait, if the run ends otherwise than well.
 */
export interface World {
  readonly rev: number;
  readonly state: RunState;
  /** Node runs as stored, by id; each node has one. */
  readonly stored: Readonly<Record<string, string>>;
  readonly entityWrites: number;
  readonly entityRestores: number;
  /** Whether steps name what undoes them. */
  readonly undoes: boolean;
  /** Nothing more is undone: it was cancelled by force, or the time for it is over. */
  readonly gaveUp: boolean;
  /** How often what failed to undo something made room for another attempt. */
  readonly rounds: number;
  /** Buttons by person. */
  readonly votes: Readonly<Record<string, string>>;
  readonly tries: number;
  readonly waitsAdvance: boolean;
  readonly waitsDispatch: boolean;
  readonly processes: readonly [Process, Process];
  readonly crashesLeft: number;
  /** Reports, cancellations, deadlines and failures without end that may still come. */
  readonly surprisesLeft: number;
  /** What must never have happened. */
  readonly fault: string | null;
}

type Process = null | {
  readonly job: 'advance' | 'dispatch' | null;
  /** `checked`: about to call; `settling`: has an outcome; `planned`: has read what it is about to change. */
  readonly step: 'checked' | 'settling' | 'planned';
  readonly stimulus: string | null;
  readonly read: Read | null;
  /** Of a job that calls: the round of the attempt that it is for. */
  readonly round: number;
};
type Read = Pick<World, 'rev' | 'state' | 'votes' | 'tries' | 'stored' | 'undoes' | 'rounds'>;

export interface Laws {
  readonly comparesAndSets: boolean;
  readonly undoes: boolean;
  /** What failed to undo something is asked for again. */
  readonly repeats: boolean;
  /** A start that stores the first transition with the run leaves the job of that transition. */
  readonly startLeavesJob: boolean;
  readonly decide: typeof transition;
}

export const laws: Laws = {
  comparesAndSets: true,
  undoes: false,
  repeats: false,
  startLeavesJob: true,
  decide: transition,
};

const call = 'call';
const form = 'form';
const entity = 'entity';
const delay = 'delay';
const undo = 'undo';
const restore = 'restore';
const triesMax = 2;
const people = ['ada', 'bo'];
const approvalsNeeded = 2;

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly rowsTaken: ReadonlySet<Row>;
  readonly violation: string | undefined;
}

/** Visits every state that can be reached, and stops at the first that breaks an invariant. */
export function explore(crashes: number, rules: Laws = laws): Explored {
  const first: World = {
    rev: 0,
    state: { status: 'IN_PROGRESS', result: null, cancel: null, endsAs: null, token: null },
    stored: {},
    entityWrites: 0,
    entityRestores: 0,
    undoes: rules.undoes,
    gaveUp: false,
    rounds: 0,
    votes: {},
    tries: 0,
    waitsAdvance: true,
    waitsDispatch: false,
    processes: [null, null],
    crashesLeft: crashes,
    surprisesLeft: 2,
    fault: null,
  };
  const rowsTaken = new Set<Row>();
  const keyOf = rules.comparesAndSets ? keyWithStale : keyWithReads;
  const open: World[] = [first, carried(first, rules, rowsTaken)];
  const seen = new Set<string>(open.map(keyOf));
  let transitions = 0;
  for (const start of open) {
    const violation = broken(start);
    if (violation !== undefined) return { states: seen.size, transitions, rowsTaken, violation };
  }
  for (let world = open.pop(); world; world = open.pop()) {
    for (const next of successors(world, rules, rowsTaken)) {
      transitions += 1;
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      const violation = broken(next);
      if (violation !== undefined) return { states: seen.size, transitions, rowsTaken, violation };
      open.push(next);
    }
  }
  return { states: seen.size, transitions, rowsTaken, violation: undefined };
}

/** A start that stores the first transition in the commit of the run, in the place of the job that would plan it. */
function carried(first: World, rules: Laws, rowsTaken: Set<Row>): World {
  const planned = { job: 'advance', step: 'planned', stimulus: null, read: readOf(first), round: 0 } as const;
  const stored = committed({ ...first, waitsAdvance: false }, 0, planned, rules, rowsTaken);
  return rules.startLeavesJob ? stored : { ...stored, waitsAdvance: false, waitsDispatch: false };
}

/** Where a stale read is never committed, what was read means nothing; nor does the order of two processes alike. */
function keyWithStale(world: World): string {
  return keyWith(world, (read) => (read === null ? '-' : read.rev === world.rev ? 'current' : 'stale'));
}

function keyWithReads(world: World): string {
  return keyWith(
    world,
    (read) => read && JSON.stringify([read.rev === world.rev, read.state, read.votes, read.tries, read.stored]),
  );
}

function keyWith(world: World, shown: (read: Read | null) => unknown): string {
  const { state, stored, votes, tries, waitsAdvance, waitsDispatch, crashesLeft, surprisesLeft, entityWrites } = world;
  const [one, other] = world.processes.map((each) =>
    each === null ? '' : `${each.job} ${each.step} ${each.stimulus} ${each.round} ${shown(each.read)}`,
  ) as [string, string];
  const token = state.token?.id;
  return [
    `${state.status} ${state.result} ${state.cancel} ${state.endsAs} ${world.gaveUp} ${world.rounds} ${token} ${tries} ${waitsAdvance} ${waitsDispatch} ${crashesLeft}`,
    `${surprisesLeft} ${entityWrites} ${world.entityRestores} ${stored[undo]} ${stored[restore]} ${stored[call]} ${stored[form]} ${stored[entity]} ${stored[delay]} ${votes.ada} ${votes.bo}`,
    one < other ? `${one}/${other}` : `${other}/${one}`,
  ].join('/');
}

function broken(world: World): string | undefined {
  const { state, stored, entityWrites, votes, processes, waitsAdvance, waitsDispatch } = world;
  if (world.fault !== null) return world.fault;
  const open = Object.values(stored).filter((each) => !each.startsWith('ENDED'));
  if (open.length > 1) return 'two node runs are open';
  if (state.status === 'COMPLETED' && open.length > 0) return 'a completed run has an open node run';
  if (entityWrites !== (stored[entity]?.startsWith('ENDED SUCCESS') ? 1 : 0))
    return 'the entity and its node run differ';
  const approvals = Object.values(votes).filter((button) => button === 'approve').length;
  if (entityWrites > 0 && !(stored[form] === 'ENDED SUCCESS approve' && approvals === 2))
    return 'an effect without approval';
  const undone = brokenUndoing(world);
  if (undone !== undefined) return undone;
  const isQuiet = processes.every((each) => each === null) && !waitsAdvance && !waitsDispatch;
  if (!isQuiet || state.status === 'COMPLETED') return undefined;
  const phase = state.token?.phase ?? 'none';
  return phase.startsWith('WAIT_') || phase === 'RETRY_AT' ? undefined : `nothing goes on in phase ${phase}`;
}

/** What was done is undone, in reverse, once, and by nothing but a run that goes no further. */
function brokenUndoing({ state, stored, entityRestores, undoes, gaveUp, rounds }: World): string | undefined {
  const hasEnded = (name: string, how: string) => stored[name] === `ENDED ${how}`;
  if (
    entityRestores !== (hasEnded(restore, 'SUCCESS') ? 1 : 0) ||
    entityRestores > (hasEnded(entity, 'SUCCESS') ? 1 : 0)
  ) {
    return 'an entity is restored otherwise than once';
  }
  const isUndoing = stored[undo] !== undefined || stored[restore] !== undefined;
  if (isUndoing && (state.endsAs === null || state.result === 'SUCCESS')) return 'undone though it goes forward';
  // what had succeeded before what failed is carried out again is not done anew
  const isInOrder = rounds > 0 || stored[restore]?.startsWith('ENDED');
  if (stored[undo] !== undefined && hasEnded(entity, 'SUCCESS') && !isInOrder) {
    return 'undone in another order';
  }
  if (hasEnded(undo, 'CANCELLED') || hasEnded(restore, 'CANCELLED')) return 'what undoes is cancelled';
  if (!undoes || state.status !== 'COMPLETED' || state.result === 'SUCCESS' || gaveUp) return undefined;
  const isLeft = (name: string, by: string) => hasEnded(name, 'SUCCESS') && !stored[by]?.startsWith('ENDED');
  return isLeft(call, undo) || isLeft(entity, restore) ? 'an effect is left behind' : undefined;
}

function* successors(world: World, rules: Laws, rowsTaken: Set<Row>): Generator<World> {
  for (const index of [0, 1] as const) {
    const process = world.processes[index];
    if (process === null) {
      yield* begun(world, index, rules);
      continue;
    }
    // whoever dies without a job has done nothing
    if (world.crashesLeft > 0 && process.job !== null) yield crashed(world, index);
    yield* stepped(world, index, process, rules, rowsTaken);
  }
}

function* begun(world: World, index: 0 | 1, { repeats }: Laws): Generator<World> {
  const reads = (stimulus: string | null, job: 'advance' | null = null) =>
    withProcess(world, index, { job, step: 'planned', stimulus, read: readOf(world), round: world.rounds });
  if (world.waitsAdvance) {
    yield { ...reads(null, 'advance'), waitsAdvance: false };
    // what restores the entity may have to wait for something
    if (world.undoes && world.entityWrites > 0) yield { ...reads('waits', 'advance'), waitsAdvance: false };
  }
  if (world.waitsDispatch) yield { ...checked(world, index), waitsDispatch: false };
  for (const person of people) {
    for (const button of ['approve', 'abstain']) {
      if (world.state.token?.phase === 'WAIT_RESPONSE' && !(person in world.votes))
        yield reads(`respond ${person} ${button}`);
    }
  }
  if (world.state.token && /^(WAIT_|RETRY_AT)/.test(world.state.token.phase))
    yield reads(`due ${world.state.token.id}`);
  if (world.surprisesLeft === 0) return;
  if (repeats && hasFailed(world)) {
    yield { ...reads('again'), surprisesLeft: world.surprisesLeft - 1 };
  }
  const surprises =
    world.tries > 0
      ? ['report progress', 'report SUCCESS', 'cancel', 'force', 'deadline']
      : ['cancel', 'force', 'deadline'];
  // a wait is not given up, only what a job would carry out
  const isCarried = ['none', 'DISPATCHING', 'ENDED'].includes(world.state.token?.phase ?? 'none');
  for (const surprise of isCarried ? [...surprises, 'stuck'] : surprises) {
    yield { ...reads(surprise), surprisesLeft: world.surprisesLeft - 1 };
  }
}

/** A dispatch looks at the run before it calls. */
function checked(world: World, index: 0 | 1): World {
  const { status, cancel, token } = world.state;
  const job = 'dispatch';
  const round = world.rounds;
  if (status === 'COMPLETED' || token?.phase !== 'DISPATCHING') return withProcess(world, index, null);
  if (cancel !== null && world.state.endsAs === null)
    return withProcess(world, index, { job, step: 'settling', stimulus: 'not-called', read: null, round });
  return withProcess(world, index, { job, step: 'checked', stimulus: null, read: null, round });
}

function crashed(world: World, index: 0 | 1): World {
  const job = world.processes[index]?.job;
  return {
    ...withProcess(world, index, null),
    crashesLeft: world.crashesLeft - 1,
    waitsAdvance: world.waitsAdvance || job === 'advance',
    waitsDispatch: world.waitsDispatch || job === 'dispatch',
  };
}

function* stepped(
  world: World,
  index: 0 | 1,
  process: NonNullable<Process>,
  rules: Laws,
  rowsTaken: Set<Row>,
): Generator<World> {
  if (process.step === 'checked') {
    const called = { ...world, tries: Math.min(world.tries + 1, triesMax) };
    for (const stimulus of world.state.endsAs === null ? ['ended', 'waits', 'fails'] : ['ended', 'fails']) {
      yield withProcess(called, index, { ...process, step: 'settling', stimulus });
    }
  } else if (process.step === 'settling') {
    yield withProcess(world, index, { ...process, step: 'planned', read: readOf(world) });
  } else {
    yield committed(world, index, process, rules, rowsTaken);
  }
}

function committed(
  world: World,
  index: 0 | 1,
  process: NonNullable<Process>,
  { comparesAndSets, decide }: Laws,
  rowsTaken: Set<Row>,
): World {
  const read = process.read as Read;
  const done = withProcess(world, index, null);
  const asked = stimulusOf(process, read);
  if (asked === undefined) return done;
  const answer: Transition = decide(read.state, asked);
  if (answer.kind === 'refused') return done;
  if (comparesAndSets && read.rev !== world.rev) {
    return withProcess(world, index, { ...process, read: readOf(world) });
  }
  rowsTaken.add(answer.row);
  if (answer.row === 'compensation.again') return reopened(done, answer.state);
  const { token } = answer.state;
  const shown = token && [token.phase, token.result, token.outlet].filter(Boolean).join(' ');
  const before = token ? world.stored[token.id] : undefined;
  const isLate = world.state.status === 'COMPLETED' || (before?.startsWith('ENDED') && before !== shown);
  const writes = answer.row === 'node.carried-out' && token?.id === entity ? 1 : 0;
  const isRestored = token?.id === restore && token.phase === 'ENDED' && token.result === 'SUCCESS' && before !== shown;
  const isOver = ['deadline.passed', 'stuck.ended'].includes(answer.row) && read.state.endsAs !== null;
  const isBegun = answer.row === 'compensation.called' && before === undefined;
  return {
    ...done,
    // the number matters only to those who have read it
    rev: world.rev + 1,
    state: answer.state,
    stored: token ? { ...world.stored, [token.id]: shown as string } : world.stored,
    entityWrites: world.entityWrites + writes,
    entityRestores: world.entityRestores + (isRestored ? 1 : 0),
    tries: isBegun ? 0 : world.tries,
    gaveUp: world.gaveUp || answer.row === 'cancel.forced' || isOver,
    votes: process.stimulus?.startsWith('respond') ? votesAfter(read, process.stimulus) : world.votes,
    waitsAdvance: world.waitsAdvance || answer.job === 'advance',
    waitsDispatch: world.waitsDispatch || answer.job === 'dispatch',
    fault: isLate ? 'something that had ended was changed' : null,
  };
}

function stimulusOf({ job, stimulus, round }: NonNullable<Process>, read: Read): Stimulus | undefined {
  if (job === 'advance') return { kind: 'advance', next: nextOf(read, stimulus === 'waits') };
  if (job === 'dispatch') {
    return { kind: 'settled', nodeRun: idOfCall(read, round), outcome: outcomeOf(stimulus, read) };
  }
  const [kind, one = '', other = ''] = (stimulus as string).split(' ');
  switch (kind) {
    case 'report':
      return { kind: 'reported', nodeRun: call, result: one === 'SUCCESS' ? 'SUCCESS' : null };
    case 'respond':
      return one in read.votes
        ? undefined
        : {
            kind: 'responded',
            nodeRun: form,
            verdict: verdictOf(votesAfter(read, `respond ${one} ${other}`)),
          };
    case 'due':
      return { kind: 'due', nodeRun: one, outlet: null };
    case 'again':
      return hasFailed(read) ? { kind: 'compensate-again' } : undefined;
    case 'deadline':
    case 'stuck':
      return { kind, owes: toUndo(read) !== undefined };
    default:
      return { kind: 'cancel', isForced: kind === 'force', owes: toUndo(read) !== undefined };
  }
}

/** Each attempt is a node run of its own; in the world they follow one another under one name. */
function idOfCall({ state, rounds }: Read, round: number): string {
  if (state.endsAs === null) return call;
  return round === rounds ? undo : `${undo} of round ${round}`;
}

/** Whether something that undoes failed, or was not begun, though the run has ended. */
function hasFailed({ state, stored, undoes }: Pick<Read, 'state' | 'stored' | 'undoes'>): boolean {
  if (state.status !== 'COMPLETED' || state.endsAs === null || !undoes) return false;
  return toUndo({ stored: withoutFailed(stored), undoes }) !== undefined;
}

function withoutFailed(stored: Read['stored']): Read['stored'] {
  const failed = [undo, restore].filter(
    (name) => stored[name]?.startsWith('ENDED') && stored[name] !== 'ENDED SUCCESS',
  );
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !failed.includes(name)));
}

/** What failed makes room, in the commit with which the run goes back once more. */
function reopened(world: World, state: RunState): World {
  return {
    ...world,
    rev: world.rev + 1,
    state,
    stored: withoutFailed(world.stored),
    rounds: world.rounds + 1,
    gaveUp: false,
    waitsAdvance: true,
    fault: world.state.status === 'COMPLETED' ? null : 'two went back at once',
  };
}

function outcomeOf(stimulus: string | null, { tries }: Read): Extract<Stimulus, { kind: 'settled' }>['outcome'] {
  if (stimulus === 'ended') return { kind: 'ended', result: 'SUCCESS', outlet: null };
  if (stimulus === 'waits') return { kind: 'waits', for: 'report' };
  if (stimulus === 'not-called') return { kind: 'not-called' };
  return { kind: tries < triesMax ? 'again' : 'gave-up' };
}

/** The last thing that was done and is not undone. */
function toUndo({ stored, undoes }: Pick<Read, 'stored' | 'undoes'>): typeof undo | typeof restore | undefined {
  if (!undoes) return undefined;
  if (stored[entity] === 'ENDED SUCCESS' && stored[restore] === undefined) return restore;
  return stored[call] === 'ENDED SUCCESS' && stored[undo] === undefined ? undo : undefined;
}

function nextOf(read: Read, restoreWaits: boolean): Next {
  const { token, cancel, endsAs } = read.state;
  const fails = endsAs !== null || cancel !== null || (token !== null && token.result !== 'SUCCESS');
  const by = fails ? toUndo(read) : undefined;
  if (by === restore) {
    const begins = restoreWaits
      ? ({ kind: 'waits', for: 'time' } as const)
      : ({ kind: 'ended', result: 'SUCCESS', outlet: null } as const);
    return { kind: 'compensation', id: restore, begins };
  }
  if (by === undo) return { kind: 'compensation', id: undo, begins: { kind: 'calls' } };
  if (fails) return { kind: 'end', result: 'FAILED' };
  const node = (id: string, begins: Exclude<Next, { kind: 'end' }>['begins']): Next => ({
    kind: 'node',
    id,
    begins,
  });
  if (token === null) return node(call, { kind: 'calls' });
  if (token.id === call) return node(form, { kind: 'waits', for: 'response' });
  if (token.id === form && token.outlet === 'approve') {
    return node(entity, { kind: 'ended', result: 'SUCCESS', outlet: null });
  }
  if (token.id === delay) return { kind: 'end', result: 'SUCCESS' };
  return node(delay, { kind: 'waits', for: 'time' });
}

function verdictOf(votes: Readonly<Record<string, string>>): Extract<Stimulus, { kind: 'responded' }>['verdict'] {
  const pressed = Object.values(votes);
  const approvals = pressed.filter((each) => each === 'approve').length;
  if (approvals >= approvalsNeeded) return { kind: 'decided', outlet: 'approve' };
  const canStill = approvals + people.length - pressed.length >= approvalsNeeded;
  return { kind: canStill ? 'counted' : 'impossible' };
}

function votesAfter({ votes }: Read, stimulus: string): Readonly<Record<string, string>> {
  const [, person = '', button = ''] = stimulus.split(' ');
  return { ...votes, [person]: button };
}

function readOf({ rev, state, votes, tries, stored, undoes, rounds }: World): Read {
  return { rev, state, votes, tries, stored, undoes, rounds };
}

function withProcess(world: World, index: 0 | 1, process: Process): World {
  const processes = index === 0 ? ([process, world.processes[1]] as const) : ([world.processes[0], process] as const);
  return { ...world, processes };
}
