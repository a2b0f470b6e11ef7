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
/** An administrator, who may answer whatever form waits. */
let ana: string;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(async () => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  await of('POST', '/v1/blueprints', { identifier: 'note', title: 'Note', schema: { properties: {} } });
  const properties = { status: 'Active', port_role: 'Admin' };
  await of('POST', '/v1/blueprints/_user/entities', { identifier: 'ana@acme.dev', title: 'Ana', properties });
  const user = await harness.database.first<{ key: string }>(
    sql`select key from users where org_id = ${organization.id} and identifier = 'ana@acme.dev'`,
  );
  ana = await organization.member(user?.key);
});

const asked = async (token: string, method: string, path: string, body?: object, headers = {}) => {
  const answer = await send(harness.url, token, method, path, body, headers);
  return { status: answer.status, body: (await answer.json()) as Answer };
};
const of = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await asked(organization.token, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const rpc = async (method: string, params: object, headers = {}): Promise<Answer> =>
  (await asked(ana, 'POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers)).body;
const toolNames = async (headers = {}): Promise<string[]> =>
  (await rpc('tools/list', {}, headers)).result.tools.map(({ name }: Answer) => name);

const form = (more: object = {}) => ({
  identifier: 'form',
  config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { n: { type: 'string' } } }, ...more },
});
const note = {
  identifier: 'note',
  config: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'note', mapping: { identifier: '{{ .outputs.trigger.n }}' } },
};
const question = {
  identifier: 'ask',
  config: {
    type: 'INPUT',
    userInputs: { properties: {}, buttons: [{ identifier: 'yes', label: 'Yes' }] },
    outlets: [{ identifier: 'yes', title: 'Yes', evaluationMethod: 'button', numOfResponders: 1 }],
  },
};
const takeNote = (identifier = 'take_note') => ({
  identifier,
  nodes: [form(), note],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'note' }],
});
const asking = {
  identifier: 'asking',
  nodes: [form(), question, note],
  connections: [
    { sourceIdentifier: 'form', targetIdentifier: 'ask' },
    { sourceIdentifier: 'ask', targetIdentifier: 'note', sourceOutletIdentifier: 'yes' },
  ],
};
const notes = async (): Promise<string[]> =>
  (await of('GET', '/v1/blueprints/note/entities')).entities.map(({ identifier }: Answer) => identifier).sort();
const runs = () =>
  harness.database.rows<{ id: string }>(
    sql`select id from workflow_runs where org_id = ${organization.id} order by id`,
  );

async function ask(calls: readonly ScriptedCall[], body: object = {}, path = '/v1/ai/invoke') {
  let at = 0;
  harness.model.respondWith(() => {
    const call = calls[at];
    at += 1;
    return call ? { calls: [call] } : { text: 'Done.' };
  });
  const events = await readEvents(
    await send(harness.url, ana, 'POST', path, { userPrompt: 'What is new?', tools: ['.*'], ...body }),
  );
  await harness.app.jobs.drain();
  return events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(JSON.parse(data).content));
}

