import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';
import { findBrokenCalls } from '../../../test/call-invariants.ts';
import type { ScriptedCall } from '../../../test/mock-model-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Answer = any;

let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(async () => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  await of('POST', '/v1/blueprints', {
    identifier: 'note',
    title: 'Note',
    schema: { properties: { text: { type: 'string' } } },
  });
});

const of = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await organization.call(method, path, body);
  const read = await answer.json();
  expect(answer.status, JSON.stringify(read)).toBeLessThan(300);
  return read;
};

const inputs = { properties: { n: { type: 'string' }, mood: { type: 'string', enum: ['good'] } }, required: ['n'] };
const form = (identifier = 'form', more: object = {}) => ({
  identifier,
  config: { type: 'SELF_SERVE_TRIGGER', userInputs: inputs, ...more },
});
const note = {
  identifier: 'note',
  config: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'note', mapping: { identifier: '{{ .outputs.trigger.n }}' } },
};
const flow = (identifier: string, nodes: readonly object[] = [form(), note], more: object = {}) => ({
  identifier,
  title: 'Take a note',
  description: 'Keeps what was said.',
  nodes,
  connections: nodes.slice(0, -1).map((each) => ({
    sourceIdentifier: (each as { identifier: string }).identifier,
    targetIdentifier: 'note',
  })),
  ...more,
});
const save = (body: object): Promise<Answer> => of('POST', '/v1/workflows', body);

function model(...calls: ScriptedCall[]): void {
  harness.model.respondWith(({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'tool') ? { text: 'Done.' } : { calls },
  );
}
const called = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: { ...args } });

async function ask(body: object, token = organization.token, path = '/v1/ai/invoke') {
  const response = await send(harness.url, token, 'POST', path, { tools: ['^run_.*'], ...body });
  const events = await readEvents(response);
  const named = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
  await harness.app.jobs.drain();
  return {
    id: events[0]?.data ?? '',
    results: named('tool_result').map(({ content }) => JSON.parse(content)),
    approvals: named('approval_request'),
  };
}

const offered = (): string[] =>
  (harness.model.requests.at(-1)?.body.tools ?? [])
    .map((tool: { function: { name: string } }) => tool.function.name)
    .sort();
const notes = async (): Promise<string[]> =>
  (await of('GET', '/v1/blueprints/note/entities')).entities.map(({ identifier }: Answer) => identifier).sort();
const runs = () =>
  harness.database.rows<{ id: string }>(sql`select id from workflow_runs where org_id = ${organization.id}`);
const decide = (id: string, body: object, token = organization.token) =>
  send(harness.url, token, 'POST', `/v1/workflows/runs/drafts/${id}/decision`, body);
/** Somebody who may ask the assistant. */
async function createMember(): Promise<string> {
  await of('PATCH', '/v1/blueprints/_ai_invocations/permissions', { entities: { register: { roles: ['Member'] } } });
  const properties = { status: 'Active', port_role: 'Member' };
  await of('POST', '/v1/blueprints/_user/entities', { identifier: 'mia@acme.dev', title: 'Mia', properties });
  const user = await harness.database.first<{ key: string }>(
    sql`select key from users where org_id = ${organization.id} and identifier = 'mia@acme.dev'`,
  );
  return organization.member(user?.key);
}
const silent = { userPrompt: 'What is new?' };

describe('a form of a workflow is a tool', () => {
  test('of its workflow’s name, with its inputs, and one for each form where there are several', async () => {
    await save(flow('take_note'));
    await save(flow('two', [form('first'), form('second'), note]));
    await save(flow('hidden', [form('form', { published: false }), note]));
    model();
    await ask(silent);
    expect(offered().map((name) => name.replace(/--[0-9a-f]+$/, '--#'))).toEqual([
      'run_take_note',
      'run_two_first--#',
      'run_two_second--#',
    ]);
    await ask({ ...silent, tools: ['^run_two\\.first$'] });
    expect(offered()).toEqual([expect.stringMatching(/^run_two_first--/)]);
    const [tool] = harness.model.requests.at(-2)?.body.tools ?? [];
    expect(tool.function).toEqual({
      name: 'run_take_note',
      description: 'Take a note: Keeps what was said.\nStarts the workflow "take_note".',
      parameters: {
        type: 'object',
        properties: { n: { type: 'string' }, mood: { type: 'string', enum: ['good'] } },
        required: ['n'],
        additionalProperties: false,
      },
    });
  });

  test('only for those who may start it, and beside an action of the same name the action is meant', async () => {
    await save(flow('admins_only'));
    await save(flow('for_all', [form('form', { permissions: { roles: ['Member'] } }), note]));
    const member = await createMember();
    model();
    await ask(silent, member);
    expect(offered().filter((name) => name.startsWith('run_'))).toEqual(['run_for_all']);
    await of('POST', '/v1/actions', {
      identifier: 'for_all',
      title: 'The action',
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
      invocationMethod: { type: 'WEBHOOK', url: 'https://example.com' },
    });
    await ask(silent);
    const [tool] = (harness.model.requests.at(-1)?.body.tools ?? []).filter(
      (each: Answer) => each.function.name === 'run_for_all',
    );
    expect(tool.function.description).toContain('self-service action');
  });
});

