import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let blueprint: string;
beforeEach(async () => {
  app.clock.advance(10);
  blueprint = await createBlueprint(app.request, 'audited', {
    properties: { tier: { type: 'number' }, name: { type: 'string' } },
    ownership: { type: 'Direct' },
  });
});

type Options = Parameters<TestApp['request']>[2];
const log = (query: string, options: Options = {}): Promise<Answer> =>
  app.request('GET', `/v1/audit-log?${query}`, options);
const audits = async (query: string, options: Options = {}) => {
  const answer = await log(query, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.audits;
};
const machine = { headers: { 'user-agent': 'port-ocean/github/1.2.3/mine/exporter' } };
const listActions = (list: { action: string }[]) => list.map(({ action }) => action);

describe('a record', () => {
  test('has exactly this shape', async () => {
    const { clientId, id: orgId } = app.organization;
    const identifier = unique('thing');
    await createEntity(app.request, '_team', { identifier: `${identifier}-team`, title: 'Crew' });
    await createEntity(app.request, blueprint, {
      identifier,
      title: 'Thing',
      team: [`${identifier}-team`, 'nobody'],
      properties: { tier: 1 },
    });
    const at = app.clock.now().toISOString();
    const [record] = await audits(`entity=${identifier}&blueprint=${blueprint}`);
    expect(record).toEqual({
      identifier: expect.stringMatching(/^event_[0-9a-zA-Z]{25}$/),
      action: 'CREATE',
      resourceType: 'entity',
      status: 'SUCCESS',
      trigger: { at, by: { userId: clientId, orgId }, origin: 'API' },
      context: { blueprint, entity: identifier },
      diff: {
        before: null,
        after: {
          identifier,
          title: 'Thing',
          icon: null,
          blueprint,
          team: [`${identifier}-team`, 'nobody'],
          properties: { tier: 1 },
          relations: {},
          scorecards: {},
          createdAt: at,
          createdBy: clientId,
          updatedAt: at,
          updatedBy: clientId,
        },
      },
      message: null,
      additionalData: {},
    });
    expect(await audits(`identifier=${record.identifier}`)).toEqual([record]);
  });

  test('names teams as the organization does, never by keys or marks', async () => {
    const legacy = await app.createOrganization({ model: 'legacy' });
    await legacy.request('POST', '/v1/blueprints', {
      body: { identifier: 'svc', title: 'S', schema: { properties: {} }, ownership: { type: 'Direct' } },
    });
    await createEntity(legacy.request, 'svc', { identifier: 'a', team: ['Nobody'] });
    const { body } = await legacy.request('GET', '/v1/audit-log?entity=a');
    expect(body.audits[0].diff.after.team).toEqual(['Nobody']);
    expect(JSON.stringify(body)).not.toMatch(/\?Nobody|teamRefs|ownTeamRefs/);
  });

  test('says before and after of a change, and the old name of what was renamed', async () => {
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier, properties: { tier: 1 } });
    await app.request('PATCH', entityPath(blueprint, identifier), { body: { properties: { tier: 2 } } });
    await app.request('PUT', entityPath(blueprint, identifier), { body: { identifier: `${identifier}-new` } });
    const [update] = await audits(`entity=${identifier}&action=UPDATE`);
    expect([update.diff.before.properties, update.diff.after.properties]).toEqual([{ tier: 1 }, { tier: 2 }]);
    const [rename] = await audits(`entity=${identifier}-new`);
    expect(rename).toMatchObject({ context: { renamedFrom: identifier }, diff: { before: { identifier } } });
  });

  test('carries the run on whose behalf the request was made', async () => {
    const run = unique('r_');
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier }, `?run_id=${run}`);
    await createEntity(app.request, blueprint, { identifier: `${identifier}-2` }, '?run_id=');
    expect(await audits(`resources=entity&run_id=${run}&includes=context`)).toEqual([
      { context: { blueprint, entity: identifier, runId: run } },
    ]);
  });
});

