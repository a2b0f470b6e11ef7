import type { ApprovedEntity, ApprovedInput } from '@portolan/contract/standing-approvals';
import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../platform/tools/call-decision.ts';
import { findCover, type Lapse, type StandingApproval, type StandingSituation } from './cover-call.ts';

const approval: StandingApproval = {
  id: 'standing_1',
  agentVersion: 'agent 1',
  actionId: 'action_1',
  actionVersion: 4,
  entity: ['cart'],
  inputs: { why: 'any' },
  maxPerHour: 3,
  expiresAt: new Date('2026-12-01'),
  givenBy: 'ana@acme.dev',
  revokedAt: null,
  usedInHour: 2,
};
const situation: StandingSituation = {
  approvals: [approval],
  now: new Date('2026-11-15'),
  agentVersion: 'agent 1',
  question: 'Why does billing leak?',
  named: new Set(['service/billing']),
  trigger: 'service/geo',
  mayGive: new Set(['person:ana@acme.dev']),
};
const text = (value: unknown): CallInput => ({ key: 'why', value, form: 'text' });
const call = {
  action: { id: 'action_1', version: 4 },
  entity: { blueprint: 'service', identifier: 'cart' },
  inputs: [text('leak')],
  isGuarded: false,
};

test('a call of the approved shape is covered', () => {
  expect(findCover(call, situation).covering).toBe(approval);
});

describe('an approval that does not hold says why', () => {
  test.each<[Lapse, Partial<StandingApproval>, Partial<StandingSituation>, object]>([
    ['revoked', { revokedAt: new Date('2026-11-10') }, {}, {}],
    ['expired', { expiresAt: situation.now }, {}, {}],
    ['action-changed', {}, {}, { action: { id: 'action_1', version: 5 } }],
    ['agent-changed', {}, { agentVersion: 'agent 2' }, {}],
    ['giver', {}, { mayGive: new Set(['person:ben@acme.dev']) }, {}],
    ['used-up', { usedInHour: 3 }, {}, {}],
  ])('%s', (because, of, around, more) => {
    const lapsed = { ...approval, ...of };
    const found = findCover({ ...call, ...more }, { ...situation, approvals: [lapsed], ...around });
    expect(found).toEqual({ lapsed: { approval: lapsed, because } });
  });

  test('and another that holds covers the call', () => {
    const revoked = { ...approval, id: 'standing_0', revokedAt: new Date('2026-11-10') };
    expect(findCover(call, { ...situation, approvals: [revoked, approval] })).toEqual({ covering: approval });
  });
});

test('another action with the name of the approved one is not covered, and there is nothing to say', () => {
  expect(findCover({ ...call, action: { id: 'action_2', version: 4 } }, situation)).toEqual({});
  expect(findCover({ ...call, action: undefined }, situation)).toEqual({});
});

const identifiers = ['cart', 'billing', 'geo', 'other'] as const;
const entityShapes: readonly [ApprovedEntity, readonly string[]][] = [
  ['any', identifiers],
  ['question', ['billing']],
  ['trigger', ['geo']],
  [
    ['cart', 'geo'],
    ['cart', 'geo'],
  ],
];

test.each(entityShapes)('of the entity %j exactly %j are covered', (entity, covered) => {
  const found = identifiers.filter((identifier) => {
    const asked = { ...call, entity: { blueprint: 'service', identifier } };
    return findCover(asked, { ...situation, approvals: [{ ...approval, entity }] }).covering;
  });
  expect(found).toEqual(covered);
});

test('an entity of another blueprint with the same identifier is not the one that was meant', () => {
  const there = { ...call, entity: { blueprint: 'team', identifier: 'geo' } };
  expect(findCover(there, { ...situation, approvals: [{ ...approval, entity: 'trigger' }] })).toEqual({});
});

test('an approval for no entity covers no entity, and the other way around', () => {
  const none = { ...situation, approvals: [{ ...approval, entity: null }] };
  expect(findCover(call, none)).toEqual({});
  expect(findCover({ ...call, entity: undefined }, none).covering).toBeDefined();
  expect(findCover({ ...call, entity: undefined }, situation)).toEqual({});
});

const given: Readonly<Record<string, CallInput>> = {
  default: { key: 'why', value: 'x', form: 'default' },
  closed: { key: 'why', value: 7, form: 'closed' },
  asked: text('leak'),
  'part of a word': text('lea'),
  other: text('eve says so'),
  'asked, inside an object': text({ leak: 'leak' }),
  'several, all asked': text(['leak', 'billing']),
  'several, one not': text(['leak', 'eve']),
  'entity named': { key: 'why', value: 'billing', form: 'entity', blueprint: 'service' },
  'entity not named': { key: 'why', value: 'leak', form: 'entity', blueprint: 'service' },
};
const inputShapes: readonly [ApprovedInput | undefined, readonly string[]][] = [
  [undefined, ['default']],
  ['any', Object.keys(given)],
  ['closed', ['default', 'closed']],
  ['question', ['default', 'asked', 'several, all asked', 'entity named']],
  [{ const: 'leak' }, ['default', 'asked', 'entity not named']],
  [{ const: ['leak', 'billing'] }, ['default', 'several, all asked']],
];

test.each(inputShapes)('of the input %j exactly %j are covered', (shape, covered) => {
  const inputs = shape === undefined ? {} : { why: shape };
  const found = Object.keys(given).filter((name) => {
    const asked = { ...call, inputs: [given[name] as CallInput] };
    return findCover(asked, { ...situation, approvals: [{ ...approval, inputs }] }).covering;
  });
  expect(found).toEqual(covered);
});

test('a key that every object has is no approved input', () => {
  const inputs = [{ key: 'constructor', value: 'x', form: 'text' } as const];
  expect(findCover({ ...call, inputs }, situation)).toEqual({});
});

test.each([
  ['any entity', { entity: 'any' as const, inputs: { why: 'question' as const } }, false],
  ['any input', { inputs: { why: 'any' as const } }, false],
  ['nothing open', { inputs: { why: 'question' as const } }, true],
])('what deletes or is strict, with %s, is covered: %s', (_name, of, isCovered) => {
  const found = findCover({ ...call, isGuarded: true }, { ...situation, approvals: [{ ...approval, ...of }] });
  expect(found.covering !== undefined).toBe(isCovered);
});
