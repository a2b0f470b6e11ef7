import type { Phase, Result, RunStatus } from './workflow-run.ts';

/** The part of a run that decides which transitions it has. */
export interface RunState {
  readonly status: RunStatus;
  readonly result: Result | null;
  readonly cancel: 'graceful' | 'force' | null;
  /** What it ends as once its steps are compensated; null while it goes forward. */
  readonly endsAs: Result | null;
  /** The one node run at which it is. */
  readonly token: TokenState | null;
}

export interface TokenState {
  readonly id: string;
  readonly phase: Phase;
  readonly result: Result | null;
  readonly outlet: string | null;
}

export type Wait = 'report' | 'response' | 'time' | 'child';
interface Ended {
  readonly kind: 'ended';
  readonly result: 'SUCCESS' | 'FAILED';
  readonly outlet: string | null;
}
interface Waits {
  readonly kind: 'waits';
  readonly for: Wait;
}

/**
 * What follows an ended node: the end of the run, or a node with what became of it at once. A compensation is a node too;
 * a run that has begun to compensate has nothing else before its end.
 */
export type Next =
  | { readonly kind: 'end'; readonly result: 'SUCCESS' | 'FAILED' }
  | {
      readonly kind: 'node' | 'compensation';
      readonly id: string;
      readonly begins: { readonly kind: 'calls' } | Ended | Waits;
    };

export type Stimulus =
  | { readonly kind: 'advance'; readonly next: Next }
  /** The call of a node has ended, or was not made because the run is being cancelled. */
  | {
      readonly kind: 'settled';
      readonly nodeRun: string;
      readonly outcome:
        | Ended
        | Waits
        | { readonly kind: 'again' }
        | { readonly kind: 'gave-up' }
        | { readonly kind: 'not-called' };
    }
  | { readonly kind: 'reported'; readonly nodeRun: string; readonly result: Result | null }
  | {
      readonly kind: 'responded';
      readonly nodeRun: string;
      readonly verdict:
        | { readonly kind: 'counted' }
        | { readonly kind: 'impossible' }
        | { readonly kind: 'decided'; readonly outlet: string };
    }
  /** Child runs have ended: others go on, or the node is done with them. */
  | { readonly kind: 'children'; readonly nodeRun: string; readonly verdict: { readonly kind: 'counted' } | Ended }
  /** `outlet` is the way that an unanswered form takes; without one it fails. */
  | { readonly kind: 'due'; readonly nodeRun: string; readonly outlet: string | null }
  /** `owes`: something that the run did may have to be compensated before its end. */
  | { readonly kind: 'deadline'; readonly owes: boolean }
  /** Nothing takes it further: what carried it out failed until the last try. */
  | { readonly kind: 'stuck'; readonly owes: boolean }
  | { readonly kind: 'cancel'; readonly isForced: boolean; readonly owes: boolean }
  /** What a run failed to compensate is carried out again, after its end. */
  | { readonly kind: 'compensate-again' };

/** Every row of the table, by the name that the event of the transition has. */
export const rows = [
  'run.succeeded',
  'run.failed',
  'run.cancelled',
  'run.compensated',
  'node.called',
  'node.carried-out',
  'node.waits',
  'compensation.called',
  'compensation.carried-out',
  'compensation.waits',
  'compensation.again',
  'call.ended',
  'call.waits',
  'call.again',
  'call.gave-up',
  'call.not-made',
  'call.cancelled',
  'report.progress',
  'report.ended',
  'response.counted',
  'response.decided',
  'response.impossible',
  'children.counted',
  'children.ended',
  'due.time',
  'due.retry',
  'due.report',
  'due.response',
  'deadline.passed',
  'deadline.compensates',
  'stuck.ended',
  'stuck.compensates',
  'cancel.asked',
  'cancel.done',
  'cancel.compensates',
  'cancel.forced',
] as const;
export type Row = (typeof rows)[number];

export type Refusal = 'run-ended' | 'node-run-ended' | 'not-now';

export type Transition =
  | { readonly kind: 'refused'; readonly why: Refusal }
  | {
      readonly kind: 'taken';
      readonly row: Row;
      readonly state: RunState;
      /** The work that the commit of the transition has to leave behind. */
      readonly job: 'advance' | 'dispatch' | null;
    };

const phaseOfWait = {
  report: 'WAIT_REPORT',
  response: 'WAIT_RESPONSE',
  time: 'WAIT_TIME',
  child: 'WAIT_CHILD',
} as const;

