import { expect, test } from 'vitest';
import {
  copyDraft,
  type Draft,
  emptyDraft,
  formOnly,
  issueTab,
  missingIn,
  readDraft,
  withBlueprint,
  withOperation,
} from './action-draft.ts';
import { askForFields, blueprintToAskFor } from './fields-as-inputs.ts';

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
  expect(missingIn(emptyDraft)).toContain('title');
  expect(missingIn({ ...emptyDraft, title: 'Ä' })).toContain('identifier');
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

test('a backend that writes entities follows the blueprint until another is chosen', () => {
  const chosen = withBlueprint(emptyDraft, 'service');
  expect(chosen.trigger.blueprintIdentifier).toBe('service');
  expect(chosen.invocationMethod['blueprintIdentifier']).toBe('service');
  const other: Draft = { ...chosen, invocationMethod: { ...chosen.invocationMethod, blueprintIdentifier: 'log' } };
  expect(withBlueprint(other, 'api').invocationMethod['blueprintIdentifier']).toBe('log');
  expect(withBlueprint(chosen, '').trigger).not.toHaveProperty('blueprintIdentifier');
});

test('a form asks for the simple fields of the blueprint that is written, and the backend writes them', () => {
  expect(blueprintToAskFor(emptyDraft)).toBeUndefined();
  const draft = withBlueprint(emptyDraft, 'service');
  expect(blueprintToAskFor(draft)).toBe('service');
  const made = askForFields(draft, {
    schema: {
      properties: {
        tier: { type: 'string', title: 'Tier', enum: ['gold'] },
        'on-call': { type: 'string', format: 'user' },
        spec: { type: 'object' },
        title: { type: 'string' },
      },
      required: ['tier', 'spec'],
    },
  });
  expect(made.trigger.userInputs).toMatchObject({
    properties: { tier: { type: 'string', title: 'Tier', enum: ['gold'] }, 'on-call': { format: 'user' } },
    required: ['title', 'identifier', 'tier'],
    order: ['title', 'identifier', 'tier', 'on-call'],
  });
  expect(made.invocationMethod['mapping']).toEqual({
    identifier: '{{ .inputs.identifier }}',
    title: '{{ .inputs.title }}',
    properties: { tier: '{{ .inputs.tier }}', 'on-call': '{{ .inputs["on-call"] }}' },
  });
});
