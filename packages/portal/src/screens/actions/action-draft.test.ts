import { expect, test } from 'vitest';
import {
  copyDraft,
  type Draft,
  emptyDraft,
  formOnly,
  issueTab,
  missingIn,
  readDraft,
  withOperation,
} from './action-draft.ts';

const withInputs = (userInputs: unknown) =>
  JSON.stringify({ ...emptyDraft, trigger: { ...emptyDraft.trigger, userInputs } });

test('what is no action says why, and nothing the form would stumble over gets through', () => {
  const texts = [
    '{',
    '[]',
    '{}',
    JSON.stringify({ ...emptyDraft, trigger: { type: 'automation', event: {} } }),
    JSON.stringify({ ...emptyDraft, trigger: { ...emptyDraft.trigger, operation: 'toString' } }),
    JSON.stringify({ ...emptyDraft, invocationMethod: null }),
    withInputs(null),
    withInputs({ properties: { a: null } }),
    withInputs({ properties: { a: {} } }),
    withInputs({ properties: { a: { type: 'string', dependsOn: [1] } } }),
    withInputs({ properties: {}, order: 'a' }),
    withInputs({ properties: {}, steps: [{ title: 'A', order: 'a' }] }),
    withInputs({ properties: {}, titles: { a: 1 } }),
    withInputs({ properties: {}, required: 'a' }),
  ];
  for (const text of texts) expect(readDraft(text), text).toHaveProperty('problem');
  expect(readDraft(JSON.stringify({ ...emptyDraft, more: 1 }))).toEqual({ draft: { ...emptyDraft, more: 1 } });
  expect(readDraft(withInputs({ properties: {}, steps: null, required: { jqQuery: '[]' } }))).toHaveProperty('draft');
});

test('what is missing is told, and an issue is shown where it is', () => {
  expect(missingIn(emptyDraft)).toContain('identifier');
  const draft: Draft = { ...emptyDraft, identifier: 'a' };
  expect(missingIn(draft)).toContain('blueprint');
  expect(missingIn({ ...draft, invocationMethod: { type: 'KAFKA' } })).toBeUndefined();
  const tab = (path: string) => issueTab({ path, message: '' });
  expect(tab('/trigger/userInputs/order/0')).toBe('form');
  expect(tab('/trigger/condition/rules/0')).toBe('basics');
  expect(tab('/invocationMethod/url')).toBe('backend');
  expect(tab('approvalNotification.url')).toBe('approval');
  expect(tab('/execute/policy/conditions')).toBe('rights');
  expect(tab('/identifier')).toBe('basics');
});

test('what creates has no condition; a copy has a name of its own', () => {
  const condition = { type: 'SEARCH' as const, combinator: 'and' as const, rules: [] };
  const acting = { ...withOperation(emptyDraft.trigger, 'DAY-2'), condition } as Draft['trigger'];
  expect(withOperation(acting, 'DELETE')).toHaveProperty('condition');
  expect(withOperation(acting, 'CREATE')).not.toHaveProperty('condition');
  expect(copyDraft({ ...emptyDraft, identifier: 'a', title: 'A' })).toMatchObject({
    identifier: 'a_copy',
    title: 'Copy of A',
  });
  expect(formOnly(emptyDraft)).toMatchObject({ identifier: 'not_saved_yet', invocationMethod: { type: 'KAFKA' } });
});
