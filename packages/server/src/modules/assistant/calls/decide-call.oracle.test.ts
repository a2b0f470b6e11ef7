import { describe, expect, test } from 'vitest';
import type { ActionRisk } from '../../../platform/tools/call-decision.ts';
import type { StandingApproval } from '../standing/cover-call.ts';
import { type CallToDecide, decideCall } from './decide-call.ts';

/**
 * The rule once more, as a statement about what is true of a call instead of an order of lines, and compared over all
 * states of a small world: three authors, three actions, three inputs.
 */
interface State {
  readonly mode: 'Automatic' | 'Manual Approval';
  readonly action: 'standard' | 'delete' | 'connected' | 'workflow' | 'workflow that deletes';
  readonly risk: ActionRisk;
  readonly isHeld: boolean;
  /** How the question relates to the call. */
  readonly question: 'silent' | 'orders' | 'orders-without-input' | 'forbids';
  readonly input: 'default' | 'closed' | 'free';
  readonly label: readonly string[];
  /** Authors beside the caller with the right to run it; an approval takes it from everyone. */
  readonly right: 'nobody' | 'ben' | 'ben-with-approval';
  readonly isAgentEditor: boolean;
  readonly isRepeated: boolean;
  /** What a person let the agent do by itself: this very input, any input, another one, or this one until it was revoked. */
  readonly standing: 'none' | 'this' | 'any' | 'another' | 'revoked';
}

const caller = 'person:mia';
const ben = 'person:ben';
/** Stands in a label where notes of the caller were shown. */
const notes = 'notes';
const hook = 'source:webhook/7/alerts';
const formerHook = 'source:webhook/6/alerts';

function* states(): Generator<State> {
  const labels = powerSet([caller, ben, 'outside']);
  for (const mode of ['Automatic', 'Manual Approval'] as const)
    for (const action of ['standard', 'delete', 'connected', 'workflow', 'workflow that deletes'] as const)
      for (const risk of ['open', 'standard', 'strict', 'never'] as const)
        for (const isHeld of [false, true])
          for (const question of ['silent', 'orders', 'orders-without-input', 'forbids'] as const)
            for (const input of ['default', 'closed', 'free'] as const)
              for (const label of [
                ...labels,
                [caller, 'platform'],
                [caller, notes],
                [caller, '*'],
                [caller, hook],
                [caller, formerHook],
              ])
                for (const right of ['nobody', 'ben', 'ben-with-approval'] as const)
                  for (const isAgentEditor of [false, true])
                    for (const isRepeated of [false, true])
                      for (const standing of ['none', 'this', 'any', 'another', 'revoked'] as const)
                        yield {
                          mode,
                          action,
                          risk,
                          isHeld,
                          question,
                          input,
                          label,
                          right,
                          isAgentEditor,
                          isRepeated,
                          standing,
                        };
}

function powerSet(items: readonly string[]): string[][] {
  const sets: string[][] = [[]];
  for (const item of items) sets.push(...sets.map((set) => set.concat(item)));
  return sets;
}

/** What the state says about each condition of the rule. */
function truths(state: State) {
  const { mode, action, risk, question, input, label, right } = state;
  const isGuarded = !['standard', 'workflow'].includes(action) || risk === 'strict';
  const isInputVouched =
    input === 'default' || (input === 'closed' ? !isGuarded || question === 'orders' : question === 'orders');
  const isOrdered = question === 'orders' || question === 'orders-without-input';
  const may = (author: string): boolean => {
    if (author === 'platform' || author === hook) return true;
    if (author === caller) return right !== 'ben-with-approval';
    return author === ben && right === 'ben';
  };
  const isHere = (author: string): boolean =>
    author === 'platform' ||
    author === hook ||
    author === caller ||
    (author === ben && state.isAgentEditor && right !== 'nobody');
  return {
    isAutomatic: mode === 'Automatic',
    isForbidden: risk === 'never',
    // what its giver left open is closed for what deletes or is strict, and defaults need nobody's word
    isStanding:
      action !== 'connected' &&
      (state.standing === 'this' ||
        (state.standing === 'any' && !isGuarded) ||
        (state.standing === 'another' && input === 'default')),
    isHeld: state.isHeld,
    isAskedFor: isOrdered && isInputVouched && !state.isRepeated,
    isHarmless: risk === 'open',
    isGuarded,
    isWithinAuthority: label.every(may),
    isNothingRead: label.every(isHere),
  };
}

