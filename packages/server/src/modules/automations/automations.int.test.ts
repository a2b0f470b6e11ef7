import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity, unique } from '../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { systemActor } from '../../platform/actor.ts';

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
let blueprint: string;
beforeEach(async () => {
  await app.app.jobs.drain();
  app.clock.advance(10);
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
  blueprint = await createBlueprint(app.request, 'thing', {
    properties: { tier: { type: 'number' }, until: { type: 'string', format: 'timer' } },
  });
});

type Json = Readonly<Record<string, unknown>>;
const hook = (more: object = {}) => ({
  type: 'WEBHOOK',
  url: `${receiver.url}/hook`,
  synchronized: true,
  body: '{{ .event }}',
  ...more,
});

async function automation(event: object, more: Json = {}, condition?: object): Promise<string> {
  const identifier = unique('auto');
  const trigger = { type: 'automation', event, ...(condition ? { condition } : {}) };
  const body = { identifier, trigger, invocationMethod: hook(), ...more };
  const created = await app.request('POST', '/v1/actions', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return identifier;
}
const onEntity = (type: string, more: Json = {}, condition?: object) =>
  automation({ type, blueprintIdentifier: blueprint }, more, condition);
const jq = (...expressions: string[]) => ({ type: 'JQ', expressions, combinator: 'and' });
const patch = (identifier: string, body: object, query = '') =>
  app.request('PATCH', entityPath(blueprint, identifier) + query, { body });
const readRuns = async (action: string) =>
  (await app.request('GET', `/v1/actions/runs?action=${action}&version=v2`)).body.runs;
const settle = () => app.app.jobs.drain();
const sent = () => receiver.received.map(({ body }) => JSON.parse(body));

describe('a change of an entity', () => {
  test('starts what waits for it, with the event as it is published', async () => {
    const created = await onEntity('ENTITY_CREATED');
    const updated = await onEntity('ENTITY_UPDATED');
    const deleted = await onEntity('ENTITY_DELETED');
    const any = await onEntity('ANY_ENTITY_CHANGE', { invocationMethod: hook({ body: { any: true } }) });
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 1 } });
    await patch('a', { properties: { tier: 2 } });
    await app.request('DELETE', entityPath(blueprint, 'a'));
    await settle();
    const events = sent().filter((body) => !body.any);
    const context = { blueprintIdentifier: blueprint, entityIdentifier: 'a', propertyIdentifier: null };
    const { clientId: userId, id: orgId } = app.organization;
    const at = app.clock.now().toISOString();
    const trigger = { by: { userId, orgId }, origin: 'API', at };
    const whole = (tier: number) => ({
      identifier: 'a',
      title: null,
      icon: null,
      blueprint,
      team: [],
      properties: { tier },
      relations: {},
      scorecards: {},
      createdAt: at,
      createdBy: userId,
      updatedAt: at,
      updatedBy: userId,
    });
    const kind = { resourceType: 'entity', trigger, context };
    expect(events).toEqual([
      { ...kind, action: 'CREATE', diff: { before: null, after: whole(1) } },
      { ...kind, action: 'UPDATE', diff: { before: whole(1), after: whole(2) } },
      { ...kind, action: 'DELETE', diff: { before: whole(2), after: null } },
    ]);
    expect(sent().filter((body) => body.any)).toHaveLength(3);
    for (const action of [created, updated, deleted]) {
      expect(await readRuns(action)).toMatchObject([
        { status: 'SUCCESS', source: 'AUTOMATION', entity: { identifier: 'a' }, blueprint: { identifier: blueprint } },
      ]);
    }
    expect(await readRuns(any)).toHaveLength(3);
  });

  test('shows computed values, one event for each entity of a bulk, and deletes of dependents', async () => {
    const owner = await createBlueprint(app.request, 'owner', { properties: { city: { type: 'string' } } });
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: {
        relations: { owner: { target: owner, required: true, many: false } },
        mirrorProperties: { city: { path: 'owner.city' } },
        calculationProperties: { twice: { type: 'number', calculation: '.properties.tier * 2' } },
      },
    });
    await createEntity(app.request, owner, { identifier: 'o', properties: { city: 'Bern' } });
    await settle();
    const any = await onEntity('ANY_ENTITY_CHANGE');
    const entities = ['a', 'b'].map((identifier) => ({
      identifier,
      properties: { tier: 2 },
      relations: { owner: 'o' },
    }));
    await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, { body: { entities } });
    await settle();
    expect(sent().map(({ diff }) => diff.after.properties)).toEqual([
      { tier: 2, twice: 4, city: 'Bern' },
      { tier: 2, twice: 4, city: 'Bern' },
    ]);
    // neither derived changes nor writes without effect are changes of the entity
    await app.request('PATCH', entityPath(owner, 'o'), { body: { properties: { city: 'Chur' } } });
    await patch('a', { properties: { tier: 2 } });
    await settle();
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ city: 'Chur' });
    expect(await readRuns(any)).toHaveLength(2);
    await app.request('DELETE', `${entityPath(owner, 'o')}?delete_dependents=true`);
    await settle();
    expect(
      sent()
        .slice(2)
        .map(({ action }) => action),
    ).toEqual(['DELETE', 'DELETE']);
  });

  test('starts nothing of paused automations, of conditions that do not hold, of refused writes and silent records', async () => {
    const names = [
      await onEntity('ANY_ENTITY_CHANGE', { publish: false }),
      await onEntity('ANY_ENTITY_CHANGE', {}, jq('.diff.after.properties.tier > 5')),
      await onEntity('ANY_ENTITY_CHANGE', {}, jq('.diff.after.properties.tier == 1', 'error("no")')),
      await onEntity('ANY_ENTITY_CHANGE', {}, jq('null')),
      await onEntity('ANY_ENTITY_CHANGE', {}, jq('"yes"')),
      await onEntity('ANY_ENTITY_CHANGE', {}, jq('.diff.after | (')),
      await automation({ type: 'ENTITY_CREATED', blueprintIdentifier: '_team' }),
    ];
    const holds = await onEntity(
      'ANY_ENTITY_CHANGE',
      {},
      { ...jq('false', ".context.entityIdentifier == 'a'"), combinator: 'or' },
    );
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 1 } });
    await app.request('POST', `/v1/blueprints/${blueprint}/entities`, {
      body: { identifier: 'b', properties: { tier: 'x' } },
    });
    await app.app.unitOfWork(systemActor(app.organization.id), async (work) =>
      work.record({
        event: 'entity.updated',
        action: 'UPDATE',
        resourceType: 'entity',
        identifier: 'a',
        context: { blueprint, entity: 'a' },
        isSilent: true,
      }),
    );
    await settle();
    for (const name of names) expect(await readRuns(name), name).toEqual([]);
    expect(await readRuns(holds)).toHaveLength(1);
    expect(await app.count('event_deliveries')).toBe(0);
  });

  test('reaches automations of its own organization alone, and those whose blueprint was renamed', async () => {
    const other = await app.createOrganization();
    const body = { identifier: 'x', title: 'X', schema: { properties: {} } };
    await other.request('POST', '/v1/blueprints', { body: { ...body, identifier: blueprint } });
    const mine = await onEntity('ENTITY_CREATED');
    await other.request('POST', `/v1/blueprints/${blueprint}/entities`, { body: { identifier: 'theirs' } });
    await settle();
    expect(await readRuns(mine)).toEqual([]);
    const renamed = unique('renamed');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, { body: { identifier: renamed } });
    await createEntity(app.request, renamed, { identifier: 'a' });
    await settle();
    expect(await readRuns(mine)).toHaveLength(1);
  });
});

