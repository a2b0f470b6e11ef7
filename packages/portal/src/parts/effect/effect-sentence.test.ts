import { expect, test } from 'vitest';
import { approveVerb, type Effect, effectSentence } from './effect-sentence.ts';

const service = { identifier: 'service', title: 'Service' };
const effect = (given: Partial<Effect>): Effect => ({
  certainty: 'exact',
  summary: { verb: 'delete', count: 1 },
  changes: [{ blueprint: service, identifier: 'edi', title: 'EDI Bridge', fields: [] }],
  dependents: [],
  referencedBy: [],
  isPartial: false,
  isReversible: false,
  problems: [],
  ...given,
});
const results = { blueprint: { identifier: '_rule_result', title: 'Rule result' }, count: 10_000, sample: [] };

test('a deletion names the entity, what goes along, and that it is final', () => {
  expect(effectSentence(effect({}))).toBe('This will delete the service EDI Bridge. This cannot be undone.');
  const along = [{ blueprint: service, count: 1, sample: [] }, results];
  expect(effectSentence(effect({ dependents: along }))).toBe(
    'This will delete the service EDI Bridge and 1 of type Service and 10,000 of type Rule result. This cannot be undone.',
  );
  expect(effectSentence(effect({ isPartial: true }))).toContain(', and more that you may not see.');
  expect(effectSentence(effect({ isPartial: true, changes: [] }))).toBe(
    'This will delete something you may not see. This cannot be undone.',
  );
});

test('a change counts its values, and one that changes nothing says so', () => {
  const field = { key: 'tier', title: 'Tier', before: 'A', after: 'B' };
  const changes = [{ blueprint: service, identifier: 'edi', title: null, fields: [field] }];
  const change = effect({ summary: { verb: 'change', count: 1 }, changes });
  expect(effectSentence(change)).toBe('This will change 1 value of the service edi.');
  expect(effectSentence(effect({ summary: { verb: 'nothing', count: 0 } }))).toBe(
    'This will change nothing: everything is already as requested.',
  );
});

test('what Portolan does not know is never told as a fact', () => {
  const call = { verb: 'call', count: 1 } as const;
  const unknown = effect({ certainty: 'unknown', summary: call, target: 'ci.example.com', changes: [] });
  expect(effectSentence(unknown)).toBe(
    'This will send a request to ci.example.com. Portolan cannot see what that changes.',
  );
  expect(approveVerb(unknown, false)).toBe('Approve');
  expect(effectSentence(effect({ certainty: 'declared', summary: call, target: 'Invite a user', changes: [] }))).toBe(
    'This will call an operation of Portolan: Invite a user.',
  );
});

test('the button names the deed only where it is certain', () => {
  expect(approveVerb(effect({}), false)).toBe('Approve deletion');
  expect(approveVerb(effect({ summary: { verb: 'create', count: 1 } }), true)).toBe('Approve creation');
  expect([approveVerb(undefined, true), approveVerb(undefined, false)]).toEqual(['Approve and run', 'Approve']);
});