/** Section 4.4: an executed call was approved beforehand, asked for, harmless, or unguarded with authors who would gain nothing by it. */
function mayExecute(state: State): boolean {
  const is = truths(state);
  const isAllowed = is.isAutomatic && !is.isForbidden && !is.isHeld;
  const isReason =
    is.isStanding || is.isAskedFor || is.isHarmless || (!is.isGuarded && (is.isWithinAuthority || is.isNothingRead));
  return isAllowed && isReason;
}

const texts = {
  silent: 'What is slow?',
  orders: 'Wipe because of 7 leaks',
  'orders-without-input': 'Wipe it',
  forbids: 'Do not wipe because of 7 leaks',
};
const inputs = {
  default: { key: 'why', value: 'routine', form: 'default' },
  closed: { key: 'why', value: 7, form: 'closed' },
  free: { key: 'why', value: 'leaks', form: 'text' },
} as const;

const approval: StandingApproval = {
  id: 'standing_1',
  agentVersion: 'agent 1',
  actionId: 'action_1',
  actionVersion: 1,
  entity: null,
  inputs: {},
  maxPerHour: 3,
  expiresAt: new Date('2026-12-01'),
  givenBy: 'ana',
  revokedAt: null,
  usedInHour: 0,
};

function listStanding({ standing, input }: State): StandingApproval[] {
  const now = { const: inputs[input].value };
  switch (standing) {
    case 'none':
      return [];
    case 'this':
      return [{ ...approval, inputs: { why: now } }];
    case 'any':
      return [{ ...approval, inputs: { why: 'any' } }];
    case 'another':
      return [{ ...approval, inputs: { why: { const: 'another' } } }];
    case 'revoked':
      return [{ ...approval, inputs: { why: now }, revokedAt: new Date('2026-11-01') }];
  }
}

const kinds = {
  standard: 'action',
  delete: 'action',
  connected: 'connected',
  workflow: 'workflow',
  'workflow that deletes': 'workflow',
} as const;

function toCall(state: State): CallToDecide {
  const { right, isAgentEditor } = state;
  const mayMake = right === 'nobody' ? [caller] : right === 'ben' ? [caller, ben] : [];
  return {
    mode: state.mode,
    kind: kinds[state.action],
    names: ['wipe'],
    isDestructive: state.action === 'delete' || state.action === 'workflow that deletes',
    risk: state.risk,
    hold: state.isHeld ? 'its address is open' : undefined,
    inputs: [inputs[state.input]],
    label: state.label.filter((author) => author !== notes),
    areNotesShown: state.label.includes(notes),
    caller,
    asking: [{ text: texts[state.question], namedAlone: new Set() }],
    // the sets hold what the rule has to leave out by itself
    mayMake: new Set([...mayMake, 'outside', '*']),
    agentEditors: new Set(isAgentEditor && right !== 'nobody' ? [ben] : []),
    isRepeated: state.isRepeated,
    action: { id: 'action_1', version: 1 },
    standing: {
      approvals: listStanding(state),
      now: new Date('2026-11-15'),
      agentVersion: 'agent 1',
      question: texts[state.question],
      named: new Set(),
      mayGive: new Set(['person:ana']),
    },
    trusted: new Set([hook, 'outside', '*']),
    // decides over lookups alone
    isDataShown: true,
    vouching: [],
    ownAnswers: [],
  };
}

const all = [...states()];
const decided = all.map((state) => ({ state, ...decideCall(toCall(state)) }));