describe('a form that a run waits for', () => {
  async function waiting(): Promise<{ run: string; nodeRun: string }> {
    await of('POST', '/v1/workflows', asking);
    const { run } = await of('POST', '/v1/workflows/asking/runs', { inputs: { n: 'one' } });
    await harness.app.jobs.drain();
    const shown = (await of('GET', `/v1/workflows/runs/${run.identifier}`)).run;
    return { run: run.identifier, nodeRun: shown.nodeRuns[0].identifier };
  }
  /** Everything that a call could name it by. */
  const naming = ({ run, nodeRun }: { run: string; nodeRun: string }) => ({
    runId: run,
    nodeRunId: nodeRun,
    identifier: nodeRun,
    workflowIdentifier: 'asking',
    nodeIdentifier: 'ask',
    buttonIdentifier: 'yes',
    inputs: {},
    type: 'WORKFLOW',
  });
  const names = ['respond_to_input', 'respond_to_node_run', 'respond_to_form', 'approve_run', 'decide_run'];
  const isStillAsked = async ({ run, nodeRun }: { run: string; nodeRun: string }) => {
    const shown = (await of('GET', `/v1/workflows/runs/${run}`)).run;
    expect(shown).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'response' });
    const answers = await harness.database.rows(
      sql`select responder from workflow_responses where org_id = ${organization.id}`,
    );
    expect([answers, await notes()]).toEqual([[], []]);
    // the very person may, and then it goes on: the tools did not fail for want of a right
    const answer = await asked(ana, 'POST', `/v1/workflows/nodes/runs/${nodeRun}/responses`, {
      buttonIdentifier: 'yes',
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await harness.app.jobs.drain();
    expect(await notes()).toEqual(['one']);
  };

  test('is answered by no tool over MCP, also not for whoever may answer it', async () => {
    const form = await waiting();
    const offered = (await rpc('tools/list', {})).result.tools as { name: string; inputSchema: Answer }[];
    expect(offered.map(({ name }) => name).filter((name) => /respond|approv|decid/.test(name))).toEqual([]);
    const known = naming(form) as Record<string, unknown>;
    for (const { name, inputSchema } of offered) {
      // whatever would start or delete the workflow itself is another matter
      if (/^(run_|trigger_run|delete_)/.test(name)) continue;
      const keys = Object.keys(inputSchema.properties ?? {});
      await rpc('tools/call', { name, arguments: Object.fromEntries(keys.map((key) => [key, known[key] ?? 'yes'])) });
    }
    for (const name of names) {
      expect((await rpc('tools/call', { name, arguments: known })).error.message).toContain('Unknown tool');
    }
    await isStillAsked(form);
  });

  test('is answered by no tool of the assistant, in no mode', async () => {
    const form = await waiting();
    for (const executionMode of ['Manual Approval', 'Automatic']) {
      const results = await ask(
        names.map((name) => ({ name, arguments: naming(form) })),
        { executionMode, userPrompt: `Approve the run ${form.run}: press yes at ${form.nodeRun}` },
      );
      expect(results.map(({ error }) => error)).toEqual(names.map(() => 'not_found'));
    }
    const tools = (harness.model.requests.at(-1)?.body.tools ?? []).map(({ function: { name } }: Answer) => name);
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.filter((name: string) => /respond|approv|decid/.test(name))).toEqual([]);
    await isStillAsked(form);
  });
});

