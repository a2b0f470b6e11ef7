import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createWebhooks, type Webhooks } from '../../../../test/webhook-fixtures.ts';

let app: TestApp;
let blueprint: string;
let create: Webhooks['create'];
let send: Webhooks['send'];
let deliver: Webhooks['deliver'];
let mapping: Webhooks['mapping'];
let entityCount: Webhooks['entityCount'];
beforeAll(async () => {
  app = await createTestApp();
  ({ blueprint, create, send, deliver, mapping, entityCount } = await createWebhooks(app));
});
afterAll(() => app.close());

describe('an event', () => {
  test('becomes an entity, merged into what is there, in the name of the webhook', async () => {
    const hook = await create({ mappings: [mapping()] });
    const id = unique('pr');
    const sent = await send(hook, { id, title: 'First', user: { login: 'ann' }, size: 3 });
    expect(sent.body).toEqual({ ok: true, deliveryId: expect.any(String), state: 'waiting' });
    // the answer comes before the mapping
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${id}`)).status).toBe(404);
    await app.app.jobs.drain();
    const first = await readEntity(app.request, blueprint, id);
    expect(first).toMatchObject({ title: 'First', properties: { author: 'ann', size: 3 } });
    expect(first.createdBy).toBe(`webhook/${hook.identifier}`);
    await app.request('PATCH', `/v1/blueprints/${blueprint}/entities/${id}`, {
      body: { properties: { data: { a: 1 } } },
    });
    const second = await deliver(hook, { id, title: 'Second', user: { login: 'bob' }, size: 4 });
    expect(second).toMatchObject({ state: 'processed', reason: null, results: [{ verdict: 'applied', updated: 1 }] });
    expect((await readEntity(app.request, blueprint, id)).properties).toEqual({
      author: 'bob',
      size: 4,
      data: { a: 1 },
    });
    const audits = (await app.request('GET', `/v1/audit-log?webhookEventId=${second.id}`)).body.audits;
    expect(audits.map((each: { context: unknown }) => each.context)).toMatchObject([
      { webhookId: hook.identifier, entity: id, blueprint },
    ]);
  });

  test('is seen with lower-case headers and its query, without credentials and signature', async () => {
    const secret = 's3cret-value';
    const hook = await create({
      security: { secret, signatureHeaderName: 'X-Token', signatureAlgorithm: 'plain' },
      mappings: [mapping({}, { identifier: '.body.id', properties: { data: '{headers, queryParams}' } })],
    });
    const id = unique('pr');
    const headers = { 'X-Token': secret, 'X-GitHub-Event': 'push', Authorization: 'Bearer other', Cookie: 'a=b' };
    const delivery = await deliver(hook, { id }, { headers, query: '?a=1&b=2&b=3' });
    const { data } = (await readEntity(app.request, blueprint, id)).properties as {
      data: { headers: Record<string, string>; queryParams: unknown };
    };
    expect(data.headers).toMatchObject({ 'x-github-event': 'push' });
    expect(data.queryParams).toEqual({ a: '1', b: ['2', '3'] });
    for (const shown of [JSON.stringify(data), JSON.stringify(delivery)]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('Bearer other');
      expect(shown).not.toContain('a=b');
    }
  });

  test('of many items becomes one entity for each, the last of a name winning, five hundred at most', async () => {
    const hook = await create({
      mappings: [
        mapping(
          { itemsToParse: '.body.items', filter: '.item.wanted' },
          { identifier: '.item.id', title: null, properties: { author: '.body.by', size: '.item.n' } },
        ),
      ],
    });
    const stem = unique('many');
    const items = Array.from({ length: 510 }, (_none, n) => ({ id: `${stem}-${n % 45}`, n, wanted: n < 50 }));
    const delivery = await deliver(hook, { by: 'ann', items });
    expect(delivery.results[0]).toMatchObject({
      verdict: 'applied',
      created: 45,
      updated: 5,
      skipped: 450,
      failed: 0,
      reason: 'Only the first 500 of 510 items were taken',
    });
    const sizes = await Promise.all([0, 4, 5, 44].map((n) => readEntity(app.request, blueprint, `${stem}-${n}`)));
    expect(sizes.map(({ properties }) => properties['size'])).toEqual([45, 49, 5, 44]);
  });

  test('that no mapping asks for changes nothing, and says why', async () => {
    const hook = await create({
      mappings: [
        mapping({ filter: '.headers."x-event" == "push"' }),
        mapping({ filter: '"true"' }),
        mapping({ filter: '.a(' }),
      ],
    });
    const before = await entityCount();
    const delivery = await deliver(hook, { id: 'x' });
    expect(delivery).toMatchObject({ state: 'processed', reason: 'No mapping asks for this event' });
    expect(delivery.results.map((each: { reason: string }) => each.reason)).toEqual([
      'The filter gave false and not true',
      'The filter gave "true" and not true',
      expect.stringContaining('The filter failed'),
    ]);
    expect(await entityCount()).toBe(before);
  });

  test('deletes what a mapping names, with what requires it unless told otherwise', async () => {
    const parent = await createBlueprint(app.request, 'parent');
    const child = await createBlueprint(app.request, 'child', {
      relations: { up: { target: parent, required: true } },
    });
    for (const name of ['a', 'b', 'c']) {
      await createEntity(app.request, parent, { identifier: name });
      await createEntity(app.request, child, { identifier: name, relations: { up: name } });
    }
    const hook = (operation: unknown) =>
      create({ mappings: [{ blueprint: parent, operation, entity: { identifier: '.body.id' } }] });
    const plain = await hook('delete');
    expect((await deliver(plain, { id: 'a' })).results[0]).toMatchObject({ verdict: 'applied', deleted: 1 });
    expect((await app.request('GET', `/v1/blueprints/${child}/entities/a`)).status).toBe(404);
    const careful = await deliver(await hook({ type: 'delete', deleteDependents: false }), { id: 'b' });
    expect(careful).toMatchObject({
      state: 'failed',
      results: [{ verdict: 'failed', failed: 1, issues: [{ entity: 'b' }] }],
    });
    expect((await app.request('GET', `/v1/blueprints/${parent}/entities/b`)).status).toBe(200);
    const gone = await deliver(plain, { id: 'nobody' });
    expect(gone).toMatchObject({ state: 'processed', results: [{ verdict: 'applied', deleted: 0, skipped: 1 }] });
    const described = { combinator: "'and'", rules: [{ property: '$identifier', operator: '=', value: '.body.id' }] };
    const found = await create({
      mappings: [{ blueprint: parent, operation: 'delete', entity: { identifier: described } }],
    });
    expect((await deliver(found, { id: 'c' })).results[0]).toMatchObject({ deleted: 1 });
  });

  test('relates by name and by description, and makes what is missing', async () => {
    const target = await createBlueprint(app.request, 'repo', { properties: { slug: { type: 'string' } } });
    await createEntity(app.request, target, { identifier: 'known', properties: { slug: 'org/known' } });
    const source = await createBlueprint(app.request, 'build', { relations: { repo: { target } } });
    const by = (relation: unknown) =>
      create({ mappings: [{ blueprint: source, entity: { identifier: '.body.id', relations: { repo: relation } } }] });
    await deliver(await by('.body.repo'), { id: 'one', repo: 'fresh' });
    expect((await readEntity(app.request, source, 'one')).relations).toEqual({ repo: 'fresh' });
    const query = { combinator: "'and'", rules: [{ property: "'slug'", operator: "'='", value: '.body.slug' }] };
    await deliver(await by(query), { id: 'two', slug: 'org/known' });
    expect((await readEntity(app.request, source, 'two')).relations).toEqual({ repo: 'known' });
  });

  test('in a form is its fields', async () => {
    const hook = await create({
      mappings: [mapping({}, { identifier: '.body.id', title: '.body.payload | fromjson | .t' })],
    });
    const id = unique('form');
    const payload = new URLSearchParams({ id, payload: '{"t":"From a form"}' }).toString();
    await deliver(hook, undefined, { payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect((await readEntity(app.request, blueprint, id)).title).toBe('From a form');
  });

  test('events of one webhook are mapped in the order they came', async () => {
    const hook = await create({
      mappings: [
        mapping({ filter: '.body.op == "set"' }),
        mapping({ filter: '.body.op == "drop"', operation: 'delete' }),
      ],
    });
    const id = unique('ordered');
    for (let size = 0; size < 25; size += 1) {
      await send(hook, { id, op: 'set', size });
      if (size % 3 === 0) await send(hook, { id, op: 'drop' });
    }
    await app.app.jobs.drain();
    // 24 is the last one set and 24 % 3 === 0, so it is dropped
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${id}`)).status).toBe(404);
    await deliver(hook, { id, op: 'set', size: 99 });
    expect((await readEntity(app.request, blueprint, id)).properties['size']).toBe(99);
  });
});

