import { createDecipheriv, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});

const runs = '/v1/actions/runs';
const start = (action: string, body: object = { properties: {} }, options: object = {}, query = '') =>
  app.request('POST', `/v1/actions/${action}/runs${query}`, { body, ...options });
const get = async (id: string) => (await app.request('GET', `${runs}/${id}?version=v2`)).body.run;
const logsOf = async (id: string) =>
  (await app.request('GET', `${runs}/${id}/logs`)).body.runLogs.map(({ message }: { message: string }) => message);

async function action(invocationMethod: object, more: object = {}, userInputs: object = { properties: {} }) {
  const identifier = unique('act');
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs };
  const body = { identifier, title: 'Act', trigger, invocationMethod, ...more };
  const created = await app.request('POST', '/v1/actions', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return identifier;
}

const hook = (more: object = {}) => ({ type: 'WEBHOOK', url: `${receiver.url}/hook`, ...more });

async function person(name: string, team?: string): Promise<string> {
  const identifier = `${name}@example.com`;
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier, title: 'Jo Doe', ...(team ? { team } : {}), properties });
  return app.organization.personToken(identifier);
}

describe('a webhook', () => {
  test('is called with what its templates come to, and the run goes on until somebody reports', async () => {
    const name = await action(
      hook({ headers: { 'X-Run': '{{ .run.id }}' }, body: { id: '{{ .run.id }}', in: '{{ .inputs.who }}' } }),
      {},
      { properties: { who: { type: 'string' } } },
    );
    const started = await start(name, { properties: { who: 'me' } });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const { id } = started.body.run;
    expect(id).toMatch(/^r_[A-Za-z0-9]{16}$/);
    expect(started.body.run).toMatchObject({ status: 'IN_PROGRESS', action: name, source: 'API', link: [] });
    expect(receiver.received).toHaveLength(0);
    await app.app.jobs.drain();
    expect(receiver.received).toHaveLength(1);
    const [sent] = receiver.received;
    expect(JSON.parse(sent?.body ?? '')).toEqual({ id, in: 'me' });
    expect(sent?.headers).toMatchObject({ 'x-run': id, 'idempotency-key': id, 'content-type': 'application/json' });
    expect(await get(id)).toMatchObject({ status: 'IN_PROGRESS', endedAt: null, action: { identifier: name } });
    await app.app.jobs.drain();
    expect(receiver.received).toHaveLength(1);
    const ended = await app.request('PATCH', `${runs}/${id}?runId=${id}`, {
      body: { status: 'SUCCESS', link: 'https://x.io', summary: 'ok', externalRunId: 'e1', statusLabel: 'Done' },
    });
    expect(ended.body.run).toMatchObject({
      status: 'SUCCESS',
      link: ['https://x.io'],
      summary: 'ok',
      externalRunId: 'e1',
      statusLabel: 'Done',
      endedAt: expect.any(String),
    });
    const again = await app.request('PATCH', `${runs}/${id}`, { body: { status: 'FAILURE' } });
    expect([again.status, again.body.error]).toEqual([422, 'run_ended']);
    const found = (await app.request('GET', `${runs}?version=v2&external_run_id=e1`)).body.runs;
    expect(found.map((run: { id: string }) => run.id)).toEqual([id]);
  });

  test('that is synchronized ends with the answer, which is kept', async () => {
    const name = await action(hook({ synchronized: true }));
    receiver.answer = () => ({ status: 201, body: '{"made":1}' });
    const good = (await start(name)).body.run.id;
    await app.app.jobs.drain();
    expect(await get(good)).toMatchObject({ status: 'SUCCESS', response: [{ statusCode: 201, body: { made: 1 } }] });
    receiver.answer = () => ({ status: 500, body: 'no' });
    const bad = (await start(name)).body.run.id;
    await app.app.jobs.drain();
    expect(await get(bad)).toMatchObject({ status: 'FAILURE', response: [{ statusCode: 500, body: 'no' }] });
    expect(receiver.received).toHaveLength(2);
  });

  test('is signed with the client secret, over time and body', async () => {
    const { id } = (await start(await action(hook()))).body.run;
    await app.app.jobs.drain();
    const [sent] = receiver.received;
    const timestamp = String(sent?.headers['x-port-timestamp']);
    expect(timestamp).toBe(String(Math.floor(app.clock.now().getTime() / 1000)));
    const hmac = createHmac('sha256', app.organization.clientSecret).update(`${timestamp}.${sent?.body}`);
    expect(sent?.headers['x-port-signature']).toBe(`v1,${hmac.digest('base64')}`);
    expect((await get(id)).status).toBe('IN_PROGRESS');
  });

  test('gets secrets, which the run and its log never show', async () => {
    const secret = { secretName: 'DEPLOY_KEY', secretValue: 'very-secret-value' };
    await app.request('POST', '/v1/organization/secrets', { body: secret });
    const name = await action(
      hook({ headers: { 'x-key': '{{ .secrets.DEPLOY_KEY }}' }, body: { key: '{{ .secrets["DEPLOY_KEY"] }}' } }),
    );
    const { id } = (await start(name)).body.run;
    await app.app.jobs.drain();
    const [sent] = receiver.received;
    expect([sent?.headers['x-key'], sent?.body]).toEqual([
      secret.secretValue,
      JSON.stringify({ key: secret.secretValue }),
    ]);
    const kept = JSON.stringify([await get(id), await logsOf(id), (await app.request('GET', '/v1/audit-log')).body]);
    expect(kept).toContain('******');
    expect(kept).not.toContain(secret.secretValue);
  });

  test('gets encrypted inputs that open with the client secret alone', async () => {
    const form = {
      properties: {
        key: { type: 'string', encryption: 'aes256-gcm' },
        bag: { type: 'object', encryption: 'aes256-gcm' },
      },
    };
    const name = await action(hook({ body: '{{ .inputs }}' }), {}, form);
    const { run } = (await start(name, { properties: { key: 'open sesame', bag: { a: 1 } } })).body;
    expect(JSON.stringify(run)).not.toContain('sesame');
    await app.app.jobs.drain();
    const opened = (sealed: string): string => {
      const bytes = Buffer.from(sealed, 'base64');
      const key = Buffer.from(app.organization.clientSecret).subarray(0, 32);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 16));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(16, -16)), decipher.final()]).toString();
    };
    const sent = JSON.parse(receiver.received[0]?.body ?? '');
    expect([opened(sent.key), opened(sent.bag)]).toEqual(['open sesame', '{"a":1}']);
  });

  test('without a body gets the whole context and no secret', async () => {
    const name = await action(hook());
    const { id } = (await start(name)).body.run;
    await app.app.jobs.drain();
    const sent = JSON.parse(receiver.received[0]?.body ?? '');
    expect(sent).toMatchObject({ run: { id }, inputs: {}, entity: {}, event: null, action: { identifier: name } });
    expect(sent).not.toHaveProperty('secrets');
    expect(sent.trigger).toMatchObject({ origin: 'API', operation: 'CREATE', by: { orgId: app.organization.id } });
  });

  test('that cannot be rendered fails with the reason, and the queue goes on', async () => {
    const broken = await action(hook({ body: { a: '{{ .x }' } }));
    const fine = await action(hook({ synchronized: true }));
    const first = (await start(broken)).body.run.id;
    const second = (await start(fine)).body.run.id;
    await app.app.jobs.drain();
    expect(await get(first)).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('rendered') });
    expect((await get(second)).status).toBe('SUCCESS');
    expect(receiver.received).toHaveLength(1);
  });

  test('at an address inside is refused with the reason', async () => {
    const guarded = await createTestApp({ allowsPrivateNetwork: false });
    try {
      const body = {
        identifier: 'inside',
        trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
        invocationMethod: hook(),
      };
      await guarded.request('POST', '/v1/actions', { body });
      const { id } = (await guarded.request('POST', '/v1/actions/inside/runs', { body: { properties: {} } })).body.run;
      await guarded.app.jobs.drain();
      const { run } = (await guarded.request('GET', `${runs}/${id}`)).body;
      expect(run).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('public internet') });
      expect(receiver.received).toHaveLength(0);
    } finally {
      await guarded.close();
    }
  });
});