test('a timer that passes starts what waits for that property, once', async () => {
  const timed = (propertyIdentifier: string) =>
    automation({ type: 'TIMER_PROPERTY_EXPIRED', blueprintIdentifier: blueprint, propertyIdentifier });
  const until = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const [due, other] = [await timed('until'), await timed('other')];
  await createEntity(app.request, blueprint, { identifier: 'a', properties: { until } });
  for (let minute = 0; minute < 4; minute += 1) {
    app.clock.advance(61_000);
    await settle();
  }
  expect(sent()).toMatchObject([
    {
      action: 'TIMER_EXPIRED',
      trigger: { by: { byPort: true } },
      context: { blueprintIdentifier: blueprint, entityIdentifier: 'a', propertyIdentifier: 'until' },
      diff: { before: null, after: { identifier: 'a' } },
    },
  ]);
  expect(await readRuns(due)).toHaveLength(1);
  expect(await readRuns(other)).toEqual([]);
});

describe('a change of a run', () => {
  const form = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  async function action(more: object = {}): Promise<string> {
    const identifier = unique('act');
    const body = { identifier, title: 'Act', trigger: form, invocationMethod: hook({ body: { act: 1 } }), ...more };
    expect((await app.request('POST', '/v1/actions', { body })).status).toBe(201);
    return identifier;
  }
  const run = (name: string, query = '') =>
    app.request('POST', `/v1/actions/${name}/runs${query}`, { body: { properties: {} } });

  test('starts what waits for it, with the whole action; lines of its log do not', async () => {
    const name = await action({ invocationMethod: hook({ synchronized: false, body: { act: 1 } }) });
    const created = await automation({ type: 'RUN_CREATED', actionIdentifier: name });
    const updated = await automation({ type: 'RUN_UPDATED', actionIdentifier: name });
    const any = await automation({ type: 'ANY_RUN_CHANGE', actionIdentifier: name });
    const { id } = (await run(name)).body.run;
    await settle();
    const before = (await readRuns(updated)).length;
    await app.request('POST', `/v1/actions/runs/${id}/logs`, { body: { message: 'at it' } });
    await settle();
    expect(await readRuns(updated)).toHaveLength(before);
    await app.request('PATCH', `/v1/actions/runs/${id}`, { body: { status: 'SUCCESS' } });
    await settle();
    expect(await readRuns(created)).toHaveLength(1);
    expect(await readRuns(updated)).toHaveLength(before + 1);
    expect(await readRuns(any)).toHaveLength(before + 2);
    const events = sent().filter((body) => body.resourceType === 'run');
    const whole = { identifier: name, title: 'Act', trigger: form, invocationMethod: expect.any(Object) };
    expect(events[0]).toMatchObject({
      action: 'CREATE',
      context: { action: whole },
      diff: { before: null, after: { id, status: 'IN_PROGRESS' } },
    });
    expect(events.at(-1)).toMatchObject({
      action: 'UPDATE',
      diff: { before: { status: 'IN_PROGRESS' }, after: { status: 'SUCCESS' } },
    });
  });

  test('of an automation starts others', async () => {
    const first = await onEntity('ENTITY_CREATED');
    const second = await automation({ type: 'RUN_CREATED', actionIdentifier: first });
    await createEntity(app.request, blueprint, { identifier: 'a' });
    await settle();
    expect(await readRuns(second)).toMatchObject([{ status: 'SUCCESS', entity: null }]);
  });

  test('of a draft starts something only once it is approved', async () => {
    const name = await action();
    const created = await automation({ type: 'RUN_CREATED', actionIdentifier: name });
    const drafts = [await run(name, '?draft=true'), await run(name, '?draft=true')];
    await settle();
    expect(await readRuns(created)).toEqual([]);
    for (const [index, status] of ['APPROVE', 'DECLINE'].entries()) {
      const { id, draft } = drafts[index]?.body.run ?? {};
      const decided = await app.request('PATCH', `/v1/actions/runs/${id}/approval`, {
        body: { status, inputsHash: draft.inputsHash },
      });
      expect(decided.status, JSON.stringify(decided.body)).toBe(201);
    }
    await settle();
    const [run1, ...more] = sent().filter((body) => body.resourceType === 'run');
    expect(run1).toMatchObject({ action: 'CREATE', diff: { before: null, after: { id: drafts[0]?.body.run.id } } });
    expect(more).toEqual([]);
    expect(await readRuns(created)).toHaveLength(1);
  });
});