describe('hostile events and expressions', () => {
  test('names with quotes, paths and commands are refused as names, one by one', async () => {
    const hook = await create({
      mappings: [mapping({ itemsToParse: '.body.names' }, { identifier: '.item', properties: {} })],
    });
    const fine = unique('fine');
    const names = [
      "'; drop table entities; --",
      '../e tc',
      '..',
      '',
      null,
      'a b',
      { a: 1 },
      ['x'],
      'x'.repeat(1001),
      fine,
      '$(id)',
    ];
    const before = await entityCount();
    const { results, state } = await deliver(hook, { names });
    expect(state).toBe('failed');
    expect(results[0]).toMatchObject({ verdict: 'partial', created: 1, skipped: 2 });
    expect(results[0].failed).toBe(names.length - 3);
    expect(await entityCount()).toBe(before + 1);
    const audits = (await app.request('GET', `/v1/audit-log?status=FAILURE&webhookId=${hook.identifier}`)).body.audits;
    expect(audits.length).toBe(names.length - 3);
  });

  test('expressions without end are stopped, one after another and together', async () => {
    const slow = { author: '[limit(1e9; repeat(1))] | length | tostring', size: '[range(1e9)] | length' };
    const hook = await create({
      mappings: [mapping({ itemsToParse: '[range(500)]' }, { identifier: '"e\\(.item)"', properties: slow })],
    });
    const began = performance.now();
    const { results, state } = await deliver(hook, {});
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(state).toBe('failed');
    expect(results[0].reason).toContain('took too long');
    expect(results[0].issues[0].message).toContain('failed: limit reached');
  });

  test.each([
    ['"itemsToParse" that is no list', { itemsToParse: '.body' }, {}],
    ['"itemsToParse" that fails', { itemsToParse: '.body | error("no")' }, {}],
    ['a pattern that explodes', {}, { title: `"${'a'.repeat(40)}!" | test("^(a+)+$") | tostring` }],
    ['the environment', {}, { title: 'env | tostring', properties: { author: '$ENV.PATH' } }],
    ['a missing blueprint', { blueprint: 'nobody' }, {}],
    ['evidence', { blueprint: '_ai_invocations' }, {}],
    ['an unknown property', {}, { properties: { __proto__x: '1', nothing: '2' } }],
    ['a wrong type', {}, { properties: { size: '"large"' } }],
  ])('%s is told and harms nothing', async (_name, more, entity) => {
    const hook = await create({ mappings: [mapping(more, { identifier: '.body.id', ...entity })] });
    const delivery = await deliver(hook, { id: unique('odd') });
    expect(['processed', 'failed']).toContain(delivery.state);
    expect(JSON.stringify(delivery)).not.toContain(process.env['PATH']);
    const fine = await deliver(await create({ mappings: [mapping()] }), { id: unique('after') });
    expect(fine.state).toBe('processed');
  });
});
