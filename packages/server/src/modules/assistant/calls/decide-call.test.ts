import { expect, test } from 'vitest';
import { type CallToDecide, decideCall } from './decide-call.ts';

const caller = 'person:mia';
const hook = 'source:webhook/7/alerts';
const reads: CallToDecide = {
  mode: 'Automatic',
  kind: 'action',
  names: ['restart'],
  isDestructive: false,
  inputs: [],
  risk: 'standard',
  label: ['outside', caller],
  caller,
  areNotesShown: false,
  asking: [{ text: 'What is slow?', namedAlone: new Set() }],
  mayMake: new Set([caller]),
  agentEditors: new Set(),
  isRepeated: false,
  isDataShown: true,
  trusted: new Set(),
  vouching: ['What is slow?'],
  ownAnswers: [],
};
const lookup = { kind: 'lookup', inputs: [{ key: 'text', value: 'secret', form: 'text' }] } as const;
const slow = { kind: 'lookup', inputs: [{ key: 'text', value: 'slow', form: 'text' }] } as const;
const asks = { asking: [{ text: 'Restart it', namedAlone: new Set<string>() }] };
const onlyCaller = { label: [caller, 'platform'] };

/** One row for each line of the rule, and those that show which line comes first. */
test.each<[string, Partial<CallToDecide>, string, string]>([
  ['another mode', { mode: 'Manual Approval', ...asks, ...onlyCaller }, 'draft', 'manual'],
  ['a word that is nearly the mode', { mode: 'automatic', ...asks }, 'draft', 'manual'],
  ['an action that never runs by itself', { risk: 'never', ...asks, ...onlyCaller }, 'draft', 'never'],
  ['an existing rule', { hold: 'its address is open', ...asks, ...onlyCaller }, 'draft', 'held'],
  ['asked for, after text from outside', asks, 'execute', 'asked-for'],
  ['asked for, a second time', { ...asks, isRepeated: true }, 'draft', 'read'],
  ['asked for, destructive', { ...asks, isDestructive: true }, 'execute', 'asked-for'],
  ['asked for, of another server', { ...asks, kind: 'connected' }, 'execute', 'asked-for'],
  ['an action without harm', { risk: 'open' }, 'execute', 'open'],
  ['a destructive action without harm', { risk: 'open', isDestructive: true }, 'execute', 'open'],
  ['destructive, nothing read', { isDestructive: true, ...onlyCaller }, 'draft', 'strict'],
  ['strict, nothing read', { risk: 'strict', ...onlyCaller }, 'draft', 'strict'],
  ['of another server, nothing read', { kind: 'connected', ...onlyCaller }, 'refuse', 'strict'],
  [
    'authors who may',
    { label: [caller, 'person:ben'], mayMake: new Set([caller, 'person:ben']) },
    'execute',
    'authority',
  ],
  ['an author who may not', { label: [caller, 'person:eve'] }, 'draft', 'read'],
  ['a trusted source', { label: [caller, hook], trusted: new Set([hook]) }, 'execute', 'authority'],
  [
    'a trusted source, and an approval is needed',
    { label: [caller, hook], trusted: new Set([hook]), mayMake: new Set() },
    'execute',
    'nothing-read',
  ],
  ['a source that is not trusted any more', { label: [caller, hook] }, 'draft', 'read'],
  [
    'a trusted source, destructive',
    { label: [hook], trusted: new Set([hook]), isDestructive: true },
    'draft',
    'strict',
  ],
  ['outside beside a trusted source', { label: ['outside', hook], trusted: new Set([hook]) }, 'draft', 'read'],
  ['outside, whatever is trusted', { label: ['outside', caller], trusted: new Set(['outside']) }, 'draft', 'read'],
  ['outside, whatever it may', { mayMake: new Set([caller, 'outside']) }, 'draft', 'read'],
  ['anybody, whatever it may', { label: ['*'], mayMake: new Set(['*']) }, 'draft', 'read'],
  ['nothing read, and an approval is needed', { ...onlyCaller, mayMake: new Set() }, 'execute', 'nothing-read'],
  [
    "the agent's editor, and an approval is needed",
    { label: ['person:ed', caller], mayMake: new Set(), agentEditors: new Set(['person:ed']) },
    'execute',
    'nothing-read',
  ],
  ['authors who may, after notes of the caller', { ...onlyCaller, areNotesShown: true }, 'draft', 'notes'],
  ['asked for, after notes of the caller', { ...asks, areNotesShown: true }, 'execute', 'asked-for'],
  ['without harm, after notes of the caller', { risk: 'open', areNotesShown: true }, 'execute', 'open'],
  ['strict, after notes of the caller', { ...onlyCaller, risk: 'strict', areNotesShown: true }, 'draft', 'strict'],
  ['a lookup that takes along what was read', lookup, 'refuse', 'egress'],
  ['the same in another mode', { ...lookup, mode: 'Manual Approval' }, 'refuse', 'egress'],
  ['the same, and everyone whose text was read may', { ...lookup, ...onlyCaller }, 'refuse', 'egress'],
  ['the same, and nothing was shown', { ...lookup, isDataShown: false }, 'execute', 'nothing-read'],
  ['the same to a server that may have everything', { ...lookup, risk: 'open' }, 'execute', 'open'],
  ['the same, strict, and nothing was shown', { ...lookup, risk: 'strict', isDataShown: false }, 'refuse', 'egress'],
  ['a lookup in words of the question', slow, 'execute', 'vouched'],
  ['the same in another mode, as reading always was', { ...slow, mode: 'Manual Approval' }, 'execute', 'vouched'],
  ['a lookup that is never made', { ...slow, risk: 'never' }, 'refuse', 'never'],
  ["an agent's editor without the right", { label: ['person:ed', caller] }, 'draft', 'read'],
])('%s', (_what, more, result, rule) => {
  expect(decideCall({ ...reads, ...more })).toMatchObject({ result, rule });
});

test('the authors who stand in the way are named', () => {
  expect(decideCall({ ...reads, label: [caller, 'outside', 'person:eve'] }).blockedBy).toEqual([
    'outside',
    'person:eve',
  ]);
});