describe('filters', () => {
  test('narrow by every parameter, and together', async () => {
    const identifier = unique('thing');
    const from = app.clock.now();
    await createEntity(app.request, blueprint, { identifier, properties: { tier: 1 } });
    app.clock.advance(1000);
    const middle = app.clock.now();
    await app.request('PATCH', entityPath(blueprint, identifier), {
      body: { properties: { tier: 2 } },
      ...machine,
    });
    app.clock.advance(1000);
    await app.request('DELETE', entityPath(blueprint, identifier));
    const entity = `entity=${identifier}`;
    expect(listActions(await audits(entity))).toEqual(['DELETE', 'UPDATE', 'CREATE']);
    expect(listActions(await audits(`identifier=${identifier}`))).toEqual(['DELETE', 'UPDATE', 'CREATE']);
    expect(listActions(await audits(`${entity}&action=DELETE`))).toEqual(['DELETE']);
    expect(listActions(await audits(`${entity}&status=FAILURE`))).toEqual([]);
    expect(listActions(await audits(`${entity}&resources=blueprint`))).toEqual([]);
    expect(listActions(await audits(`${entity}&to=${middle.toISOString()}`))).toEqual(['UPDATE', 'CREATE']);
    expect(listActions(await audits(`${entity}&from=${middle.toISOString()}`))).toEqual(['DELETE', 'UPDATE']);
    const window = `from=${from.toISOString()}&to=${from.toISOString()}`;
    expect(listActions(await audits(`${entity}&${window}`))).toEqual(['CREATE']);
    for (const origin of ['port-ocean', 'port-ocean/github', machine.headers['user-agent']]) {
      const found = await audits(`${entity}&origin[]=${encodeURIComponent(origin)}`);
      expect(listActions(found), origin).toEqual(['UPDATE']);
      expect(found[0].trigger.origin).toBe(machine.headers['user-agent']);
    }
    expect(listActions(await audits(`${entity}&origin=UI`))).toEqual([]);
    expect(listActions(await audits(`${entity}&origin=UI&origin=API`))).toHaveLength(3);
    const kinds = (await audits(`blueprint=${blueprint}`)).map(
      (record: { resourceType: string }) => record.resourceType,
    );
    expect(kinds).toEqual(['entity', 'entity', 'entity', 'blueprint']);
    expect(await audits(`blueprint=${blueprint}&resources=entity,blueprint&limit=1`)).toHaveLength(1);
    expect(await audits(`${entity}&webhookId=w`)).toEqual([]);
    expect(await audits(`${entity}&webhookEventId=w`)).toEqual([]);
    expect(await audits(`${entity}&InstallationId=w`)).toEqual([]);
    expect(await audits(`${entity}&actionType=automation`)).toEqual([]);
  });

  test('project the parts asked for', async () => {
    const list = await audits(`blueprint=${blueprint}&includes[]=action&includes[]=resourceType`);
    expect(list).toEqual([{ action: 'CREATE', resourceType: 'blueprint' }]);
    const [{ diff }] = await audits(`blueprint=${blueprint}&includes=diff`);
    expect(diff.after.identifier).toBe(blueprint);
  });

  test.each([
    ['resources=teapot', '/resources'],
    ['includes=secrets', '/includes'],
    ['action=BREW', '/action'],
    ['status=maybe', '/status'],
    ['from=yesterday', '/from'],
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['actionType=other', '/actionType'],
    ['next=zzz', '/next'],
  ])('refuse %s', async (query, path) => {
    const answer = await log(query);
    expect(answer).toMatchObject({ status: 422, body: { error: 'invalid_request' } });
    expect(issuePaths(answer.body)).toEqual([`{query}${path}`]);
  });

  test('of deleted entities need their companions, within one day', async () => {
    const bare = await log('include_deleted_entities=true&entity=a');
    expect(issuePaths(bare.body)).toEqual(['{query}/blueprint', '{query}/status', '{query}/from', '{query}/to']);
    const query = (to: string) =>
      `include_deleted_entities=true&entity=a&blueprint=b&status=SUCCESS&from=2026-01-01T00:00:00Z&to=${to}`;
    expect((await log(query('2026-01-02T00:00:01Z'))).status).toBe(422);
    expect((await log(query('2026-01-02T00:00:00Z'))).status).toBe(200);
  });
});

describe('pages', () => {
  test('follow one another without gaps or repeats, also within one moment', async () => {
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier, properties: { tier: 0 } });
    for (let tier = 1; tier <= 8; tier += 1) {
      if (tier % 3 === 0) app.clock.advance(1);
      await app.request('PATCH', entityPath(blueprint, identifier), { body: { properties: { tier } } });
    }
    const seen: unknown[] = [];
    let next = '';
    do {
      const { body } = await log(`entity=${identifier}&limit=4${next && `&next=${next}`}`);
      seen.push(
        ...body.audits.map((record: { diff: { after: { properties: unknown } } }) => record.diff.after.properties),
      );
      next = body.next ?? '';
    } while (next);
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map((tier) => ({ tier })));
  });
});

