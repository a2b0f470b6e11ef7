import { describe, expect, test } from 'vitest';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { isDestructive } from './form-facts.ts';
import { openAddressIn } from './open-addresses.ts';

const trigger = {
  identifier: 'form',
  config: {
    type: 'SELF_SERVE_TRIGGER',
    userInputs: { properties: { name: { type: 'string' }, targets: { type: 'array' } } },
  },
} as WorkflowNode;

const inside = (config: object) => ({
  nodes: [
    { identifier: 'item', config: { type: 'ITEM_TRIGGER' } },
    { identifier: 'inner', config },
  ],
  connections: [],
});
const ways: Readonly<Record<string, (config: object) => object>> = {
  'a step': (config) => config,
  'a step for each item': (config) => ({ type: 'MAP', items: '{{ .outputs.trigger.targets }}', body: inside(config) }),
  'a step of a branch': (config) => ({ type: 'PARALLEL', branches: { one: inside(config) } }),
  'a step of a round, for each item': (config) => ({
    type: 'REPEAT',
    until: 'true',
    body: inside({ type: 'MAP', items: [], body: inside(config) }),
  }),
};

const workflow = (config: object) =>
  ({ definition: { nodes: [trigger, { identifier: 'step', config }], connections: [] } }) as unknown as StoredWorkflow;

describe.each(Object.entries(ways))('%s', (_name, placed) => {
  test.each([
    ['deletes', { type: 'DELETE_ENTITY' }],
    ['runs an action', { type: 'RUN_ACTION', actionIdentifier: 'wipe' }],
    ['runs another workflow', { type: 'RUN_WORKFLOW', workflowIdentifier: 'wipe' }],
    ['runs another workflow for each item', { type: 'MAP', items: [], workflowIdentifier: 'wipe' }],
  ])('that %s makes a call of the workflow a dangerous one', (_what, config) => {
    expect(isDestructive(workflow(placed(config)), trigger)).toBe(true);
  });

  test('that only writes does not', () => {
    expect(isDestructive(workflow(placed({ type: 'UPSERT_ENTITY' })), trigger)).toBe(false);
  });

  const given = { name: 'https://evil.example.com', targets: ['evil.example.com'] };
  const from = '{{ .outputs.trigger.name }}{{ .outputs.trigger.item }}';
  test.each([
    ['calls', { type: 'WEBHOOK', url: `https://${from}/hook` }],
    ['calls a path', { type: 'WEBHOOK', url: `https://example.com/?to=${from}` }],
    ['tells a webhook', { type: 'NOTIFY', target: 'webhook', to: `https://${from}/hook` }],
    ['tells Slack', { type: 'NOTIFY', target: 'slack', to: [from] }],
  ])('that %s where a model says is named', (_what, config) => {
    expect(openAddressIn(workflow(placed(config)), trigger, given)).toMatch(/step "(step|inner)"/);
  });

  test('that calls where its author says is not', () => {
    const config = { type: 'WEBHOOK', url: 'https://example.com/hook', body: { to: from } };
    expect(openAddressIn(workflow(placed(config)), trigger, given)).toBeUndefined();
    const mail = { type: 'NOTIFY', target: 'email', to: [from] };
    expect(openAddressIn(workflow(placed(mail)), trigger, given)).toBeUndefined();
  });
});