describe('an entity is written', () => {
  test('merged, with the run noted, and the run is done', async () => {
    const blueprint = await createBlueprint(app.request, 'service', {
      properties: { lang: { type: 'string' }, size: { type: 'number' } },
    });
    await createEntity(app.request, blueprint, { identifier: 'cart', properties: { lang: 'Go', size: 1 } });
    const name = await action(
      {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: blueprint,
        mapping: { identifier: '{{ .inputs.id }}', properties: { size: '{{ .inputs.n }}' } },
      },
      {},
      { properties: { id: { type: 'string' }, n: { type: 'number' } } },
    );
    const { id } = (await start(name, { properties: { id: 'cart', n: 7 } })).body.run;
    await app.app.jobs.drain();
    expect((await get(id)).status).toBe('SUCCESS');
    expect((await readEntity(app.request, blueprint, 'cart')).properties).toMatchObject({ lang: 'Go', size: 7 });
    const audits = (await app.request('GET', `/v1/audit-log?run_id=${id}&resources=entity`)).body.audits;
    expect(audits.map((each: { context: { entity: string } }) => each.context.entity)).toEqual(['cart']);
  });

  test('an identifier that comes to nothing fails and makes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'service');
    const name = await action({
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: '{{ .inputs.gone }}' },
    });
    const { id } = (await start(name)).body.run;
    await app.app.jobs.drain();
    expect(await get(id)).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('identifier') });
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities).toEqual([]);
  });

  test("evidence stays the platform's", async () => {
    const mapping = { identifier: 'forged', properties: { status: 'Completed', asked_at: '2026-01-01T00:00:00Z' } };
    const name = await action({ type: 'UPSERT_ENTITY', blueprintIdentifier: '_ai_invocations', mapping });
    const { id } = (await start(name)).body.run;
    await app.app.jobs.drain();
    expect((await get(id)).status).toBe('FAILURE');
    expect((await app.request('GET', '/v1/blueprints/_ai_invocations/entities/forged')).status).toBe(404);
  });
});

