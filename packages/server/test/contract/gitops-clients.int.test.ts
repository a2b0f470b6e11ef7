import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { unique } from '../catalog-fixtures.ts';

// Files that describe entities, and workflows that write them: api contract §4.4, catalog semantics §6.6. Who reads a
// file resolves `file://` and tells what left it; what arrives here is text, null, and the deletion of one entity.

let app: TestApp;
let service: string;
let domain: string;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['crew', 'other']) {
    await app.request('POST', '/v1/blueprints/_team/entities?upsert=true', { body: { identifier } });
  }
});
afterAll(() => app.close());

beforeEach(async () => {
  [service, domain] = [unique('service'), unique('domain')];
  const post = (body: object) => app.request('POST', '/v1/blueprints', { body });
  await post({ identifier: domain, title: 'Domain', schema: { properties: {} } });
  const created = await post({
    identifier: service,
    title: 'Service',
    schema: {
      properties: {
        language: { type: 'string' },
        readme: { type: 'string', format: 'markdown' },
        tier: { type: 'number' },
        spec: { type: 'object', spec: 'open-api' },
      },
    },
    relations: { domain: { target: domain }, uses: { target: service, many: true } },
    ownership: { type: 'Direct' },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
});

describe('every operation of the GitHub action', () => {
  const headers = { 'user-agent': 'github-action/v1.0' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });
  const upsertPath = (more = '') => `/v1/blueprints/${service}/entities?upsert=true&merge=true${more}`;

  async function startedRun(): Promise<string> {
    const identifier = unique('deploy');
    const trigger = {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: service,
      userInputs: { properties: { version: { type: 'string' } }, required: ['version'] },
    };
    const invocationMethod = {
      type: 'INTEGRATION_ACTION',
      installationId: 'x',
      integrationActionType: 'y',
      integrationActionExecutionProperties: {},
    };
    const action = await send('POST', '/v1/actions', { identifier, trigger, invocationMethod });
    expect(action.status, JSON.stringify(action.body)).toBe(201);
    // CREATE_RUN sends the entity only where it has one, and reads `run.id`
    const created = await send('POST', `/v1/actions/${identifier}/runs`, { properties: { version: '1' }, entity: 'a' });
    expect([created.status, created.body.run.id]).toEqual([202, expect.stringMatching(/^r_[A-Za-z0-9]{16}$/)]);
    expect((await send('POST', `/v1/actions/${identifier}/runs`, { properties: {}, entity: 'a' })).status).toBe(422);
    return created.body.run.id;
  }

  test('UPSERT and BULK_UPSERT write for a run, one entity a request, and read the identifier', async () => {
    await send('POST', upsertPath(), { identifier: 'a', blueprint: service, properties: {}, relations: {} });
    const runId = await startedRun();
    const bodies = [
      {
        identifier: 'a',
        title: 'A',
        icon: 'Service',
        blueprint: service,
        properties: { language: 'Go' },
        relations: {},
      },
      {
        identifier: 'b',
        blueprint: service,
        team: ['crew'],
        properties: {},
        relations: { domain: 'made', uses: ['a'] },
      },
      { blueprint: service, team: 'crew', properties: { tier: 1 }, relations: {} },
    ];
    const identifiers: string[] = [];
    for (const body of bodies) {
      const path = upsertPath(`&run_id=${runId}&create_missing_related_entities=true`);
      const { status, body: answer } = await send('POST', path, body);
      expect([200, 201], JSON.stringify(answer)).toContain(status);
      identifiers.push(answer.entity.identifier);
    }
    expect(identifiers).toEqual(['a', 'b', expect.stringMatching(/^e_/)]);
    const { entities } = (await send('GET', `/v1/actions/runs/${runId}/affected-entities`)).body;
    const affected = entities.map(({ identifier }: { identifier: string }) => identifier);
    expect(affected).toEqual(expect.arrayContaining(identifiers));
    const made = await send('GET', `/v1/blueprints/${domain}/entities/made`);
    expect(made.body.entity).toMatchObject({ identifier: 'made', title: 'made' });
    const refused = await send('POST', upsertPath(), {
      identifier: 'c',
      blueprint: service,
      relations: { domain: 'no' },
    });
    expect([refused.status, typeof refused.body.message]).toEqual([404, 'string']);
  });

  test('GET and SEARCH with parts; DELETE with and without dependents', async () => {
    await send('POST', upsertPath(), { identifier: 'a', blueprint: service, team: 'crew', properties: { tier: 1 } });
    await send('POST', upsertPath(), { identifier: 'b', blueprint: service, relations: { uses: ['a'] } });
    const whole = (await send('GET', `/v1/blueprints/${service}/entities/a`)).body.entity;
    const outputs = ['identifier', 'title', 'blueprint', 'properties', 'team', 'relations'];
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(outputs));
    const part = await send('GET', `/v1/blueprints/${service}/entities/b?include=identifier&include=relations`);
    expect(part.body.entity).toEqual({ identifier: 'b', relations: { domain: null, uses: ['a'] } });
    const query = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: service }] };
    const found = await send('POST', '/v1/entities/search?include=identifier&include=properties.tier', query);
    expect(found.body.entities).toEqual([
      { identifier: 'a', properties: { tier: 1 } },
      { identifier: 'b', properties: { tier: null } },
    ]);
    expect((await send('POST', '/v1/entities/search', query)).body.entities).toHaveLength(2);
    const bad = await send('POST', '/v1/entities/search', { ...query, rules: [{ property: 'x', operator: 'like' }] });
    expect([bad.status, typeof bad.body.message]).toEqual([422, 'string']);
    expect((await send('DELETE', `/v1/blueprints/${service}/entities/a?delete_dependents=false`)).status).toBe(200);
    expect((await send('DELETE', `/v1/blueprints/${service}/entities/a?delete_dependents=true`)).status).toBe(404);
  });

  test('PATCH_RUN: a log, then the rest with its stray parameter; a run that has ended refuses both', async () => {
    await send('POST', upsertPath(), { identifier: 'a', blueprint: service });
    const runId = await startedRun();
    const log = await send('POST', `/v1/actions/runs/${runId}/logs`, { message: 'building' });
    expect([log.status, log.body.runLog]).toEqual([201, expect.objectContaining({ runId, message: 'building' })]);
    const patch = (body: object) => send('PATCH', `/v1/actions/runs/${runId}?runId=${runId}`, body);
    const links = ['https://ci.example/1', 'https://ci.example/2'];
    const going = await patch({ statusLabel: 'Half', link: links, summary: 'S', externalRunId: '77' });
    expect([going.status, going.body.run]).toEqual([
      200,
      expect.objectContaining({ id: runId, status: 'IN_PROGRESS', statusLabel: 'Half', summary: 'S' }),
    ]);
    const done = await patch({ status: 'SUCCESS', link: 'https://ci.example/3' });
    expect([done.status, done.body.run.status]).toEqual([200, 'SUCCESS']);
    expect((await patch({ status: 'FAILURE' })).status).toBe(422);
    expect((await send('POST', `/v1/actions/runs/${runId}/logs`, { message: 'late' })).status).toBe(422);
    expect((await send('GET', `/v1/actions/runs/${runId}?version=v2`)).body.run).toMatchObject({
      status: 'SUCCESS',
      statusLabel: 'Half',
      externalRunId: '77',
    });
  });
});

