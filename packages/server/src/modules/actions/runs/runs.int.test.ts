import { createDecipheriv, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let world: ActionWorld;
beforeAll(async () => {
  app = await createTestApp();
  world = await createActionWorld(app);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  world.receiver.received.length = 0;
  world.receiver.answer = () => ({ status: 200 });
});

describe('a webhook', () => {
  test('is called with what its templates come to, and the run goes on until somebody reports', async () => {
    const name = await world.action(
      world.hook({ headers: { 'X-Run': '{{ .run.id }}' }, body: { id: '{{ .run.id }}', in: '{{ .inputs.who }}' } }),
      {},
      { properties: { who: { type: 'string' } } },
    );
    const started = await world.start(name, { properties: { who: 'me' } });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const { id } = started.body.run;
    expect(id).toMatch(/^r_[A-Za-z0-9]{16}$/);
    expect(started.body.run).toMatchObject({ status: 'IN_PROGRESS', action: name, source: 'API', link: [] });
    expect(world.receiver.received).toHaveLength(0);
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(1);
    const [sent] = world.receiver.received;
    expect(JSON.parse(sent?.body ?? '')).toEqual({ id, in: 'me' });
    expect(sent?.headers).toMatchObject({ 'x-run': id, 'idempotency-key': id, 'content-type': 'application/json' });
    expect(await world.get(id)).toMatchObject({ status: 'IN_PROGRESS', endedAt: null, action: { identifier: name } });
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(1);
    const ended = await app.request('PATCH', `${runsPath}/${id}?runId=${id}`, {
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
    const again = await app.request('PATCH', `${runsPath}/${id}`, { body: { status: 'FAILURE' } });
    expect([again.status, again.body.error]).toEqual([422, 'run_ended']);
    const found = (await app.request('GET', `${runsPath}?version=v2&external_run_id=e1`)).body.runs;
    expect(found.map((run: { id: string }) => run.id)).toEqual([id]);
  });

  test('that is synchronized ends with the answer, which is kept', async () => {
    const name = await world.action(world.hook({ synchronized: true }));
    world.receiver.answer = () => ({ status: 201, body: '{"made":1}' });
    const good = (await world.start(name)).body.run.id;
    await app.app.jobs.drain();
    expect(await world.get(good)).toMatchObject({
      status: 'SUCCESS',
      response: [{ statusCode: 201, body: { made: 1 } }],
    });
    world.receiver.answer = () => ({ status: 500, body: 'no' });
    const bad = (await world.start(name)).body.run.id;
    await app.app.jobs.drain();
    expect(await world.get(bad)).toMatchObject({ status: 'FAILURE', response: [{ statusCode: 500, body: 'no' }] });
    expect(world.receiver.received).toHaveLength(2);
  });

  test('is signed with the client secret, over time and body', async () => {
    const { id } = (await world.start(await world.action(world.hook()))).body.run;
    await app.app.jobs.drain();
    const [sent] = world.receiver.received;
    const timestamp = String(sent?.headers['x-port-timestamp']);
    expect(timestamp).toBe(String(Math.floor(app.clock.now().getTime() / 1000)));
    const hmac = createHmac('sha256', app.organization.clientSecret).update(`${timestamp}.${sent?.body}`);
    expect(sent?.headers['x-port-signature']).toBe(`v1,${hmac.digest('base64')}`);
    expect((await world.get(id)).status).toBe('IN_PROGRESS');
  });

  test('gets secrets, which the run and its log never show', async () => {
    const secret = { secretName: 'DEPLOY_KEY', secretValue: 'very-secret-value' };
    await app.request('POST', '/v1/organization/secrets', { body: secret });
    const name = await world.action(
      world.hook({ headers: { 'x-key': '{{ .secrets.DEPLOY_KEY }}' }, body: { key: '{{ .secrets["DEPLOY_KEY"] }}' } }),
    );
    const { id } = (await world.start(name)).body.run;
    await app.app.jobs.drain();
    const [sent] = world.receiver.received;
    expect([sent?.headers['x-key'], sent?.body]).toEqual([
      secret.secretValue,
      JSON.stringify({ key: secret.secretValue }),
    ]);
    const kept = JSON.stringify([
      await world.get(id),
      await world.logsOf(id),
      (await app.request('GET', '/v1/audit-log')).body,
    ]);
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
    const name = await world.action(world.hook({ body: '{{ .inputs }}' }), {}, form);
    const { run } = (await world.start(name, { properties: { key: 'open sesame', bag: { a: 1 } } })).body;
    expect(JSON.stringify(run)).not.toContain('sesame');
    await app.app.jobs.drain();
    const opened = (sealed: string): string => {
      const bytes = Buffer.from(sealed, 'base64');
      const key = Buffer.from(app.organization.clientSecret).subarray(0, 32);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 16));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(16, -16)), decipher.final()]).toString();
    };
    const sent = JSON.parse(world.receiver.received[0]?.body ?? '');
    expect([opened(sent.key), opened(sent.bag)]).toEqual(['open sesame', '{"a":1}']);
  });

  test('without a body gets the whole context and no secret', async () => {
    const name = await world.action(world.hook());
    const { id } = (await world.start(name)).body.run;
    await app.app.jobs.drain();
    const sent = JSON.parse(world.receiver.received[0]?.body ?? '');
    expect(sent).toMatchObject({ run: { id }, inputs: {}, entity: {}, event: null, action: { identifier: name } });
    expect(sent).not.toHaveProperty('secrets');
    expect(sent.trigger).toMatchObject({ origin: 'API', operation: 'CREATE', by: { orgId: app.organization.id } });
  });

  test('that cannot be rendered fails with the reason, and the queue goes on', async () => {
    const broken = await world.action(world.hook({ body: { a: '{{ .x }' } }));
    const fine = await world.action(world.hook({ synchronized: true }));
    const first = (await world.start(broken)).body.run.id;
    const second = (await world.start(fine)).body.run.id;
    await app.app.jobs.drain();
    expect(await world.get(first)).toMatchObject({
      status: 'FAILURE',
      statusLabel: expect.stringContaining('rendered'),
    });
    expect((await world.get(second)).status).toBe('SUCCESS');
    expect(world.receiver.received).toHaveLength(1);
  });

  test('at an address inside is refused with the reason', async () => {
    const guarded = await createTestApp({ allowsPrivateNetwork: false });
    try {
      const body = {
        identifier: 'inside',
        trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
        invocationMethod: world.hook(),
      };
      await guarded.request('POST', '/v1/actions', { body });
      const { id } = (await guarded.request('POST', '/v1/actions/inside/runs', { body: { properties: {} } })).body.run;
      await guarded.app.jobs.drain();
      const { run } = (await guarded.request('GET', `${runsPath}/${id}`)).body;
      expect(run).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('public internet') });
      expect(world.receiver.received).toHaveLength(0);
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
    const name = await world.action(
      {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: blueprint,
        mapping: { identifier: '{{ .inputs.id }}', properties: { size: '{{ .inputs.n }}' } },
      },
      {},
      { properties: { id: { type: 'string' }, n: { type: 'number' } } },
    );
    const { id } = (await world.start(name, { properties: { id: 'cart', n: 7 } })).body.run;
    await app.app.jobs.drain();
    expect((await world.get(id)).status).toBe('SUCCESS');
    expect((await readEntity(app.request, blueprint, 'cart')).properties).toMatchObject({ lang: 'Go', size: 7 });
    const audits = (await app.request('GET', `/v1/audit-log?run_id=${id}&resources=entity`)).body.audits;
    expect(audits.map((each: { context: { entity: string } }) => each.context.entity)).toEqual(['cart']);
  });

  test('an identifier that comes to nothing fails and makes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'service');
    const name = await world.action({
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: '{{ .inputs.gone }}' },
    });
    const { id } = (await world.start(name)).body.run;
    await app.app.jobs.drain();
    expect(await world.get(id)).toMatchObject({
      status: 'FAILURE',
      statusLabel: expect.stringContaining('identifier'),
    });
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities).toEqual([]);
  });

  test("evidence stays the platform's", async () => {
    const mapping = { identifier: 'forged', properties: { status: 'Completed', asked_at: '2026-01-01T00:00:00Z' } };
    const name = await world.action({ type: 'UPSERT_ENTITY', blueprintIdentifier: '_ai_invocations', mapping });
    const { id } = (await world.start(name)).body.run;
    await app.app.jobs.drain();
    expect((await world.get(id)).status).toBe('FAILURE');
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
    const name = await world.action(world.hook(), {}, { properties, required });
    const { run } = (await world.start(name, { properties: { name: 'cart' } })).body;
    expect(run.properties).toEqual({ name: 'cart', count: 2, twice: 4 });
  });

  test.each([
    [{}, ['/properties/name']],
    [{ name: 'ab', extra: 1 }, ['/properties/extra', '/properties/name']],
    [{ name: 'abc', count: 'x', color: 'green' }, ['/properties/color', '/properties/count', '/properties/twice']],
    [{ name: 'abc', count: 1, color: 'blue' }, ['/properties/color']],
    [{ name: 'abc', count: 6, color: 'blue' }, ['/properties/why']],
  ])('%j is refused with every problem, and no run is made', async (values, paths) => {
    const name = await world.action(world.hook(), {}, { properties, required });
    const before = await app.count('action_runs');
    const answer = await world.start(name, { properties: values });
    expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([422, 'invalid_request']);
    expect([...new Set(issuePaths(answer.body))].sort()).toEqual(paths);
    expect(await app.count('action_runs')).toBe(before);
  });

  test('what the form does not know is refused, and no run is made', async () => {
    const name = await world.action(world.hook(), {}, { properties: { text: { type: 'string' } } });
    const before = await app.count('action_runs');
    const answer = await world.start(name, { properties: { text: 'a', tekst: 'b', toString: 'c' } });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([
      422,
      ['/properties/tekst', '/properties/toString'],
    ]);
    expect(answer.body.details[0].message).toContain('it takes text');
    expect(await app.count('action_runs')).toBe(before);
  });

  test('an action without a form takes whatever it is sent', async () => {
    const name = await world.action(world.hook(), {}, { properties: {} });
    const { status, body } = await world.start(name, { properties: { text: 'test', number: 1, boolean: true } });
    expect([status, body.run.properties]).toEqual([202, { text: 'test', number: 1, boolean: true }]);
  });

  test('what is hidden is not required', async () => {
    const name = await world.action(world.hook(), {}, { properties, required });
    expect((await world.start(name, { properties: { name: 'abc', count: 6, color: 'red' } })).status).toBe(202);
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
    const name = await world.action(world.hook({ body: { title: '{{ .inputs.one.title }}' } }), {}, form);
    expect((await world.start(name, { properties: { tier: 'one', one: 'gold' } })).status).toBe(202);
    for (const one of ['iron', 'none']) {
      const answer = await world.start(name, { properties: { tier: 'one', one } });
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/properties/one']]);
    }
    await app.app.jobs.drain();
    expect(JSON.parse(world.receiver.received[0]?.body ?? '')).toEqual({ title: 'Gold' });
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
      body: { identifier, trigger, invocationMethod: world.hook({ body: { up: '{{ .entity.properties.up }}' } }) },
    });
    const started = await world.start(identifier, { properties: {}, entity: 'a' });
    expect(started.status).toBe(202);
    expect(started.body.run).toMatchObject({ blueprint, entity: 'a' });
    expect((await world.start(identifier, { properties: {}, entity: 'b' })).status).toBe(422);
    expect((await world.start(identifier, { properties: {} })).status).toBe(422);
    expect((await world.start(identifier, { properties: {}, entity: 'none' })).status).toBe(404);
    await app.app.jobs.drain();
    expect(JSON.parse(world.receiver.received[0]?.body ?? '')).toEqual({ up: true });
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
    await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod: world.hook() } });
    await app.request('PATCH', `/v1/actions/${identifier}/permissions`, {
      body: { execute: { roles: ['Admin'], ownedByTeam: true } },
    });
    const token = await world.person(unique('owner'), team);
    expect((await world.start(identifier, { properties: {}, entity: 'ours' }, { token })).status).toBe(202);
    expect((await world.start(identifier, { properties: {}, entity: 'theirs' }, { token })).status).toBe(403);
  });
});
