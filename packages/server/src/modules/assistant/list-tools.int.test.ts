import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AssistantHarness,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';

let harness: AssistantHarness;
beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());

interface Listed {
  readonly tools: readonly { name: string; changesThings: boolean }[];
}

async function listed(organization: TestOrganization): Promise<Listed['tools']> {
  const answer = await organization.call('GET', '/v1/ai/tools');
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Listed).tools;
}

async function makeAction(organization: TestOrganization, identifier: string, publish: boolean): Promise<void> {
  const answer = await organization.call('POST', '/v1/actions', {
    identifier,
    publish,
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [] } },
    invocationMethod: { type: 'WEBHOOK', url: 'https://example.com/run' },
  });
  expect(answer.status).toBe(201);
}

test('lists reads, and each published action under its own name, of this organization alone', async () => {
  const one = await harness.organization();
  const other = await harness.organization();
  await makeAction(one, 'release', true);
  await makeAction(one, 'draft_action', false);
  const tools = await listed(one);
  const names = tools.map(({ name }) => name);
  expect(tools.find(({ name }) => name === 'list_entities')).toMatchObject({ changesThings: false });
  expect(tools.find(({ name }) => name === 'run_release')).toMatchObject({ changesThings: true });
  expect(names).not.toContain('run_draft_action');
  expect(names).toEqual(names.toSorted());
  // it starts whatever workflow it names
  const changing = (await listed(other)).filter(({ changesThings }) => changesThings);
  expect(changing.map(({ name }) => name)).toEqual(['propose_workflow', 'trigger_run']);
});

test('more actions than a model is offered are listed one by one, since patterns see them so', async () => {
  const organization = await harness.organization();
  for (let index = 0; index < 66; index += 1) await makeAction(organization, `act_${index}`, true);
  const actions = (await listed(organization)).filter(({ name }) => name.startsWith('run_'));
  expect(actions).toHaveLength(66);
});