describe('files in a repository', () => {
  const headers = { 'user-agent': 'port-ocean/github-ocean/4.0.0/my-github/gitops' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });
  const push = (body: object, more = '') =>
    send(
      'POST',
      `/v1/blueprints/${service}/entities?upsert=true&merge=true&create_missing_related_entities=true${more}`,
      {
        blueprint: service,
        ...body,
      },
    );
  const read = async (identifier: string) =>
    (await send('GET', `/v1/blueprints/${service}/entities/${identifier}`)).body.entity;
  const full = {
    identifier: 'web',
    title: 'Web',
    icon: 'Service',
    team: ['crew', 'other'],
    properties: { language: 'Go', tier: 1, spec: { openapi: '3.1.0' } },
    relations: { domain: 'shop', uses: ['db', 'cache'] },
  };

  test('what a later push leaves out is kept; null clears a key, all relations, or all teams', async () => {
    expect((await push(full)).status).toBe(201);
    expect(await read('web')).toMatchObject(full);
    await push({ identifier: 'web', properties: { tier: 2 } });
    expect(await read('web')).toMatchObject({ ...full, properties: { ...full.properties, tier: 2 } });
    await push({ identifier: 'web', properties: { language: null }, relations: { domain: null } });
    expect(await read('web')).toMatchObject({
      title: 'Web',
      properties: { language: null, tier: 2 },
      relations: { domain: null, uses: ['db', 'cache'] },
    });
    await push({ identifier: 'web', relations: { domain: 'shop' } });
    const cleared = await push({ identifier: 'web', relations: null, team: null });
    expect(cleared.status, JSON.stringify(cleared.body)).toBe(201);
    const entity = await read('web');
    expect([entity.relations, entity.team]).toEqual([{ domain: null, uses: [] }, []]);
    expect(entity.properties).toMatchObject({ tier: 2, spec: { openapi: '3.1.0' } });
    // nobody points at it any more: what it used goes without leave
    expect((await send('DELETE', `/v1/blueprints/${domain}/entities/shop`)).status).toBe(200);
    await push({ identifier: 'web', properties: null, title: null, icon: null });
    expect(await read('web')).toMatchObject({ title: null, icon: null });
  });

  test('the content of a file is kept byte for byte, and a reference nobody resolved is kept as the text it is', async () => {
    const content = `# Réadme\r\n\n\`\`\`js\nconst a = "file://x";\n\`\`\`\n${'ß'.repeat(100_000)}\n`;
    expect((await push({ identifier: 'web', properties: { readme: content } })).status).toBe(201);
    expect((await read('web')).properties.readme).toBe(content);
    await push({ identifier: 'web', properties: { readme: 'file://../../etc/passwd' } });
    expect((await read('web')).properties.readme).toBe('file://../../etc/passwd');
  });

  test('one bad entity of a file does not stop the others, and says where it is wrong', async () => {
    const path = `/v1/blueprints/${service}/entities/bulk?upsert=true&merge=true&create_missing_related_entities=true`;
    const entities = [full, { identifier: 'bad', properties: { tier: 'high' } }, { ...full, identifier: 'app' }];
    const { status, body } = await send('POST', path, { entities });
    expect([status, body.entities.map(({ index }: { index: number }) => index)]).toEqual([207, [0, 2]]);
    expect(body.errors).toEqual([expect.objectContaining({ index: 1, identifier: 'bad', statusCode: 422 })]);
  });

  test('an entity that left the file is deleted, with what required it; those of other sources are not listed', async () => {
    for (const identifier of ['web', 'gone']) await push({ ...full, identifier });
    await app.request('POST', `/v1/blueprints/${service}/entities`, { body: { identifier: 'by-hand' } });
    const mine = await send('POST', '/v1/blueprints/entities/datasource-entities', {
      datasource_prefix: 'port-ocean/github-ocean/',
      datasource_suffix: '/my-github/gitops',
      limit: 5000,
    });
    const listed = mine.body.entities.filter(({ blueprint }: { blueprint: string }) => blueprint === service);
    const names = listed.map(({ identifier }: { identifier: string }) => identifier).sort();
    expect(names).toEqual(expect.arrayContaining(['gone', 'web']));
    expect(names).not.toContain('by-hand');
    const deleted = await send('DELETE', `/v1/blueprints/${service}/entities/gone?delete_dependents=true`);
    expect(deleted.status).toBe(200);
    expect((await send('GET', `/v1/blueprints/${service}/entities/gone`)).status).toBe(404);
    expect((await read('web')).identifier).toBe('web');
  });
});
