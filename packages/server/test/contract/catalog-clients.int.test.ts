import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { unique } from '../catalog-fixtures.ts';

// What each client sends and needs back: api contract §4, §5 and the checklist of §7.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const json = { 'content-type': expect.stringContaining('application/json') };

describe('the Terraform provider', () => {
  const headers = { 'user-agent': 'terraform-provider-port-labs/2.2.0', accept: 'application/json' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });

  const blueprint = (identifier: string) => ({
    identifier,
    title: 'Service',
    icon: 'Service',
    description: '',
    schema: {
      properties: {
        text: { type: 'string', title: 'Text', enum: ['a', 'b'], enumColors: { a: 'red', b: 'lime' }, default: 'a' },
        size: { type: 'number', minimum: 0, maximum: 1e9 },
        flag: { type: 'boolean', default: false },
        data: { type: 'object', spec: 'open-api' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 0 },
        link: { type: 'string', format: 'url', spec: 'embedded-url', specAuthentication: auth },
        when: { type: 'string', format: 'date-time', dateFormat: '24-hour' },
        free: { type: 'array' },
      },
      required: ['text'],
    },
    relations: {
      parent: { target: identifier, title: 'Parent', required: false, many: false },
      teams: { target: '_team', required: false, many: true },
    },
    mirrorProperties: { up: { path: 'parent.$title', title: 'Up' } },
    calculationProperties: {
      calc: { calculation: '.properties.size', type: 'number', colorized: true, colors: { '1': 'red' } },
    },
    ownership: { type: 'Direct' },
    changelogDestination: { type: 'WEBHOOK', url: 'https://example.com/hook', agent: true },
    includeInGlobalSearch: true,
  });
  const auth = {
    clientId: 'id',
    authorizationUrl: 'https://example.com/authorize',
    tokenUrl: 'https://example.com/token',
  };

  test('a blueprint comes back as it was sent, and a second apply finds no change', async () => {
    const name = unique('tf');
    const created = await send('POST', '/v1/blueprints', blueprint(name));
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const read = await send('GET', `/v1/blueprints/${name}?exclude_calculated_properties=true`);
    const { createdAt, createdBy, updatedAt, updatedBy, ...rest } = read.body.blueprint;
    expect(rest).toEqual({ aggregationProperties: {}, ...blueprint(name) });
    expect([createdAt, updatedAt].map((at) => new Date(at).toISOString())).toEqual([createdAt, updatedAt]);
    expect((await send('PUT', `/v1/blueprints/${name}`, blueprint(name))).status).toBe(200);
    const again = (await send('GET', `/v1/blueprints/${name}`)).body.blueprint;
    expect({ ...again, updatedAt, updatedBy }).toEqual(read.body.blueprint);
  });

  test('aggregations are put and taken away with the blueprint that was read', async () => {
    const name = unique('tf');
    await send('POST', '/v1/blueprints', blueprint(name));
    const read = (await send('GET', `/v1/blueprints/${name}`)).body.blueprint;
    const calculationSpec = {
      calculationBy: 'entities',
      func: 'average',
      averageOf: 'day',
      measureTimeBy: '$createdAt',
    };
    const aggregationProperties = { n: { title: 'N', target: name, type: 'number', calculationSpec } };
    const put = await send('PUT', `/v1/blueprints/${name}`, { ...read, aggregationProperties });
    expect([put.status, put.body.blueprint.aggregationProperties]).toEqual([200, aggregationProperties]);
    const without = await send('PUT', `/v1/blueprints/${name}`, read);
    expect(without.body.blueprint.aggregationProperties ?? {}).toEqual({});
  });

  test('an entity with explicit nulls comes back with them, and a second apply changes nothing', async () => {
    const name = unique('tf');
    await send('POST', '/v1/blueprints', blueprint(name));
    const body = {
      identifier: 'e',
      title: '',
      blueprint: name,
      properties: { text: 'a', size: null, flag: null, data: null, tags: null, link: null, when: null },
      relations: { parent: null, teams: [] },
    };
    const post = () => send('POST', `/v1/blueprints/${name}/entities?upsert=true&run_id=`, body);
    const created = await post();
    expect([created.status, created.headers]).toEqual([201, expect.objectContaining(json)]);
    const query = '?exclude_calculated_properties=true';
    const read = async () => (await send('GET', `/v1/blueprints/${name}/entities/e${query}`)).body.entity;
    const first = await read();
    expect(first.properties).toEqual({ ...body.properties, free: null });
    expect([first.relations, first.team, first.title]).toEqual([body.relations, [], '']);
    app.clock.advance(60_000);
    await post();
    await send('PUT', `/v1/blueprints/${name}/entities/e?run_id=`, body);
    expect(await read()).toEqual(first);
    expect((await send('DELETE', `/v1/blueprints/${name}/entities/e`)).body).toEqual({ ok: true });
    expect((await send('DELETE', `/v1/blueprints/${name}/entities/e`)).body.ok).toBe(false);
  });

  test('an overwrite clears what it does not manage, and an identifier is made where none is given', async () => {
    const name = unique('tf');
    await send('POST', '/v1/blueprints', blueprint(name));
    const path = `/v1/blueprints/${name}/entities?upsert=true&run_id=`;
    const { identifier } = (await send('POST', path, { title: 'T', properties: { text: 'a', size: 1 } })).body.entity;
    expect(identifier).toMatch(/^e_[A-Za-z0-9]{16}$/);
    const over = await send('POST', path, { identifier, properties: { text: 'b' } });
    expect(over.body.entity).toMatchObject({ title: null, properties: { text: 'b', size: null, flag: null } });
  });

  test('a blueprint with entities goes by force: a wipe that is polled until it is done', async () => {
    const name = unique('tf');
    await send('POST', '/v1/blueprints?create_catalog_page=false', blueprint(name));
    await send('POST', `/v1/blueprints/${name}/entities?upsert=true&run_id=`, {
      identifier: 'e',
      properties: { text: 'a' },
    });
    const refused = await send('DELETE', `/v1/blueprints/${name}`);
    expect([refused.body.ok, JSON.stringify(refused.body)]).toEqual([false, expect.stringContaining('has_dependents')]);
    const { migrationId } = (await send('DELETE', `/v1/blueprints/${name}/all-entities?delete_blueprint=true`)).body;
    const poll = async () => (await send('GET', `/v1/migrations/${migrationId}`)).body;
    expect(await poll()).toMatchObject({ ok: true, migration: { status: 'PENDING' } });
    await app.app.jobs.drain();
    expect(await poll()).toMatchObject({ ok: true, migration: { status: 'COMPLETED' } });
    expect((await send('GET', `/v1/blueprints/${name}`)).status).toBe(404);
  });
});