describe('inputs', () => {
  const properties = {
    name: { type: 'string', minLength: 3 },
    count: { type: 'number', default: 2 },
    twice: { type: 'number', default: { jqQuery: '.form.count * 2' } },
    color: { type: 'string', enum: { jqQuery: 'if .form.count > 1 then ["red","blue"] else ["red"] end' } },
    why: { type: 'string', visible: { jqQuery: '.form.color == "blue"' } },
  };
  const required = { jqQuery: 'if .form.count > 5 then ["name","why"] else ["name"] end' };

  test('get their defaults, also where these are expressions', async () => {
    const name = await action(hook(), {}, { properties, required });
    const { run } = (await start(name, { properties: { name: 'cart' } })).body;
    expect(run.properties).toEqual({ name: 'cart', count: 2, twice: 4 });
  });

  test.each([
    [{}, ['/properties/name']],
    [{ name: 'ab', extra: 1 }, ['/properties/extra', '/properties/name']],
    [{ name: 'abc', count: 'x', color: 'green' }, ['/properties/color', '/properties/count', '/properties/twice']],
    [{ name: 'abc', count: 1, color: 'blue' }, ['/properties/color']],
    [{ name: 'abc', count: 6, color: 'blue' }, ['/properties/why']],
  ])('%j is refused with every problem, and no run is made', async (values, paths) => {
    const name = await action(hook(), {}, { properties, required });
    const before = await app.count('action_runs');
    const answer = await start(name, { properties: values });
    expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([422, 'invalid_request']);
    expect([...new Set(issuePaths(answer.body))].sort()).toEqual(paths);
    expect(await app.count('action_runs')).toBe(before);
  });

  test('what is hidden is not required', async () => {
    const name = await action(hook(), {}, { properties, required });
    expect((await start(name, { properties: { name: 'abc', count: 6, color: 'red' } })).status).toBe(202);
  });

  test('entities must be there, be readable and fit the dataset; templates see them whole', async () => {
    const blueprint = await createBlueprint(app.request, 'team', { properties: { tier: { type: 'string' } } });
    await createEntity(app.request, blueprint, { identifier: 'gold', title: 'Gold', properties: { tier: 'one' } });
    await createEntity(app.request, blueprint, { identifier: 'iron', properties: { tier: 'two' } });
    const dataset = {
      combinator: 'and',
      rules: [{ property: 'tier', operator: '=', value: { jqQuery: '.form.tier' } }],
    };
    const form = {
      properties: { tier: { type: 'string' }, one: { type: 'string', format: 'entity', blueprint, dataset } },
    };
    const name = await action(hook({ body: { title: '{{ .inputs.one.title }}' } }), {}, form);
    expect((await start(name, { properties: { tier: 'one', one: 'gold' } })).status).toBe(202);
    for (const one of ['iron', 'none']) {
      const answer = await start(name, { properties: { tier: 'one', one } });
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/properties/one']]);
    }
    await app.app.jobs.drain();
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ title: 'Gold' });
  });
});