describe('a chain', () => {
  const upsert = (tier: string) => ({
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: blueprint,
    mapping: { identifier: '{{ .event.context.entityIdentifier }}', properties: { tier } },
  });

  test('goes on through what its runs write, and is stopped after twenty with a reason', async () => {
    const invocationMethod = upsert('{{ .event.diff.after.properties.tier + 1 }}');
    const loop = await onEntity('ANY_ENTITY_CHANGE', { invocationMethod });
    const watcher = await automation({ type: 'ANY_RUN_CHANGE', actionIdentifier: loop });
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 1 } });
    await settle();
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ tier: 21 });
    const runs = await readRuns(loop);
    expect(runs).toHaveLength(21);
    const stopped = runs.filter((run: { status: string }) => run.status === 'FAILURE');
    expect(stopped).toEqual([
      expect.objectContaining({
        statusLabel: expect.stringContaining('20 runs of automations led'),
        endedAt: expect.any(String),
      }),
    ]);
    const { body } = await app.request('GET', `/v1/actions/runs/${stopped[0].id}/logs`);
    expect(body.runLogs).toHaveLength(1);
    expect((await readRuns(watcher)).length).toBeGreaterThan(20);
    // a person's own change starts a new chain
    await patch('a', { properties: { tier: 100 } });
    await settle();
    expect(await readRuns(loop)).toHaveLength(42);
  });

  test('is followed through reports of backends and runs of actions that name the run', async () => {
    const first = await onEntity('ENTITY_CREATED', { invocationMethod: hook({ synchronized: false }) });
    await createEntity(app.request, blueprint, { identifier: 'a' });
    await settle();
    const [{ id }] = await readRuns(first);
    const second = await onEntity('ENTITY_UPDATED');
    await patch('a', { properties: { tier: 2 } }, `?run_id=${id}`);
    await patch('a', { properties: { tier: 3 } });
    await settle();
    const rows = await app.database.rows(sql`
      select chain_depth as depth from action_runs where org_id = ${app.organization.id} and action_identifier = ${second} order by key`);
    expect(rows).toEqual([{ depth: 2 }, { depth: 1 }]);
  });
});

