import { expect, test } from 'vitest';
import {
  type Draft,
  emptyDraft,
  issueSection,
  mayTriggerItself,
  missingIn,
  readDraft,
  triggerWords,
  withEventType,
} from './automation-draft.ts';

const draft: Draft = {
  ...emptyDraft,
  identifier: 'a',
  trigger: { type: 'automation', event: { type: 'ENTITY_UPDATED', blueprintIdentifier: 'service' } },
};

test('what is no automation says why, and nothing the form would stumble over gets through', () => {
  const texts = [
    '{',
    '[]',
    '{}',
    JSON.stringify({ ...draft, trigger: { type: 'self-service' } }),
    JSON.stringify({ ...draft, trigger: { type: 'automation', event: { type: 'toString' } } }),
    JSON.stringify({ ...draft, trigger: { ...draft.trigger, condition: { expressions: [1] } } }),
    JSON.stringify({ ...draft, invocationMethod: null }),
  ];
  for (const text of texts) expect(readDraft(text), text).toHaveProperty('problem');
  expect(readDraft(JSON.stringify({ ...draft, more: 1 }))).toEqual({ draft: { ...draft, more: 1 } });
});

test('another kind of event keeps what still fits, and no more', () => {
  const timer = withEventType(draft.trigger.event, 'TIMER_PROPERTY_EXPIRED');
  expect(timer).toEqual({ type: 'TIMER_PROPERTY_EXPIRED', blueprintIdentifier: 'service', propertyIdentifier: '' });
  expect(withEventType(timer, 'RUN_CREATED')).toEqual({ type: 'RUN_CREATED', actionIdentifier: '' });
});

test('it is told in words, and what is missing too', () => {
  expect(triggerWords(draft.trigger)).toBe('When an entity of service is changed');
  expect(triggerWords({ ...draft.trigger, condition: { expressions: ['true'] } })).toContain('under a condition');
  expect(triggerWords(null)).toBe('');
  expect(missingIn(draft)).toContain('address');
  expect(missingIn(emptyDraft)).toContain('identifier');
});

test('an automation that writes what it waits for is warned of, unless it compares before and after', () => {
  const looping = { ...draft, invocationMethod: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'service' } } as const;
  expect(mayTriggerItself(looping)).toBe(true);
  expect(mayTriggerItself(draft)).toBe(false);
  const condition = { type: 'JQ', expressions: ['.diff.before.x != .diff.after.x'] } as const;
  expect(
    mayTriggerItself({
      ...looping,
      trigger: { ...draft.trigger, condition: { ...condition, expressions: [...condition.expressions] } },
    }),
  ).toBe(false);
});

test('an issue is shown where it is', () => {
  const section = (path: string) => issueSection({ path, message: '' });
  expect(section('/trigger/condition/expressions/0')).toBe('if');
  expect(section('/trigger/event/type')).toBe('when');
  expect(section('/invocationMethod/url')).toBe('then');
  expect(section('/identifier')).toBe('general');
});