describe('an action on an entity', () => {
  test('needs one that is there and meets the condition', async () => {
    const blueprint = await createBlueprint(app.request, 'host', { properties: { up: { type: 'boolean' } } });
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { up: true } });
    await createEntity(app.request, blueprint, { identifier: 'b', properties: { up: false } });
    const identifier = unique('stop');
    const condition = { type: 'SEARCH', combinator: 'and', rules: [{ property: 'up', operator: '=', value: true }] };
    const trigger = {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: blueprint,
      userInputs: { properties: {} },
      condition,
    };
    await app.request('POST', '/v1/actions', {
      body: { identifier, trigger, invocationMethod: hook({ body: { up: '{{ .entity.properties.up }}' } }) },
    });
    const started = await start(identifier, { properties: {}, entity: 'a' });
    expect(started.status).toBe(202);
    expect(started.body.run).toMatchObject({ blueprint, entity: 'a' });
    expect((await start(identifier, { properties: {}, entity: 'b' })).status).toBe(422);
    expect((await start(identifier, { properties: {} })).status).toBe(422);
    expect((await start(identifier, { properties: {}, entity: 'none' })).status).toBe(404);
    await app.app.jobs.drain();
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ up: true });
  });

  test('for those who own it alone, where that is asked', async () => {
    const team = unique('crew');
    await createEntity(app.request, '_team', { identifier: team });
    const blueprint = await createBlueprint(app.request, 'host', { ownership: { type: 'Direct' } });
    await createEntity(app.request, blueprint, { identifier: 'ours', team });
    await createEntity(app.request, blueprint, { identifier: 'theirs' });
    const identifier = unique('stop');
    const trigger = {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: blueprint,
      userInputs: { properties: {} },
    };
    await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod: hook() } });
    await app.request('PATCH', `/v1/actions/${identifier}/permissions`, {
      body: { execute: { roles: ['Admin'], ownedByTeam: true } },
    });
    const token = await person(unique('owner'), team);
    expect((await start(identifier, { properties: {}, entity: 'ours' }, { token })).status).toBe(202);
    expect((await start(identifier, { properties: {}, entity: 'theirs' }, { token })).status).toBe(403);
  });
});

describe('a policy', () => {
  const policyOf = (condition: string, rules: unknown[] = []) => ({
    queries: { mine: { combinator: 'and', rules } },
    conditions: [condition],
  });

  test('decides who runs, by what its queries find and by the inputs', async () => {
    const team = unique('crew');
    await createEntity(app.request, '_team', { identifier: team });
    const blueprint = await createBlueprint(app.request, 'quota', { properties: { left: { type: 'number' } } });
    await createEntity(app.request, blueprint, { identifier: team, properties: { left: 2 } });
    const [inside, outside] = [await person(unique('in'), team), await person(unique('out'))];
    const name = await action(hook(), {}, { properties: { n: { type: 'number' } } });
    const rules = [
      { property: '$blueprint', operator: '=', value: blueprint },
      { property: '$identifier', operator: 'in', value: '{{ .user.team }}' },
    ];
    const policy = policyOf(
      'any(.results.mine.entities[]; .properties.left >= ($n | tonumber))'.replace('$n', '"1"'),
      rules,
    );
    const patched = await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute: { policy } } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect((await start(name, { properties: { n: 1 } }, { token: inside })).status).toBe(202);
    expect((await start(name, { properties: { n: 1 } }, { token: outside })).status).toBe(403);
    expect((await start(name, { properties: { n: 1 } })).status).toBe(202);
  });

  test('that fails or cannot be read grants nothing', async () => {
    const token = await person(unique('jo'));
    for (const condition of ['.x |', 'error("no")', '"true"', 'null']) {
      const name = await action(hook());
      await app.request('PATCH', `/v1/actions/${name}/permissions`, {
        body: { execute: { policy: policyOf(condition) } },
      });
      expect((await start(name, { properties: {} }, { token })).status).toBe(403);
    }
  });

  test('names who approves', async () => {
    const ann = unique('ann');
    const token = await person(ann);
    const other = await person(unique('bob'));
    const name = await action(hook(), { requiredApproval: true });
    const policy = policyOf(`["${ann}@example.com"]`);
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve: { roles: ['Member'], policy } } });
    const { id } = (await start(name)).body.run;
    const decide = (as: string) =>
      app.request('PATCH', `${runs}/${id}/approval`, { token: as, body: { status: 'APPROVE' } });
    expect((await decide(other)).status).toBe(403);
    expect((await decide(token)).body.run.status).toBe('IN_PROGRESS');
  });
});