test('a condition that costs too much is stored as a stopped run, and takes nothing from those beside it', async () => {
  const costs = 'until(false; .)';
  const slow: string[] = [];
  for (let count = 0; count < 6; count += 1) slow.push(await onEntity('ENTITY_CREATED', {}, jq('true', costs)));
  const decided = await onEntity('ENTITY_CREATED', {}, jq('false', costs));
  const cheap = await onEntity('ENTITY_CREATED', {}, jq('.action == "CREATE"'));
  await createEntity(app.request, blueprint, { identifier: 'a' });
  await settle();
  expect(await readRuns(cheap)).toMatchObject([{ status: 'SUCCESS' }]);
  expect(await readRuns(decided)).toEqual([]);
  for (const name of slow) {
    const [{ status, statusLabel }, ...more] = await readRuns(name);
    expect([status, more]).toEqual(['FAILURE', []]);
    expect(statusLabel).toContain('Stopped: the condition was not decided, because it costs too much');
    // alone it may take 200 ms
    expect(Number(/wallTime \((\d+)\)/.exec(statusLabel)?.[1])).toBeLessThan(200);
  }
  expect(receiver.received).toHaveLength(1);
});

describe('a test with an event', () => {
  test('says what matches, condition by condition, and what would be sent, and does nothing', async () => {
    await app.request('POST', '/v1/organization/secrets', {
      body: { secretName: 'TOKEN', secretValue: 'hush-hush' },
    });
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 1 } });
    await patch('a', { properties: { tier: 2 } });
    const { audits } = (await app.request('GET', `/v1/audit-log?blueprint=${blueprint}&entity=a`)).body;
    const name = await onEntity(
      'ENTITY_UPDATED',
      {
        publish: false,
        invocationMethod: hook({
          headers: { 'x-token': '{{ .secrets.TOKEN }}' },
          body: { tier: '{{ .event.diff.after.properties.tier }}', bad: '{{ error("x") }}' },
        }),
      },
      jq('.diff.after.properties.tier == 2', 'error("y")'),
    );
    const ask = (body: object, token?: string) =>
      app.request('POST', `/v1/actions/${name}/test`, { body, ...(token ? { token } : {}) });
    const runsBefore = await app.count('action_runs');
    const update = await ask({ eventId: audits[0].identifier });
    expect(update.status, JSON.stringify(update.body)).toBe(200);
    expect(update.body.test).toMatchObject({
      matches: false,
      isPublished: false,
      event: { action: 'UPDATE', context: { entityIdentifier: 'a' } },
      trigger: { matches: true },
      condition: {
        holds: false,
        combinator: 'and',
        expressions: [
          { expression: '.diff.after.properties.tier == 2', holds: true, result: true },
          { expression: 'error("y")', holds: false, error: expect.any(String) },
        ],
      },
      request: { type: 'WEBHOOK', body: { tier: 2, bad: null } },
      problems: [expect.stringContaining('error')],
    });
    expect(JSON.stringify(update.body)).not.toContain('hush-hush');
    const creation = await ask({ eventId: audits[1].identifier });
    expect(creation.body.test).toMatchObject({
      matches: false,
      trigger: { matches: false, reason: expect.any(String) },
    });
    const made = { action: 'UPDATE', resourceType: 'entity', context: { blueprintIdentifier: 'elsewhere' } };
    expect((await ask({ event: made })).body.test.trigger).toMatchObject({ matches: false });
    expect((await ask({ eventId: 'event_nope' })).status).toBe(404);
    expect((await ask({})).status).toBe(422);
    expect((await ask({ eventId: 'x', event: made })).status).toBe(422);
    expect((await ask({ event: made }, await app.organization.memberToken())).status).toBe(403);
    const other = await app.createOrganization();
    const stolen = await other.request('POST', '/v1/actions', {
      body: {
        identifier: 'mine',
        trigger: { type: 'automation', event: { type: 'ENTITY_UPDATED', blueprintIdentifier: '_user' } },
        invocationMethod: hook(),
      },
    });
    expect(stolen.status).toBe(201);
    const theirs = await other.request('POST', '/v1/actions/mine/test', {
      body: { eventId: audits[0].identifier },
    });
    expect(theirs.status).toBe(404);
    await settle();
    expect(await app.count('action_runs')).toBe(runsBefore);
    expect(receiver.received).toEqual([]);
  });
});