describe('rights', () => {
  test('members must name something, and do not read of deleted entities', async () => {
    const token = await app.organization.memberToken();
    for (const query of ['', `blueprint=${blueprint}`, 'resources=entity', 'entity=a&include_deleted_entities=true']) {
      expect(await log(query, { token })).toMatchObject({ status: 403, body: { error: 'missing_permissions' } });
    }
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier });
    expect(await audits(`entity=${identifier}`, { token })).toHaveLength(1);
    await app.request('DELETE', entityPath(blueprint, identifier));
    expect(await audits(`entity=${identifier}`, { token })).toEqual([]);
    app.clock.advance(5);
    await createEntity(app.request, blueprint, { identifier });
    expect(listActions(await audits(`entity=${identifier}`, { token }))).toEqual(['CREATE']);
    expect(listActions(await audits(`entity=${identifier}`))).toEqual(['CREATE', 'DELETE', 'CREATE']);
  });

  test('members read nothing of blueprints they may not read', async () => {
    const token = await app.organization.memberToken();
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier });
    expect(await audits(`identifier=${blueprint}`, { token })).toHaveLength(1);
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update blueprints set permissions = '{"read": {"roles": ["Admin"]}}'
        where org_id = ${app.organization.id} and identifier = ${blueprint}`),
    );
    expect(await audits(`identifier=${blueprint}`, { token })).toEqual([]);
    expect(await audits(`entity=${identifier}`, { token })).toEqual([]);
    expect(await audits(`entity=${identifier}`)).toHaveLength(1);
  });

  test('members read no computed value that the entity would hide from them', async () => {
    const token = await app.organization.memberToken();
    const secret = await createBlueprint(app.request, 'secret', { properties: { code: { type: 'string' } } });
    await createEntity(app.request, secret, { identifier: 's', properties: { code: 'x1' } });
    const open = await createBlueprint(app.request, 'open', {
      relations: { secret: { target: secret, required: false, many: false } },
      mirrorProperties: { code: { path: 'secret.code' } },
    });
    const identifier = unique('thing');
    await createEntity(app.request, open, { identifier, relations: { secret: 's' } });
    const query = `entity=${identifier}&includes=diff`;
    expect((await audits(query, { token }))[0].diff.after.properties).toEqual({ code: 'x1' });
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update blueprints set permissions = '{"read": {"roles": ["Admin"]}}', version = version + 1
        where org_id = ${app.organization.id} and identifier = ${secret}`),
    );
    expect((await audits(query, { token }))[0].diff.after.properties).toEqual({});
    expect((await audits(query))[0].diff.after.properties).toEqual({ code: 'x1' });
  });

  test('nobody reads of another organization', async () => {
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier });
    const [{ identifier: event }] = await audits(`entity=${identifier}`);
    const other = await app.createOrganization();
    for (const query of [`entity=${identifier}`, `identifier=${event}`, `blueprint=${blueprint}`]) {
      expect((await other.request('GET', `/v1/audit-log?${query}`)).body.audits).toEqual([]);
    }
    expect((await app.request('GET', '/v1/audit-log', { token: null })).status).toBe(401);
  });
});

describe('refused writes', () => {
  test('of machines are kept with every reason, one record for each item', async () => {
    const wrong = { identifier: unique('thing'), properties: { tier: 'high', nope: 1 } };
    const refused = await app.request('POST', `/v1/blueprints/${blueprint}/entities`, { body: wrong, ...machine });
    expect(refused.status).toBe(422);
    const [record] = await audits(`blueprint=${blueprint}&status=FAILURE`);
    expect(record).toMatchObject({
      action: 'CREATE',
      status: 'FAILURE',
      context: { blueprint, entity: wrong.identifier },
      trigger: { origin: machine.headers['user-agent'] },
      diff: { before: null, after: null },
      message: refused.body.message,
      additionalData: { error: 'invalid_request', details: refused.body.details },
    });
    const body = { entities: [{ identifier: 'ok' }, { ...wrong, identifier: 'bad' }] };
    await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, { body });
    const entities = (await audits(`blueprint=${blueprint}&status=FAILURE&includes=context`)).map(
      ({ context }: { context: { entity: string } }) => context.entity,
    );
    expect(entities).toEqual(['bad', wrong.identifier]);
  });

  test('of rehearsals, of people and for want of rights are not', async () => {
    const user = `${unique('mara')}@halyard.example`;
    await createEntity(app.request, '_user', {
      identifier: user,
      properties: { port_role: 'Admin', status: 'Active' },
    });
    const wrong = { body: { identifier: 'a', properties: { tier: 'high' } } };
    const path = `/v1/blueprints/${blueprint}/entities`;
    await app.request('POST', path, { ...wrong, token: await app.organization.personToken(user, 'Admin') });
    await app.request('POST', `${path}?validation_only=true`, wrong);
    const token = await app.organization.memberToken();
    expect((await app.request('POST', path, { body: { identifier: 'a' }, token })).status).toBe(403);
    expect(await audits(`blueprint=${blueprint}&status=FAILURE`)).toEqual([]);
  });
});