describe('approval', () => {
  const ask = (id: string, status: string, token?: string) =>
    app.request('PATCH', `${runs}/${id}/approval`, {
      body: { status, description: 'because' },
      ...(token ? { token } : {}),
    });

  test('nothing is sent before it, and once after it', async () => {
    const name = await action(hook(), { requiredApproval: true });
    const { id, status } = (await start(name)).body.run;
    expect(status).toBe('WAITING_FOR_APPROVAL');
    await app.app.jobs.drain();
    expect(receiver.received).toHaveLength(0);
    const member = await app.organization.memberToken();
    expect((await ask(id, 'APPROVE', member)).status).toBe(403);
    const approved = await ask(id, 'APPROVE');
    expect([approved.status, approved.body.run.status]).toEqual([201, 'IN_PROGRESS']);
    expect(approved.body.run.approval).toMatchObject({ state: 'APPROVED', description: 'because' });
    expect((await ask(id, 'APPROVE')).status).toBe(201);
    await app.app.jobs.drain();
    expect(receiver.received).toHaveLength(1);
    expect((await ask(id, 'DECLINE')).body.error).toBe('run_ended');
  });

  test('declined is the end', async () => {
    const name = await action(hook(), { requiredApproval: true });
    const { id } = (await start(name)).body.run;
    expect((await ask(id, 'DECLINE')).body.run.status).toBe('DECLINED');
    expect((await ask(id, 'APPROVE')).status).toBe(422);
    expect((await app.request('PATCH', `${runs}/${id}`, { body: { status: 'SUCCESS' } })).status).toBe(422);
    await app.app.jobs.drain();
    expect(receiver.received).toHaveLength(0);
  });

  test('of all who may, each must', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const tokens = [await person(ann), await person(bob)] as const;
    const users = [ann, bob].map((name) => `${name}@example.com`);
    const name = await action(hook(), { requiredApproval: { type: 'ALL' } });
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve: { roles: [], users } } });
    const { id } = (await start(name)).body.run;
    const pending = await app.request('GET', `${runs}/${id}/approvers?include_pending_approvers=true`);
    expect(pending.body.approvers.map(({ userId }: { userId: string }) => userId).sort()).toEqual(users.sort());
    expect((await ask(id, 'APPROVE', tokens[0])).body.run.status).toBe('WAITING_FOR_APPROVAL');
    expect((await ask(id, 'APPROVE', tokens[0])).body.run.status).toBe('WAITING_FOR_APPROVAL');
    expect((await ask(id, 'APPROVE', tokens[1])).body.run.status).toBe('IN_PROGRESS');
  });

  test('whoever asked may withdraw what waits, and nobody may call it a success', async () => {
    const token = await person(unique('asker'));
    const name = await action(hook(), { requiredApproval: true });
    const { id } = (await start(name, { properties: {} }, { token })).body.run;
    expect((await app.request('PATCH', `${runs}/${id}`, { token, body: { status: 'SUCCESS' } })).status).toBe(422);
    const withdrawn = await app.request('PATCH', `${runs}/${id}`, { token, body: { status: 'FAILURE' } });
    expect(withdrawn.body.run.status).toBe('FAILURE');
    expect((await ask(id, 'APPROVE')).status).toBe(422);
  });
});

describe('logs', () => {
  test('are read in order, and one can end the run, once', async () => {
    const name = await action(hook());
    const { id } = (await start(name)).body.run;
    const add = (body: object) => app.request('POST', `${runs}/${id}/logs`, { body });
    const first = await add({ message: 'one' });
    expect([first.status, first.body.runLog]).toMatchObject([201, { runId: id, message: 'one' }]);
    await add({ message: 'two', terminationStatus: 'SUCCESS', statusLabel: 'Fine' });
    expect(await get(id)).toMatchObject({ status: 'SUCCESS', statusLabel: 'Fine' });
    expect((await add({ message: 'three' })).body.error).toBe('run_ended');
    expect(await logsOf(id)).toEqual(['one', 'two']);
    const page = await app.request('GET', `${runs}/${id}/logs?limit=1&offset=1`);
    expect(page.body.runLogs).toHaveLength(1);
    expect((await app.request('GET', `${runs}/${id}/logs?limit=51`)).status).toBe(422);
  });
});