describe('Ocean', () => {
  const headers = { 'user-agent': 'port-ocean/jira/1.0.0/my-jira/exporter' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });
  const flags = 'upsert=true&merge=true&create_missing_related_entities=true&validation_only=false';
  const query = `${flags}&ocean_info_event_type=resync&ocean_info_resync_id=1`;

  test('its blueprints come bare, then with relations, then whole, each step in parallel', async () => {
    const [project, issue] = [unique('jiraProject'), unique('jiraIssue')];
    const whole = {
      [project]: {
        identifier: project,
        title: 'Project',
        schema: { properties: { url: { type: 'string', format: 'url' } } },
        relations: { lead: { target: '_user', required: false, many: false } },
        aggregationProperties: {
          issues: {
            title: 'Issues',
            target: issue,
            calculationSpec: { calculationBy: 'entities', func: 'count' },
            pathFilter: [{ fromBlueprint: issue, path: ['project'] }],
          },
        },
      },
      [issue]: {
        identifier: issue,
        title: 'Issue',
        schema: { properties: { status: { type: 'string' } } },
        relations: {
          project: { target: project, required: false, many: false },
          parent: { target: issue, required: false, many: false },
        },
        mirrorProperties: { lead: { path: 'project.lead.$title' } },
        calculationProperties: { open: { type: 'boolean', calculation: ".properties.status != 'Done'" } },
        ownership: { type: 'Inherited', path: 'project' },
      },
    };
    const bare = ({ identifier, title, schema }: { identifier: string; title: string; schema: unknown }) => ({
      identifier,
      title,
      schema,
    });
    const each = (step: (body: (typeof whole)[string]) => Promise<{ status: number; body: unknown }>) =>
      Promise.all(Object.values(whole).map((body) => step(body as (typeof whole)[string])));
    const statuses = async (answers: Promise<{ status: number; body: unknown }[]>) =>
      (await answers).map(({ status }) => status);
    expect(await statuses(each((body) => send('POST', '/v1/blueprints', bare(body as never))))).toEqual([201, 201]);
    const related = (body: Record<string, unknown>) => ({ ...bare(body as never), relations: body['relations'] });
    const path = (body: unknown) => `/v1/blueprints/${(body as { identifier: string }).identifier}`;
    expect(await statuses(each((body) => send('PATCH', path(body), related(body as never))))).toEqual([200, 200]);
    expect(await statuses(each((body) => send('PATCH', path(body), body)))).toEqual([200, 200]);
    for (const relation of Object.values((await send('GET', path(whole[issue]))).body.blueprint.relations)) {
      expect(relation).toEqual({ target: expect.any(String), required: false, many: false });
    }
  });

  test('a batch answers every index once; a target that is missing is 404 not_found on a single upsert', async () => {
    const [target, name] = [unique('target'), unique('source')];
    const body = (identifier: string, relations = {}) => ({
      identifier,
      title: identifier,
      schema: { properties: { n: { type: 'number' } } },
      relations,
    });
    await send('POST', '/v1/blueprints', body(target));
    await send('POST', '/v1/blueprints', body(name, { to: { target } }));
    const one = {
      identifier: 'a',
      blueprint: name,
      title: 'A',
      icon: null,
      team: [],
      properties: {},
      relations: { to: 't' },
    };
    const single = await send('POST', `/v1/blueprints/${name}/entities?upsert=true&merge=true`, one);
    expect([single.status, single.body.ok, single.body.error]).toEqual([404, false, 'not_found']);
    const entities = [one, { ...one, identifier: 'b', properties: { n: 'x' } }, { identifier: 'a b' }, one];
    const bulk = await send('POST', `/v1/blueprints/${name}/entities/bulk?${query}`, { entities });
    expect(bulk.status).toBe(207);
    const indexes = [...bulk.body.entities, ...bulk.body.errors].map(({ index }: { index: number }) => index);
    expect(indexes.sort()).toEqual([0, 1, 2, 3]);
    const again = await send('POST', `/v1/blueprints/${name}/entities/bulk?${query}`, { entities: [one] });
    expect([again.status, again.body.entities, again.body.errors]).toEqual([
      200,
      [{ identifier: 'a', index: 0, created: false }],
      [],
    ]);
    const deleted = await send('POST', `/v1/blueprints/${name}/bulk/entities/delete?delete_dependents=false`, {
      entities: ['a'],
    });
    expect(deleted.body).toEqual({ ok: true, deletedEntities: ['a'] });
    expect((await send('DELETE', `/v1/blueprints/${name}/entities/a+b?delete_dependents=true`)).status).toBe(404);
  });

  test('more than 1 MiB is 413', async () => {
    const name = unique('large');
    await send('POST', '/v1/blueprints', { identifier: name, title: name, schema: { properties: {} } });
    const entities = [{ identifier: 'a', title: 'x'.repeat(1024 * 1024) }];
    const answer = await send('POST', `/v1/blueprints/${name}/entities/bulk?${query}`, { entities });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });
});