/** The table of transitions, and nothing else: whoever commits one does so by compare-and-set on what it was asked with. */
export function transition(state: RunState, stimulus: Stimulus): Transition {
  if (stimulus.kind === 'compensate-again') return compensateAgain(state);
  if (state.status === 'COMPLETED') return refused('run-ended');
  switch (stimulus.kind) {
    case 'advance':
      return advance(state, stimulus.next);
    case 'cancel':
      return stimulus.isForced ? force(state) : cancel(state, stimulus.owes);
    case 'deadline':
      return cutOff(state, stimulus.owes, { ends: 'deadline.passed', compensates: 'deadline.compensates' });
    case 'stuck':
      return cutOff(state, stimulus.owes, { ends: 'stuck.ended', compensates: 'stuck.compensates' });
    default: {
      const { token } = state;
      if (token?.id !== stimulus.nodeRun || token.phase === 'ENDED') return refused('node-run-ended');
      return ofToken(state, token, stimulus);
    }
  }
}

function advance(state: RunState, next: Next): Transition {
  const { token } = state;
  if (token && token.phase !== 'ENDED') return refused('not-now');
  if (next.kind === 'compensation') {
    const endsAs = state.endsAs ?? (state.cancel === null ? 'FAILED' : 'CANCELLED');
    return enter({ ...state, endsAs }, next);
  }
  if (state.endsAs !== null) {
    if (next.kind !== 'end') return refused('not-now');
    return complete(state, 'run.compensated', state.endsAs === 'SUCCESS' ? next.result : state.endsAs);
  }
  if (state.cancel !== null) return complete(state, 'run.cancelled', 'CANCELLED');
  if (next.kind === 'end') {
    return complete(state, next.result === 'SUCCESS' ? 'run.succeeded' : 'run.failed', next.result);
  }
  return enter(state, next);
}

function enter(state: RunState, { kind, id, begins }: Exclude<Next, { kind: 'end' }>): Transition {
  const begun = { id, result: null, outlet: null };
  if (begins.kind === 'calls') return taken(state, { ...begun, phase: 'DISPATCHING' }, `${kind}.called`, 'dispatch');
  if (begins.kind === 'waits') return taken(state, { ...begun, phase: phaseOfWait[begins.for] }, `${kind}.waits`);
  return taken(state, end(begun, begins.result, begins.outlet), `${kind}.carried-out`, 'advance');
}

type TokenStimulus = Extract<Stimulus, { nodeRun: string }>;

function ofToken(state: RunState, token: TokenState, stimulus: TokenStimulus): Transition {
  switch (stimulus.kind) {
    case 'settled':
      return token.phase === 'DISPATCHING' ? settle(state, token, stimulus.outcome) : refused('not-now');
    case 'reported': {
      // the receiver may report before its own answer to the call is stored, and after a try that seemed to fail
      if (!['DISPATCHING', 'WAIT_REPORT', 'RETRY_AT'].includes(token.phase)) return refused('not-now');
      if (stimulus.result === null) return taken(state, token, 'report.progress');
      return taken(state, end(token, stimulus.result), 'report.ended', 'advance');
    }
    case 'responded': {
      if (token.phase !== 'WAIT_RESPONSE') return refused('not-now');
      const { verdict } = stimulus;
      if (verdict.kind === 'counted') return taken(state, token, 'response.counted');
      if (verdict.kind === 'impossible') return taken(state, end(token, 'FAILED'), 'response.impossible', 'advance');
      return taken(state, end(token, 'SUCCESS', verdict.outlet), 'response.decided', 'advance');
    }
    case 'children': {
      if (token.phase !== 'WAIT_CHILD') return refused('not-now');
      const { verdict } = stimulus;
      if (verdict.kind === 'counted') return taken(state, token, 'children.counted');
      return taken(state, end(token, verdict.result, verdict.outlet), 'children.ended', 'advance');
    }
    case 'due':
      return due(state, token, stimulus.outlet);
  }
}