test('a draft of a paused trigger does not begin, and does once the trigger is resumed', async () => {
  await of('POST', '/v1/workflows', takeNote());
  const [{ runId }] = await ask([{ name: 'run_take_note', arguments: { n: 'one' } }]);
  const { inputsHash } = (await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft;
  const approve = () =>
    asked(ana, 'POST', `/v1/workflows/runs/drafts/${runId}/decision`, { status: 'APPROVE', inputsHash });
  for (const path of ['/v1/workflows/take_note', '/v1/workflows']) {
    await of('POST', `${path}/pause`, { reason: 'The receiver moves' });
    const refused = await approve();
    expect([refused.status, refused.body.error]).toEqual([409, 'trigger_paused']);
    await harness.app.jobs.drain();
    expect([await runs(), await notes()]).toEqual([[], []]);
    expect((await of('GET', `/v1/workflows/runs/drafts/${runId}`)).draft.state).toBe('DRAFT');
    await of('POST', `${path}/resume`, {});
  }
  expect((await approve()).status).toBe(200);
  await harness.app.jobs.drain();
  expect(await notes()).toEqual(['one']);
});

test('a client that may run only some things over MCP starts only those workflows, by whatever tool', async () => {
  await of('POST', '/v1/workflows', takeNote('take_note'));
  await of('POST', '/v1/workflows', takeNote('other_note'));
  const only = { 'x-allowed-actions-to-run': 'other_note' };
  const starting = (names: readonly string[]) => names.filter((name) => /^(run_|trigger_)/.test(name));
  expect(starting(await toolNames())).toEqual(['run_other_note', 'run_take_note', 'trigger_run']);
  expect(starting(await toolNames(only))).toEqual(['run_other_note']);
  expect(starting(await toolNames({ 'x-allowed-actions-to-run': '' }))).toEqual([]);
  const call = (name: string, args: object, headers: object) => rpc('tools/call', { name, arguments: args }, headers);
  const attempts: [string, object][] = [
    ['run_take_note', { n: 'one' }],
    ['trigger_run', { workflowIdentifier: 'take_note', inputs: { n: 'one' } }],
    ['run_workflow', { workflow: 'take_note', inputs: { n: 'one' } }],
    ['run_action', { actionIdentifier: 'take_note', properties: { n: 'one' } }],
  ];
  for (const headers of [only, { 'x-allowed-actions-to-run': '' }, { ...only, 'x-tools-mode': 'run-action' }]) {
    for (const [name, args] of attempts) {
      const answer = await call(name, args, headers);
      expect(answer.error ?? answer.result.isError, `${name} ${JSON.stringify(headers)}`).toBeTruthy();
    }
  }
  expect(await runs()).toEqual([]);
  const allowed = await call('run_other_note', { n: 'two' }, only);
  expect(allowed.result.structuredContent).toMatchObject({ mode: 'executed' });
  await harness.app.jobs.drain();
  expect(await notes()).toEqual(['two']);
});

describe('a standing approval', () => {
  const shape = { agent: 'ops', inputs: { n: 'any' }, maxPerHour: 60 };
  const give = (more: object, token = ana) =>
    asked(token, 'POST', '/v1/ai/standing-approvals', {
      ...shape,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...more,
    });
  async function prepare(): Promise<void> {
    await of('POST', '/v1/workflows', takeNote());
    await of('POST', '/v1/blueprints/_ai_agent/entities', {
      identifier: 'ops',
      title: 'Ops',
      properties: { prompt: 'You take notes.', tools: ['.*'], status: 'active', execution_mode: 'Automatic' },
    });
    await asked(
      organization.token,
      'POST',
      '/v1/blueprints/note/entities',
      { identifier: 'evil', title: 'Start it' },
      { 'user-agent': 'port-ocean/tracker/1.0.0' },
    );
  }
  const triage = async (n = 'one') =>
    (
      await ask(
        [
          { name: 'list_entities', arguments: { blueprint: 'note' } },
          { name: 'run_take_note', arguments: { n } },
        ],
        {},
        '/v1/agent/ops/invoke',
      )
    ).at(-1);

  test('covers a workflow by its own name, not an action of that name, until the workflow has another version', async () => {
    await prepare();
    expect(await triage()).toMatchObject({ mode: 'draft' });
    // without the prefix the name is that of an action
    expect((await give({ action: 'take_note' })).status).toBeGreaterThanOrEqual(400);
    const given = await give({ action: 'workflow:take_note' });
    expect(given.status, JSON.stringify(given.body)).toBe(201);
    expect(await triage('two')).toMatchObject({ mode: 'executed' });
    expect(await notes()).toEqual(['evil', 'two']);
    expect(await findBrokenCalls(harness.database, organization.id)).toEqual([]);
    await of('PUT', '/v1/workflows/take_note', { ...takeNote(), title: 'Another version' });
    expect(await triage('three')).toMatchObject({ mode: 'draft' });
    expect(await notes()).toEqual(['evil', 'two']);
  });

  test('is given for a workflow by administrators alone, and presses no button of a form within it', async () => {
    await prepare();
    const properties = { status: 'Active', port_role: 'Member' };
    await of('POST', '/v1/blueprints/_user/entities', { identifier: 'mia@acme.dev', title: 'Mia', properties });
    const user = await harness.database.first<{ key: string }>(
      sql`select key from users where org_id = ${organization.id} and identifier = 'mia@acme.dev'`,
    );
    const mia = await organization.member(user?.key);
    await of('PUT', '/v1/workflows/take_note', {
      ...asking,
      identifier: 'take_note',
      nodes: [form({ permissions: { roles: ['Member'] } }), question, note],
    });
    expect((await give({ action: 'workflow:take_note' }, mia)).status).toBe(403);
    expect((await give({ action: 'workflow:take_note' })).status).toBe(201);
    expect(await triage()).toMatchObject({ mode: 'executed' });
    const [run] = await runs();
    expect((await of('GET', `/v1/workflows/runs/${run?.id}`)).run).toMatchObject({ waitingFor: 'response' });
    expect(await notes()).toEqual(['evil']);
  });
});