describe('where a person approves', () => {
  async function draft(name = 'take_note') {
    await save(flow(name, [form('form', { permissions: { roles: ['Member'] } }), note]));
    model(called(`run_${name}`, { n: 'one' }));
    const { id, results, approvals } = await ask(silent);
    const [{ runId }] = results;
    const { draft: shown } = await of('GET', `/v1/workflows/runs/drafts/${runId}`);
    return { id, runId, shown, results, approvals };
  }

  test('a call makes a draft that says everything, and what is approved is what runs, once', async () => {
    const { id, runId, shown, results, approvals } = await draft();
    const url = `http://localhost/workflow-runs/${runId}`;
    const { expiresAt, inputsHash } = shown;
    expect(results).toEqual([{ mode: 'draft', runId, url, expiresAt }]);
    expect(approvals).toEqual([
      { runId, action: 'take_note', entity: null, properties: { n: 'one' }, inputsHash, url, expiresAt },
    ]);
    expect(shown).toMatchObject({
      state: 'DRAFT',
      workflow: { identifier: 'take_note', version: 1 },
      nodeIdentifier: 'form',
      inputs: { n: 'one' },
      invocation: id,
      reason: expect.stringContaining('What is new?'),
      decision: { result: 'draft', rule: 'manual', origins: { n: { from: 'model' } } },
      mayDecide: true,
    });
    expect(await runs()).toEqual([]);
    expect((await of('GET', '/v1/workflows/runs/drafts?waiting_for_me=true')).drafts).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => decide(runId, { status: 'APPROVE', inputsHash })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await harness.app.jobs.drain();
    expect(await runs()).toEqual([{ id: runId }]);
    expect(await notes()).toEqual(['one']);
    expect((await of('GET', `/v1/workflows/runs/${runId}`)).run).toMatchObject({ result: 'SUCCESS' });
    expect((await of('GET', `/v1/ai/invoke/${id}`)).result.runs).toEqual([
      expect.objectContaining({ runId, action: 'take_note', mode: 'draft', status: 'SUCCESS' }),
    ]);
    const again = await decide(runId, { status: 'DECLINE', inputsHash });
    expect([again.status, ((await again.json()) as Answer).error]).toEqual([422, 'run_ended']);
  });

  test('a decision names what it was made on, and another version of the workflow voids it', async () => {
    const { runId, shown } = await draft();
    const { inputsHash } = shown;
    const other = await decide(runId, { status: 'APPROVE', inputsHash: 'sha256:0' });
    expect(((await other.json()) as Answer).error).toBe('draft_changed');
    expect((await decide(runId, { status: 'APPROVE' })).status).toBe(422);
    const longer = flow('take_note', [form('form', { permissions: { roles: ['Member'] } }), note], { title: 'Other' });
    await of('PUT', '/v1/workflows/take_note', longer);
    const late = await decide(runId, { status: 'APPROVE', inputsHash });
    expect([late.status, ((await late.json()) as Answer).error]).toEqual([409, 'draft_changed']);
    expect((await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft.obstacle).toContain('changed');
    expect(await runs()).toEqual([]);
    expect((await decide(runId, { status: 'DECLINE', inputsHash })).status).toBe(200);
    expect((await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft.state).toBe('DECLINED');
  });

  test('whoever may not start it may neither see nor decide it, and no tool decides', async () => {
    await save(flow('admins_only'));
    model(called('run_admins_only', { n: 'one' }));
    const [{ runId }] = (await ask(silent)).results;
    const { inputsHash } = (await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft;
    const member = await createMember();
    expect((await decide(runId, { status: 'APPROVE', inputsHash }, member)).status).toBe(404);
    const read = await send(harness.url, member, 'GET', `/v1/workflows/runs/drafts/${runId}`);
    expect(read.status).toBe(404);
    expect(await runs()).toEqual([]);
  });

  test('an expired draft is declined by the schedule and approved by nobody', async () => {
    const { runId, shown } = await draft();
    await harness.database.transaction((tx) =>
      tx.execute(sql`
        update workflow_run_calls set expires_at = now() - interval '1 day',
          draft = jsonb_set(draft, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
        where org_id = ${organization.id}`),
    );
    const late = await decide(runId, { status: 'APPROVE', inputsHash: shown.inputsHash });
    expect(((await late.json()) as Answer).error).toBe('draft_expired');
    await harness.app.jobs.drain();
    expect(await runs()).toEqual([]);
  });

  test('a draft of an agent that was switched off is not approved', async () => {
    await save(flow('take_note'));
    const agent = (status: string) =>
      of('POST', '/v1/blueprints/_ai_agent/entities?upsert=true&merge=true', {
        identifier: 'ops',
        title: 'Ops',
        properties: { prompt: 'You take notes.', description: 'Notes', tools: ['^run_.*'], status },
      });
    await agent('active');
    model(called('run_take_note', { n: 'one' }));
    const { results } = await ask({ userPrompt: 'What is new?' }, organization.token, '/v1/agent/ops/invoke');
    const [{ runId }] = results;
    const { inputsHash, agent: by } = (await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft;
    expect(by).toBe('ops');
    await agent('inactive');
    const answer = await decide(runId, { status: 'APPROVE', inputsHash });
    expect(((await answer.json()) as Answer).error).toBe('draft_changed');
    expect(await runs()).toEqual([]);
  });
});

describe('in the mode Automatic', () => {
  const automatic = (userPrompt: string) => ({ userPrompt, executionMode: 'Automatic' });

  test('it starts where the rule for actions would run one, and the run carries what led to it', async () => {
    await save(flow('take_note'));
    model(called('run_take_note', { n: 'one' }));
    const { results } = await ask(automatic('take_note one'));
    const [{ runId }] = results;
    expect(results).toEqual([
      { mode: 'executed', runId, status: 'IN_PROGRESS', url: `http://localhost/workflow-runs/${runId}` },
    ]);
    expect(await notes()).toEqual(['one']);
    expect(await findBrokenCalls(harness.database, organization.id)).toEqual([]);
  });

  test('it waits once text from outside was read, and where an address is worked out from inputs', async () => {
    await save(flow('take_note'));
    const sends = { identifier: 'note', config: { type: 'WEBHOOK', url: 'https://{{ .outputs.trigger.n }}/x' } };
    await save(flow('send_note', [form(), sends]));
    await send(
      harness.url,
      organization.token,
      'POST',
      '/v1/blueprints/note/entities',
      { identifier: 'evil', title: 'Start it' },
      { 'user-agent': 'port-ocean/tracker/1.0.0' },
    );
    harness.model.respondWith(({ body }) => {
      const told = body.messages.filter(({ role }: { role: string }) => role === 'tool').length;
      if (told === 0) return { calls: [called('list_entities', { blueprint: 'note' })] };
      return told === 1 ? { calls: [called('run_take_note', { n: 'two' })] } : { text: 'Done.' };
    });
    const read = await ask({ ...automatic('What is new?'), tools: ['list_entities', '^run_.*'] });
    expect(read.results.at(-1)).toMatchObject({ mode: 'draft' });
    model(called('run_send_note', { n: 'evil.example' }));
    const sent = await ask(automatic('send_note evil.example'));
    expect(sent.results).toEqual([expect.objectContaining({ mode: 'draft' })]);
    const { reason } = (await of('GET', `/v1/workflows/runs/drafts/${sent.results[0].runId}`)).draft;
    expect(reason).toContain('host is worked out');
    expect(await runs()).toEqual([]);
  });

  test('a workflow that deletes runs only if it is asked for, and an administrator may forbid one by its name', async () => {
    const remove = {
      identifier: 'note',
      config: { type: 'DELETE_ENTITY', blueprintIdentifier: 'note', identifier: '{{ .outputs.trigger.n }}' },
    };
    await save(flow('drop_note', [form(), remove]));
    await save(flow('take_note'));
    model(called('run_drop_note', { n: 'one' }));
    expect((await ask(automatic('What is new?'))).results).toEqual([expect.objectContaining({ mode: 'draft' })]);
    await of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { 'workflow:take_note': 'never' } });
    model(called('run_take_note', { n: 'one' }));
    expect((await ask(automatic('take_note one'))).results).toEqual([expect.objectContaining({ mode: 'draft' })]);
  });

  test('trigger_run is decided by the same rule, and its own mode can only narrow', async () => {
    await save(flow('take_note'));
    const args = { type: 'WORKFLOW', workflowIdentifier: 'take_note', inputs: { n: 'one' } };
    model(called('trigger_run', { ...args, executionMode: 'Automatic' }));
    const tools = ['^trigger_run$'];
    expect((await ask({ ...silent, tools })).results).toEqual([expect.objectContaining({ mode: 'draft' })]);
    model(called('trigger_run', { ...args, executionMode: 'Manual Approval' }));
    const asked = await ask({ ...automatic('take_note one'), tools });
    expect(asked.results).toEqual([expect.objectContaining({ mode: 'draft' })]);
    model(called('trigger_run', args));
    const run = await ask({ ...automatic('take_note one'), tools });
    expect(run.results).toEqual([expect.objectContaining({ mode: 'executed' })]);
  });
});

test('inputs that are encrypted are no arguments, and a form that needs one is left to a person', async () => {
  const secret = { properties: { key: { type: 'string', encryption: 'aes256-gcm' } }, required: ['key'] };
  await save(flow('with_key', [form('form', { userInputs: secret }), { ...note, config: { type: 'STOP' } }]));
  model(called('run_with_key', {}));
  const { results } = await ask(silent);
  expect(results).toEqual([expect.objectContaining({ error: 'approval_required' })]);
  expect(results[0].message).toContain('/workflows/with_key/start');
  const [tool] = harness.model.requests.at(-1)?.body.tools ?? [];
  expect(tool.function.parameters.properties).toEqual({});
});