function settle(
  state: RunState,
  token: TokenState,
  outcome: Extract<Stimulus, { kind: 'settled' }>['outcome'],
): Transition {
  if (outcome.kind === 'ended')
    return taken(state, end(token, outcome.result, outcome.outlet), 'call.ended', 'advance');
  if (outcome.kind === 'gave-up') return taken(state, end(token, 'FAILED'), 'call.gave-up', 'advance');
  if (outcome.kind === 'not-called') {
    if (!isStopping(state)) return refused('not-now');
    return taken(state, end(token, 'CANCELLED'), 'call.not-made', 'advance');
  }
  // nothing begins to wait in a run that is being cancelled
  if (isStopping(state)) return taken(state, end(token, 'CANCELLED'), 'call.cancelled', 'advance');
  if (outcome.kind === 'again') return taken(state, { ...token, phase: 'RETRY_AT' }, 'call.again');
  return taken(state, { ...token, phase: phaseOfWait[outcome.for] }, 'call.waits');
}

/** Whether nothing more begins in it; what it compensates does. */
function isStopping({ cancel, endsAs }: RunState): boolean {
  return cancel !== null && endsAs === null;
}

function due(state: RunState, token: TokenState, outlet: string | null): Transition {
  switch (token.phase) {
    case 'WAIT_TIME':
      return taken(state, end(token, 'SUCCESS'), 'due.time', 'advance');
    case 'RETRY_AT':
      return taken(state, { ...token, phase: 'DISPATCHING' }, 'due.retry', 'dispatch');
    case 'WAIT_REPORT':
      return taken(state, end(token, 'FAILED'), 'due.report', 'advance');
    case 'WAIT_RESPONSE':
      return taken(state, end(token, outlet === null ? 'FAILED' : 'SUCCESS', outlet), 'due.response', 'advance');
    default:
      return refused('not-now');
  }
}

/** Ends waits at once, and lets a call in flight finish. A run that compensates already is on its way to its end. */
function cancel(state: RunState, owes: boolean): Transition {
  if (state.cancel !== null || state.endsAs !== null) return refused('not-now');
  const asked: RunState = { ...state, cancel: 'graceful' };
  const { token } = asked;
  if (token?.phase === 'DISPATCHING') {
    return { kind: 'taken', row: 'cancel.asked', state: { ...asked, status: 'CANCELLING' }, job: null };
  }
  const stopped = token && token.phase !== 'ENDED' ? { ...asked, token: end(token, 'CANCELLED') } : asked;
  if (!owes) return complete(stopped, 'cancel.done', 'CANCELLED');
  const compensating = { ...stopped, status: 'CANCELLING', endsAs: 'CANCELLED' } as const;
  return { kind: 'taken', row: 'cancel.compensates', state: compensating, job: 'advance' };
}

/** What has not ended fails. A run that goes forward may still go back; one that goes back is cut off. */
function cutOff(state: RunState, owes: boolean, row: { readonly ends: Row; readonly compensates: Row }): Transition {
  const failed = failOpen(state);
  const { endsAs } = failed;
  if (endsAs === null && owes) {
    return { kind: 'taken', row: row.compensates, state: { ...failed, endsAs: 'FAILED' }, job: 'advance' };
  }
  return complete(failed, row.ends, endsAs === 'CANCELLED' ? endsAs : 'FAILED');
}

function force(state: RunState): Transition {
  return complete({ ...failOpen(state), cancel: 'force' }, 'cancel.forced', 'FAILED');
}

/** Goes back once more, from its end; not one that went forward to it, or was cut off by force. */
function compensateAgain(state: RunState): Transition {
  const { status, endsAs, cancel } = state;
  if (status !== 'COMPLETED' || endsAs === null || cancel === 'force') return refused('not-now');
  const goesBack = cancel === null ? 'IN_PROGRESS' : 'CANCELLING';
  return {
    kind: 'taken',
    row: 'compensation.again',
    state: { ...state, status: goesBack, result: null },
    job: 'advance',
  };
}

function failOpen(state: RunState): RunState {
  const { token } = state;
  return token && token.phase !== 'ENDED' ? { ...state, token: end(token, 'FAILED') } : state;
}

function end(token: Omit<TokenState, 'phase'>, result: Result, outlet: string | null = null): TokenState {
  return { id: token.id, phase: 'ENDED', result, outlet };
}

function complete(state: RunState, row: Row, result: Result): Transition {
  return { kind: 'taken', row, state: { ...state, status: 'COMPLETED', result }, job: null };
}

function taken(state: RunState, token: TokenState, row: Row, job: 'advance' | 'dispatch' | null = null): Transition {
  return { kind: 'taken', row, state: { ...state, token }, job };
}

function refused(why: Refusal): Transition {
  return { kind: 'refused', why };
}