describe('the Kubernetes exporter', () => {
  const headers = { 'user-agent': 'port-k8s-exporter/^0.3.4 (statekey/one)' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });

  test('a blueprint that is taken is patched, empty texts and all', async () => {
    const name = unique('crd');
    const schema = (key: string) => ({ properties: { [key]: { type: 'string' } }, required: [] });
    const body = { identifier: name, title: name, icon: '', description: '', schema: schema('a') };
    const related = { ...body, relations: { up: { target: name, title: 'Up' } } };
    expect((await send('POST', '/v1/blueprints?create_catalog_page=true', related)).status).toBe(201);
    const taken = await send('POST', '/v1/blueprints', body);
    expect([taken.status, JSON.stringify(taken.body)]).toEqual([409, expect.stringContaining('taken')]);
    const fallback = { identifier: name, icon: '', description: '', schema: schema('b') };
    const patched = await send('PATCH', `/v1/blueprints/${name}`, fallback);
    expect([patched.status, patched.body.blueprint.icon]).toEqual([200, '']);
    const path = `/v1/blueprints/${name}/entities?upsert=true&merge=true&run_id=&create_missing_related_entities=true`;
    const entity = { identifier: 'ns/pod@1', title: 'Pod', properties: { b: 'x' }, relations: { up: 'ns/other@1' } };
    expect((await send('POST', path, entity)).body.entity).toMatchObject(entity);
    const missing = await send('GET', `/v1/blueprints/${name}/entities/${encodeURIComponent('ns/other@1')}`);
    expect(missing.body.entity.title).toBe('ns/other@1');
  });
});

describe('the GitHub action', () => {
  const headers = { 'user-agent': 'github-action/v1.0' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });

  test('upserts without an identifier, with a team as text; reads parts; deletes', async () => {
    const name = unique('gh');
    await send('POST', '/v1/blueprints', {
      identifier: name,
      title: name,
      schema: { properties: { a: { type: 'string' } } },
      ownership: { type: 'Direct' },
    });
    await send('POST', '/v1/blueprints/_team/entities?upsert=true', { identifier: 'gh-crew' });
    const path = `/v1/blueprints/${name}/entities`;
    const upsert = await send('POST', `${path}?upsert=true&merge=true&create_missing_related_entities=true`, {
      blueprint: name,
      team: 'gh-crew',
      properties: { a: 'x' },
    });
    const { identifier, team } = upsert.body.entity;
    expect([upsert.status, team]).toEqual([201, ['gh-crew']]);
    const read = await send('GET', `/${path}/${identifier}?include=identifier&include=properties.a&include=team`);
    expect(read.body.entity).toEqual({ identifier, properties: { a: 'x' }, team: ['gh-crew'] });
    const refused = await send('POST', `${path}?upsert=true`, { identifier, properties: { a: 1 } });
    expect([refused.status, typeof refused.body.message]).toEqual([422, 'string']);
    expect((await send('DELETE', `${path}/${identifier}?delete_dependents=false`)).status).toBe(200);
  });
});