describe('executors that pull', () => {
  const invocation = (installationId: string) => ({
    type: 'INTEGRATION_ACTION',
    installationId,
    integrationActionType: 'dispatch_workflow',
    integrationActionExecutionProperties: { org: 'o', repo: '{{ .inputs.repo }}' },
  });
  const claim = (installationId: string, more: object = {}) =>
    app.request('POST', `${runs}/claim-pending`, {
      body: { installationId, limit: 5, visibilityTimeoutMs: 60_000, ...more },
      headers: { 'x-port-reserved-usage': 'true' },
    });

  test('get a run each to one at a time, and again when a claim has ended', async () => {
    const installation = unique('gh');
    const name = await action(invocation(installation), {}, { properties: { repo: { type: 'string' } } });
    const { id } = (await start(name, { properties: { repo: 'cart' } })).body.run;
    await app.app.jobs.drain();
    const [first, second] = await Promise.all([claim(installation), claim(installation)]);
    const taken = [...first.body.runs, ...second.body.runs];
    expect(taken.map((run) => run.id)).toEqual([id]);
    expect(taken[0]).toMatchObject({
      status: 'IN_PROGRESS',
      action: { identifier: name },
      payload: { ...invocation(installation), integrationActionExecutionProperties: { org: 'o', repo: 'cart' } },
    });
    app.clock.advance(60_000);
    expect((await claim(installation, { exclude: [name] })).body.runs).toEqual([]);
    expect((await claim(installation)).body.runs).toHaveLength(1);
    const ack = () => app.request('PATCH', `${runs}/ack`, { body: { runId: id } });
    const acks = await Promise.all([ack(), ack()]);
    expect(acks.map(({ status }) => status).sort()).toEqual([200, 409]);
    app.clock.advance(600_000);
    expect((await claim(installation)).body.runs).toEqual([]);
    const response = await app.request('POST', `${runs}/${id}/response`, { body: { response: { ok: 1 } } });
    expect(response.body.run.response).toEqual([{ ok: 1 }]);
  });

  test('are programs of the organization, and of no other', async () => {
    const installation = unique('gh');
    const name = await action(invocation(installation));
    await start(name);
    await app.app.jobs.drain();
    const member = await app.organization.memberToken();
    const body = { installationId: installation, limit: 5 };
    expect((await app.request('POST', `${runs}/claim-pending`, { body, token: member })).status).toBe(403);
    const other = await app.createOrganization();
    expect((await other.request('POST', `${runs}/claim-pending`, { body })).body.runs).toEqual([]);
  });
});

describe('who sees a run', () => {
  test('everybody, unless the action keeps them to those concerned', async () => {
    const asker = await person(unique('asker'));
    const other = await person(unique('other'));
    const open = await action(hook());
    const kept = await action(hook(), { allowAnyoneToViewRuns: false });
    const ids = [];
    for (const name of [open, kept]) ids.push((await start(name, { properties: {} }, { token: asker })).body.run.id);
    const see = async (id: string, token: string) => (await app.request('GET', `${runs}/${id}`, { token })).status;
    expect([await see(ids[0], other), await see(ids[1], other)]).toEqual([200, 404]);
    expect([await see(ids[0], asker), await see(ids[1], asker)]).toEqual([200, 200]);
    const listed = (await app.request('GET', `${runs}?limit=1000`, { token: other })).body.runs;
    expect(JSON.stringify(listed)).not.toContain(ids[1]);
  });

  test('on behalf of somebody, for the credentials of the organization alone', async () => {
    const name = unique('someone');
    const token = await person(name);
    const act = await action(hook());
    const run = (await start(act, { properties: {} }, {}, `?run_as=${name}@example.com`)).body.run;
    expect(run).toMatchObject({ createdBy: `${name}@example.com`, impersonatedBy: app.organization.clientId });
    expect((await start(act, { properties: {} }, { token }, `?run_as=${name}@example.com`)).status).toBe(403);
    expect((await start(act, { properties: {} }, {}, '?run_as=nobody@example.com')).status).toBe(404);
  });

  test('a run survives its action', async () => {
    const name = await action(hook());
    const { id } = (await start(name)).body.run;
    await app.request('DELETE', `/v1/actions/${name}`);
    expect((await get(id)).action).toEqual({ identifier: name, title: 'Act', deleted: true });
  });
});