describe(`over all ${all.length} states`, () => {
  test('a call is executed exactly where the statement allows it', () => {
    const wrong = decided.filter(({ state, result }) => (result === 'execute') !== mayExecute(state));
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('what is not executed is a draft, or refused where there are none', () => {
    const others = decided.map(({ state, result }) => [state.action, result] as const);
    const found = new Set(others.filter(([, result]) => result !== 'execute').map((pair) => pair.join(' ')));
    expect([...found].sort()).toEqual([
      'connected refuse',
      'delete draft',
      'standard draft',
      'workflow draft',
      'workflow that deletes draft',
    ]);
  });

  test('a start of a workflow is decided as an action of its kind is', () => {
    const wrong = decided.filter(({ state, result, rule }) => {
      if (state.action !== 'workflow' && state.action !== 'workflow that deletes') return false;
      const of = decideCall(toCall({ ...state, action: state.action === 'workflow' ? 'standard' : 'delete' }));
      return of.result !== result || of.rule !== rule;
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('the named reason held, and a guarded action never ran for want of readers', () => {
    const reasons = {
      standing: 'isStanding',
      'asked-for': 'isAskedFor',
      open: 'isHarmless',
      authority: 'isWithinAuthority',
      'nothing-read': 'isNothingRead',
      strict: 'isGuarded',
      never: 'isForbidden',
      held: 'isHeld',
    } as const;
    const wrong = decided.filter(({ state, rule }) => {
      const is = truths(state);
      if (rule === 'manual') return is.isAutomatic;
      if (rule === 'notes') return !state.label.includes(notes) || is.isGuarded || is.isAskedFor || is.isStanding;
      if (rule === 'read') return is.isWithinAuthority || is.isNothingRead || is.isAskedFor || is.isStanding;
      const isUnguardedRule = rule === 'authority' || rule === 'nothing-read';
      return !is[reasons[rule as keyof typeof reasons]] || (isUnguardedRule && is.isGuarded);
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('every line of the rule decides something', () => {
    const rules = new Set(decided.map(({ rule }) => rule));
    expect([...rules].sort()).toEqual(
      [
        'asked-for',
        'authority',
        'held',
        'manual',
        'never',
        'notes',
        'nothing-read',
        'open',
        'read',
        'standing',
        'strict',
      ].sort(),
    );
  });
});

/** Calls that read on another server: what may leave, over all pairs of arguments. */
const values = {
  closed: { value: 7, form: 'closed' },
  asked: { value: 'leaks', form: 'text' },
  'looked at': { value: 'cart', form: 'text' },
  'from there': { value: 'T-1', form: 'text' },
  secret: { value: 'k77', form: 'text' },
  'in an error': { value: 'k78', form: 'text' },
} as const;
type Kind = keyof typeof values;

interface Lookup {
  readonly mode: string;
  readonly risk: ActionRisk;
  readonly isDataShown: boolean;
  readonly label: readonly string[];
  readonly kinds: readonly [Kind, Kind];
}

function* lookups(): Generator<Lookup> {
  const kinds = Object.keys(values) as Kind[];
  for (const mode of ['Automatic', 'Manual Approval'])
    for (const risk of ['open', 'standard', 'strict', 'never'] as const)
      for (const isDataShown of [false, true])
        for (const label of [[caller], [caller, 'outside'], ['*']])
          for (const one of kinds)
            for (const other of kinds) yield { mode, risk, isDataShown, label, kinds: [one, other] };
}

/** Section 4.5: neither the mode nor the authors of what was read count, but what the arguments are. */
function mayLeave({ risk, isDataShown, kinds }: Lookup): boolean {
  if (risk === 'never' || risk === 'open') return risk === 'open';
  const isHarmless = (kind: Kind): boolean =>
    ['asked', 'looked at', 'from there'].includes(kind) || (kind === 'closed' && risk === 'standard');
  return kinds.every(isHarmless) || (risk === 'standard' && !isDataShown);
}

test('a call that reads elsewhere takes along only what is known there, or what was asked for', () => {
  const base = toCall({ ...(all[0] as State), input: 'free' });
  const every = [...lookups()];
  const decide = ({ kinds, ...state }: Lookup) =>
    decideCall({
      ...base,
      ...state,
      kind: 'lookup',
      inputs: kinds.map((kind, index) => ({ key: `${index}`, ...values[kind] })),
      vouching: ['What leaks?', 'You look for leaks'],
      lookedAt: 'cart',
      ownAnswers: ['T-1 is open'],
    });
  const wrong = every.filter((state) => (decide(state).result === 'execute') !== mayLeave(state));
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(new Set(every.map((state) => decide(state).result))).toEqual(new Set(['execute', 'refuse']));
});
