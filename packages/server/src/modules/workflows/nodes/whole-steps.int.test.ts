import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type McpPeer, startMcpPeer } from '../../../../test/mcp-peer.ts';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';

/** The public address of the application under test; no server listens there. */
const home = 'http://127.0.0.1:3000';

let app: TestApp;
let model: MockModelServer;
beforeAll(async () => {
  model = await startMockModelServer();
  app = await createTestApp({
    model: { provider: 'openai-compatible', model: 'mock', baseUrl: model.url, apiKey: 'sk-mock' },
  });
});
afterAll(async () => {
  await app.close();
  await model.close();
});
beforeEach(() => app.app.jobs.drain());

const form = {
  identifier: 'form',
  config: {
    type: 'SELF_SERVE_TRIGGER',
    permissions: { roles: ['Member'] },
    userInputs: { properties: { x: { type: 'string' }, pin: { type: 'string', encryption: 'aes256-gcm' } } },
  },
};

/** Runs a workflow of one form and these steps in a row, and answers the run as far as it goes by itself. */
async function run(steps: object[], inputs: object = {}, token?: string) {
  const identifier = unique('flow');
  const nodes = [form, ...steps.map((config, at) => ({ identifier: `s${at}`, config }))];
  const connections = nodes.slice(1).map((node, at) => ({
    sourceIdentifier: nodes[at]?.identifier,
    targetIdentifier: node.identifier,
  }));
  const saved = await app.request('POST', '/v1/workflows', { body: { identifier, nodes, connections } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const options = { body: { inputs }, ...(token === undefined ? {} : { token }) };
  const started = await app.request('POST', `/v1/workflows/${identifier}/runs`, options);
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  await app.app.jobs.drain();
  return get(started.body.run.identifier);
}

const get = async (id: string) => (await app.request('GET', `/v1/workflows/runs/${id}`)).body.run;

async function person(): Promise<{ readonly id: string; readonly token: string }> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Member' } });
  return { id, token: await app.organization.personToken(id) };
}

describe('a step that calls our own API', () => {
  test('does so without a token, with the rights of whoever saved the workflow, in the name of whoever started it', async () => {
    const blueprint = await createBlueprint(app.request, 'thing');
    const url = `${home}/v1/blueprints/${blueprint}/entities`;
    const { id, token } = await person();
    const ended = await run(
      [{ type: 'WEBHOOK', url, body: { identifier: '{{ .outputs.trigger.x }}' } }],
      { x: 'made' },
      token,
    );
    expect(ended).toMatchObject({
      result: 'SUCCESS',
      nodeRuns: [{ output: { response: { status: 201, data: { ok: true } } } }],
    });
    expect(await readEntity(app.request, blueprint, 'made')).toMatchObject({ createdBy: id });
    const { audits } = (await app.request('GET', `/v1/audit-log?run_id=${ended.identifier}&resources=entity`)).body;
    // not the origin of a person, because runs may not decide on runs
    expect(audits).toMatchObject([{ trigger: { origin: 'AUTOMATION' } }]);
  });

  test.each([
    ['POST', '/v1/workflows/runs/claim-pending', { installationId: 'x' }],
    ['POST', '/v1/actions/runs/claim-pending', { installationId: 'x' }],
    ['POST', '/v1/workflows/nodes/runs/wfnr_1/responses', { buttonIdentifier: 'yes' }],
    ['POST', '/v1/auth/access_token', {}],
  ])('may not call %s %s', async (method, path, body) => {
    const ended = await run([{ type: 'WEBHOOK', url: `${home}${path}`, method, body }]);
    expect(ended).toMatchObject({ result: 'FAILED', nodeRuns: [{ message: expect.stringContaining('may not call') }] });
  });

  test('reaches a blueprint of the platform only where its address names it', async () => {
    const url = `${home}/v1/blueprints/{{ .outputs.trigger.x }}/entities`;
    const ended = await run([{ type: 'WEBHOOK', url, body: { identifier: 'x' } }], { x: '_team' });
    expect(ended).toMatchObject({
      result: 'FAILED',
      nodeRuns: [{ message: expect.stringContaining('belongs to the platform') }],
    });
  });
});

describe('a step that asks a model', () => {
  /** Looks at the invocation until the run goes on; streams of invocations are not jobs. */
  async function asked(steps: object[], inputs: object = {}, token?: string) {
    let seen = await run(steps, inputs, token);
    const [{ externalRunId: id }] = seen.nodeRuns;
    if (id) {
      const headers = { authorization: `Bearer ${app.organization.token}` };
      // answers once the stream has ended
      await app.app.http.inject({ method: 'GET', url: `/v1/ai/invoke/${id}/events`, headers });
    }
    for (let look = 0; look < 10 && seen.status === 'IN_PROGRESS'; look += 1) {
      await endOfAll();
      app.clock.advance(60_000);
      await app.app.jobs.drain();
      seen = await get(seen.identifier);
    }
    return seen;
  }

  test('waits for the answer, which later steps read', async () => {
    model.respondWith(() => ({ text: 'All is well.' }));
    const blueprint = await createBlueprint(app.request, 'thing');
    const ended = await asked(
      [
        { type: 'AI', userPrompt: 'How is {{ .outputs.trigger.x }}?', tools: [] },
        {
          type: 'UPSERT_ENTITY',
          blueprintIdentifier: blueprint,
          mapping: { identifier: 'told', title: '{{ .outputs.s0.response }}' },
        },
      ],
      { x: 'cart' },
    );
    expect(ended, JSON.stringify(ended)).toMatchObject({
      result: 'SUCCESS',
      nodeRuns: [
        {
          nodeConfigType: 'AI',
          effect: 'outside',
          input: { userPrompt: 'How is cart?' },
          output: { response: 'All is well.', invocationIdentifier: expect.any(String), error: null },
        },
        {},
      ],
    });
    expect(await readEntity(app.request, blueprint, 'told')).toMatchObject({ title: 'All is well.' });
    const invocation = ended.nodeRuns[0].output.invocationIdentifier;
    const { invocations } = (await app.request('GET', '/v1/ai/invocations')).body;
    expect(invocations.find(({ identifier }: { identifier: string }) => identifier === invocation)).toMatchObject({
      labels: { source: 'workflow', _workflow_node_run_identifier: ended.nodeRuns[0].identifier },
    });
  });

  /** Answers once every invocation that is there has ended. */
  async function endOfAll(): Promise<void> {
    const headers = { authorization: `Bearer ${app.organization.token}` };
    const { invocations } = (await app.request('GET', '/v1/ai/invocations')).body;
    for (const { identifier, status } of invocations) {
      if (status !== 'In Progress') continue;
      await app.app.http.inject({ method: 'GET', url: `/v1/ai/invoke/${identifier}/events`, headers });
    }
  }

  test('asks once more where an answer does not fit its schema, with what was wrong, and no third time', async () => {
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const step = { type: 'AI', userPrompt: 'Well?', tools: [], outputSchema };
    for (const [answers, result] of [
      [['All is well.', '{"ok": true}'], 'SUCCESS'],
      [['All is well.', '{"ok": "yes"}', '{"ok": true}'], 'FAILED'],
    ] as const) {
      const before = model.requests.length;
      let at = 0;
      model.respondWith(() => {
        const text = answers[at] ?? 'Too many questions.';
        at += 1;
        return { text };
      });
      const ended = await asked([step]);
      expect(ended, JSON.stringify(ended)).toMatchObject({ result });
      const sent = model.requests.slice(before).map(({ body }) => JSON.stringify(body.messages));
      expect(sent).toHaveLength(2);
      expect(sent[0]).not.toContain('All is well.');
      expect(sent[1]).toContain('All is well.');
      expect(sent[1]).toContain('The answer is no JSON object');
    }
  });

  test('names a model of the organization, and one that is not offered is passed over', async () => {
    const config = { baseUrl: model.url, models: ['other'] };
    const body = { provider: 'openai-compatible', config };
    const made = await app.request('POST', '/v1/llm-providers', { body });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    model.respondWith(() => ({ text: 'Fine.' }));
    const used = async (more: object) => {
      await asked([{ type: 'AI', userPrompt: 'Well?', tools: [], ...more }]);
      return model.requests.at(-1)?.body.model;
    };
    const standard = await used({});
    expect(standard).not.toBe('other');
    expect(await used({ provider: 'openai-compatible', model: 'other' })).toBe('other');
    expect(await used({ provider: 'openai-compatible', model: 'not-offered' })).toBe(standard);
  });

  describe('with servers', () => {
    let peers: McpPeer[];
    beforeAll(async () => {
      peers = [await startMcpPeer('v2'), await startMcpPeer('v2')];
      for (const [at, name] of ['tracker', 'pager'].entries()) {
        const peer = peers[at] as McpPeer;
        peer.tools = [{ name: 'find' }, { name: 'hidden' }];
        await app.request('POST', '/v1/mcp/servers', { body: { identifier: name, url: peer.url } });
        const { tools } = (await app.request('POST', `/v1/mcp/servers/${name}/refresh`)).body;
        const found = tools.find((each: { name: string }) => each.name === 'find');
        const decisions = [{ name: 'find', hash: found.hash, decision: 'approve', readOnly: true }];
        await app.request('PATCH', `/v1/mcp/servers/${name}/tools`, { body: { decisions } });
      }
    });
    afterAll(() => Promise.all(peers.map((peer) => peer.close())));

    const offeredFor = async (step: object): Promise<string[]> => {
      model.respondWith(() => ({ text: 'Fine.' }));
      const ended = await asked([{ userPrompt: 'Well?', ...step }]);
      expect(ended, JSON.stringify(ended)).toMatchObject({ result: 'SUCCESS' });
      const tools = (model.requests.at(-1)?.body.tools ?? []) as { function: { name: string } }[];
      return tools.map(({ function: { name } }) => name);
    };
    const ofServers = (names: readonly string[]) => names.filter((name) => name.startsWith('mcp_'));

    test('has the tools of those that it names, as far as an administrator allowed them', async () => {
      const mcpServers = [{ identifier: 'tracker' }];
      expect(ofServers(await offeredFor({ type: 'AI' }))).toEqual([]);
      const reads = await offeredFor({ type: 'AI', mcpServers });
      expect(ofServers(reads)).toEqual(['mcp_tracker__find']);
      expect(reads).toContain('list_entities');
      expect(await offeredFor({ type: 'AI', tools: ['^list_blueprints$'], mcpServers })).toEqual([
        'list_blueprints',
        'mcp_tracker__find',
      ]);
      // a name is no pattern
      expect(ofServers(await offeredFor({ type: 'AI', mcpServers: [{ identifier: '.*' }] }))).toEqual([]);
    });

    test('of an agent has no more than the agent', async () => {
      const agentIdentifier = unique('agent');
      const tools = ['^list_blueprints$', '^mcp_.*'];
      const properties = { description: 'd', status: 'active', prompt: 'p', execution_mode: 'Automatic', tools };
      await createEntity(app.request, '_ai_agent', { identifier: agentIdentifier, title: 'Agent', properties });
      const step = { type: 'AI_AGENT', agentIdentifier };
      expect(await offeredFor(step)).toEqual(['list_blueprints', 'mcp_pager__find', 'mcp_tracker__find']);
      const named = { ...step, mcpServers: [{ identifier: 'pager' }] };
      expect(await offeredFor(named)).toEqual(['list_blueprints', 'mcp_pager__find']);
      const path = `/v1/blueprints/_ai_agent/entities/${agentIdentifier}`;
      await app.request('PATCH', path, { body: { properties: { tools: ['^list_blueprints$'] } } });
      expect(await offeredFor(named)).toEqual(['list_blueprints']);
    });
  });

  test('is held to its schema', async () => {
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const step = { type: 'AI', userPrompt: 'Well?', tools: [], outputSchema };
    for (const [text, result] of [
      ['```json\n{"ok": true}\n```', 'SUCCESS'],
      ['{"ok": "yes"}', 'FAILED'],
      ['All is well.', 'FAILED'],
    ] as const) {
      model.respondWith(() => ({ text }));
      const ended = await asked([step]);
      expect(ended).toMatchObject({ result });
      if (result === 'SUCCESS') expect(ended.nodeRuns[0].output.response).toBe('{"ok": true}');
      else expect(ended.nodeRuns[0].output.error.message).toMatch(/^The answer /);
    }
  });

  test('of an agent asks that one, and one that is not there fails it', async () => {
    model.respondWith(() => ({ text: 'Agent here.' }));
    const agent = unique('agent');
    const properties = { description: 'd', status: 'active', prompt: 'p', execution_mode: 'Automatic', tools: [] };
    await createEntity(app.request, '_ai_agent', { identifier: agent, title: 'Agent', properties });
    const ended = await asked([{ type: 'AI_AGENT', agentIdentifier: agent, userPrompt: 'Hi' }]);
    expect(ended, JSON.stringify(ended)).toMatchObject({
      result: 'SUCCESS',
      nodeRuns: [{ output: { response: 'Agent here.' } }],
    });
    const gone = await asked([{ type: 'AI_AGENT', agentIdentifier: unique('nobody'), userPrompt: 'Hi' }]);
    expect(gone).toMatchObject({ result: 'FAILED', nodeRuns: [{ message: expect.stringContaining('was not asked') }] });
  });

  test('fails as the model does, and says why', async () => {
    model.respondWith(() => ({ status: 401 }));
    const ended = await asked([{ type: 'AI', userPrompt: 'Hi', tools: [] }]);
    expect(ended).toMatchObject({
      result: 'FAILED',
      nodeRuns: [{ message: expect.stringContaining('The invocation failed: ') }],
    });
  });

  test('asks as whoever started the run: a person who may not use the assistant gets no answer by it', async () => {
    const { token } = await person();
    const ended = await asked([{ type: 'AI', userPrompt: 'Hi', tools: [] }], {}, token);
    expect(ended).toMatchObject({
      result: 'FAILED',
      nodeRuns: [{ message: expect.stringContaining('You may not use the assistant') }],
    });
  });

  test('shows the model no encrypted input', async () => {
    const prompts: string[] = [];
    model.respondWith(({ body }) => {
      prompts.push(JSON.stringify(body));
      return { text: 'ok' };
    });
    const userPrompt = 'pin {{ .outputs.trigger.pin }} {{ .outputs.form.pin }} {{ .inputs.pin }}';
    const ended = await asked([{ type: 'AI', userPrompt, tools: [] }], { pin: 'canary-for-no-model' });
    const { pin } = ended.variables.outputs.trigger;
    expect(pin).toEqual(expect.any(String));
    expect(prompts.join()).toContain('pin ****** ****** ******');
    expect(prompts.join()).not.toContain(pin);
    expect(prompts.join()).not.toContain('canary');
  });
});

test('an invocation is cancelled with the run that asked for it', async () => {
  model.respondWith(() => ({ text: 'The beginning', stalls: true }));
  const waiting = await run([{ type: 'AI', userPrompt: 'How is it?', tools: [] }]);
  const [{ externalRunId: id }] = waiting.nodeRuns;
  expect((await app.request('POST', `/v1/workflows/runs/${waiting.identifier}/cancel`)).status).toBe(200);
  app.clock.advance(60_000);
  await app.app.jobs.drain();
  const { result } = (await app.request('GET', `/v1/ai/invoke/${id}`)).body;
  expect(result).toMatchObject({ status: 'Failed', error: 'invocation_cancelled' });
});

describe('programs that execute steps', () => {
  const integration = (installationId: string) => ({
    type: 'INTEGRATION_ACTION',
    installationId,
    integrationProvider: 'GITHUB',
    integrationInvocationType: 'dispatch_workflow',
    integrationActionExecutionProperties: { x: '{{ .outputs.trigger.x }}' },
  });
  const headers = { 'x-port-reserved-usage': 'true' };

  test('do it as Ocean does, and the run goes on with what they gave', async () => {
    const installationId = unique('gh');
    const waiting = await run(
      [integration(installationId), { type: 'TRANSFORM', value: '{{ .outputs.s0.workflowRunUrl }}' }],
      { x: 'cart' },
    );
    expect(waiting).toMatchObject({ status: 'IN_PROGRESS', nodeRuns: [{ waitingFor: 'report' }] });
    const body = { installationId, limit: 10, visibilityTimeoutMs: 60_000 };
    const claimed = await app.request('POST', '/v1/workflows/runs/claim-pending', { body, headers });
    const [{ identifier: id, ...offered }] = claimed.body.nodeRuns;
    expect(offered).toMatchObject({ config: { integrationActionExecutionProperties: { x: 'cart' } }, output: {} });
    const ack = () => app.request('PATCH', '/v1/workflows/runs/ack', { body: { nodeRunIdentifier: id }, headers });
    expect((await Promise.all([ack(), ack()])).map(({ status }) => status).sort()).toEqual([200, 409]);
    const path = `/v1/workflows/nodes/runs/${id}`;
    const link = 'https://ci.example/1';
    const externalRunId = unique('gh_');
    const begun = { status: 'IN_PROGRESS', externalRunId, output: { workflowRunUrl: link }, links: [link] };
    expect(await app.request('PATCH', path, { body: begun })).toMatchObject({
      status: 200,
      body: { ok: true, run: { identifier: id, status: 'IN_PROGRESS', links: [link] } },
    });
    const found = await app.request(
      'GET',
      `/v1/workflows/nodes/runs?external_run_id=${externalRunId}&include=nodeConfig`,
      { headers },
    );
    expect(found.body.nodeRuns).toMatchObject([
      { identifier: id, output: begun.output, config: { type: 'INTEGRATION_ACTION' } },
    ]);
    const logs = [
      { level: 'WARNING', message: 'one' },
      { logLevel: 'error', log: 'two', tags: { a: 1 } },
    ];
    expect(await app.request('POST', `${path}/logs`, { body: { logs } })).toMatchObject({ status: 200 });
    const ended = { status: 'COMPLETED', result: 'SUCCESS', output: begun.output };
    expect(
      (await app.request('PATCH', `/v1/workflows/runs/${waiting.identifier}/nodes/${id}`, { body: ended })).status,
    ).toBe(200);
    await app.app.jobs.drain();
    expect(await get(waiting.identifier)).toMatchObject({
      result: 'SUCCESS',
      nodeRuns: [{ links: [link] }, { output: link }],
    });
    expect((await app.request('GET', `${path}/logs`)).body.logs).toMatchObject([
      { level: 'WARN', message: 'one' },
      { level: 'ERROR', message: 'two', tags: { a: 1 } },
    ]);
    expect((await app.request('PATCH', path, { body: ended })).status).toBe(200);
    const late = await app.request('PATCH', path, { body: { status: 'COMPLETED', result: 'FAILED' } });
    expect([late.status, late.body.error]).toEqual([409, 'node_run_ended']);
  });

  test('under the address with the organization too, and the agent without a time of its own', async () => {
    const ended = await run([{ type: 'WEBHOOK', url: 'http://inside.example', agent: true, body: { a: 1 } }]);
    const claimed = await app.request('POST', `/v1/org/${app.organization.id}/workflows/runs/claim-pending`, {
      body: { installationId: '_PORT_EXEC_AGENT', limit: 50 },
      headers,
    });
    const mine = claimed.body.nodeRuns.find(
      (each: { workflowRunIdentifier: string }) => each.workflowRunIdentifier === ended.identifier,
    );
    expect(mine.config).toMatchObject({
      url: 'http://inside.example',
      method: 'POST',
      synchronized: true,
      agent: true,
    });
  });

  test('say what is wrong with a report, field by field', async () => {
    const refused = await app.request('PATCH', '/v1/workflows/nodes/runs/wfnr_none', {
      body: { status: 'COMPLETED', links: [1], logs: [{}] },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/links/0',
      '/logs/0/message',
    ]);
    const unfinished = await app.request('PATCH', '/v1/workflows/nodes/runs/wfnr_none', {
      body: { status: 'COMPLETED' },
    });
    expect([unfinished.status, unfinished.body.details]).toMatchObject([422, [{ path: '/result' }]]);
    const unknown = await app.request('PATCH', '/v1/workflows/nodes/runs/wfnr_none', { body: { links: [] } });
    expect(unknown.status).toBe(404);
  });
});
