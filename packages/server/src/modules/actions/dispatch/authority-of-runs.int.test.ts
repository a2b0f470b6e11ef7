import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';

/** The public address of the application under test; no server listens there. */
const home = 'http://127.0.0.1:3000';

let app: TestApp;
let world: ActionWorld;
let things: string;
let other: string;
beforeAll(async () => {
  app = await createTestApp();
  world = await createActionWorld(app);
  things = await createBlueprint(app.request, 'thing');
  // requesters do not approve their own runs
  const id = 'other@example.com';
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Admin' } });
  other = await app.organization.personToken(id);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  world.receiver.received.length = 0;
});

const form = (properties: object = {}) => ({
  type: 'self-service',
  operation: 'CREATE',
  userInputs: { properties },
});
const upsert = (blueprintIdentifier: string, mapping: object = { identifier: 'made' }) => ({
  type: 'UPSERT_ENTITY',
  blueprintIdentifier,
  mapping,
});
const hook = (more: object) => ({ type: 'WEBHOOK', synchronized: true, ...more });

async function restrictedTo(...scopes: string[]): Promise<string> {
  const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('token'), scopes } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.accessToken;
}

async function saved(token: string, invocationMethod: object, more: object = {}): Promise<string> {
  const body = { identifier: unique('act'), trigger: form({ x: { type: 'string' } }), invocationMethod, ...more };
  const created = await app.request('POST', '/v1/actions', { body, token });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return body.identifier;
}

async function run(name: string, properties: object = {}, token = app.organization.token) {
  const started = await world.start(name, { properties }, { token });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  return world.get(started.body.run.id);
}

const isThere = async (blueprint: string, entity: string): Promise<boolean> => {
  const found = await app.request('GET', `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(entity)}`);
  return found.status === 200;
};
const readRole = async (who: string) => (await readEntity(app.request, '_user', who)).properties.port_role;

async function administrator() {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Admin' } });
  const change = (properties: object) =>
    app.request('PATCH', `/v1/blueprints/_user/entities/${encodeURIComponent(id)}`, { body: { properties } });
  return { id, token: await app.organization.personToken(id), change };
}

describe('an action saved with a restricted token does no more than the token', () => {
  const own = ['create:actions', 'update:actions', 'execute:actions'];

  test('it makes nobody an administrator', async () => {
    const member = `${unique('mo').toLowerCase()}@example.com`;
    await createEntity(app.request, '_user', {
      identifier: member,
      properties: { status: 'Active', port_role: 'Member' },
    });
    const token = await restrictedTo(...own);
    for (const method of [
      upsert('_user', { identifier: member, properties: { port_role: 'Admin' } }),
      hook({ url: `${home}/v1/users/${member}`, method: 'PATCH', body: { roles: ['Admin'] } }),
      hook({
        url: `${home}/v1/blueprints/_user/entities/${member}`,
        method: 'PATCH',
        body: { properties: { port_role: 'Admin' } },
      }),
    ]) {
      expect((await run(await saved(token, method), {}, token)).status).toBe('FAILURE');
      expect(await readRole(member)).toBe('Member');
    }
  });

  test('it writes, reads and deletes nothing that the token may not', async () => {
    const token = await restrictedTo(...own);
    await createEntity(app.request, things, { identifier: 'kept', title: 'Kept in the catalog' });
    const entities = `${home}/v1/blueprints/${things}/entities`;
    const before = await app.count('entities');
    const [written, posted, read, deleted] = [
      await run(await saved(token, upsert(things)), {}, token),
      await run(await saved(token, hook({ url: entities, body: { identifier: 'made' } })), {}, token),
      await run(await saved(token, hook({ url: `${entities}/kept`, method: 'GET' })), {}, token),
      await run(await saved(token, hook({ url: `${entities}/kept`, method: 'DELETE' })), {}, token),
    ];
    expect(written).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('create:entities') });
    for (const answered of [posted, read, deleted]) {
      expect(answered).toMatchObject({
        status: 'FAILURE',
        response: [{ statusCode: 403, body: { error: 'insufficient_scope' } }],
      });
      expect(JSON.stringify(answered)).not.toContain('Kept in the catalog');
    }
    expect(await app.count('entities')).toBe(before);
  });

  test('with the scope of what it does it does that, and the run says with whose rights', async () => {
    const token = await restrictedTo(...own, 'create:entities');
    const identifier = unique('made');
    const answered = await run(await saved(token, upsert(things, { identifier })));
    expect(answered).toMatchObject({
      status: 'SUCCESS',
      authority: { by: app.organization.clientId, roles: ['Admin'], scopes: [...own, 'create:entities'].sort() },
    });
    expect(await isThere(things, identifier)).toBe(true);
  });

  test('it sends no secret and no entity anywhere', async () => {
    await app.request('POST', '/v1/organization/secrets', {
      body: { secretName: 'HUSH', secretValue: 'very-secret-value' },
    });
    await createEntity(app.request, things, { identifier: 'told', title: 'Not to be told' });
    const token = await restrictedTo(...own);
    const url = `${world.receiver.url}/hook`;
    const secret = await run(await saved(token, hook({ url, body: { it: '{{ .secrets.HUSH }}' } })));
    expect(secret).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('read:secrets') });
    const everything = await run(await saved(token, hook({ url, body: { it: '{{ . }}' } })));
    expect(everything.status).toBe('SUCCESS');
    const trigger = form({ thing: { type: 'string', format: 'entity', blueprint: things } });
    const method = hook({ url, body: { it: '{{ .inputs.thing }}' } });
    expect(await run(await saved(token, method, { trigger }), { thing: 'told' })).toMatchObject({ status: 'SUCCESS' });
    const sent = JSON.stringify(world.receiver.received.map(({ body }) => body));
    expect(world.receiver.received).toHaveLength(2);
    expect(sent).toContain('told');
    expect(sent).not.toMatch(/very-secret-value|Not to be told/);
  });

  test.each([
    ['GITHUB', { org: 'shop', repo: 'front', workflow: 'deploy.yml', workflowInputs: { ref: 'main' } }],
    ['GITLAB', { groupName: 'shop', projectName: 'front' }],
    ['AZURE_DEVOPS', { org: 'shop', webhook: 'deploy', payload: {} }],
  ])('it starts nothing with the tokens that %s takes without naming them', async (type, rest) => {
    const { url } = world.receiver;
    const secrets = { GITHUB_TOKEN: 'ghp_hush', GITHUB_API_URL: url, GITLAB_URL: url, shop_front: 'gl-hush' };
    for (const [secretName, secretValue] of Object.entries({ ...secrets, AZURE_DEVOPS_URL: url })) {
      await app.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue } });
    }
    const refused = await run(await saved(await restrictedTo(...own), { type, ...rest }));
    expect(refused).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('read:secrets') });
    expect(world.receiver.received).toHaveLength(0);
    const started = await run(await saved(await restrictedTo(...own, 'read:secrets'), { type, ...rest }));
    expect([started.status, world.receiver.received.length > 0]).toEqual(['IN_PROGRESS', true]);
  });

  test('an edit with such a token narrows the action, and says so; saving it again widens it', async () => {
    const identifier = unique('made');
    const body = {
      identifier: unique('act'),
      trigger: form(),
      invocationMethod: upsert(things, { identifier }),
    };
    const put = (token: string, title: string) =>
      app.request('PUT', `/v1/actions/${body.identifier}`, { body: { ...body, title }, token });
    expect((await app.request('POST', '/v1/actions', { body })).headers['warning']).toBeUndefined();
    const narrowed = await put(await restrictedTo('update:actions'), 'One');
    expect([narrowed.status, String(narrowed.headers['warning'])]).toEqual([
      200,
      expect.stringContaining('update:actions'),
    ]);
    expect(await run(body.identifier)).toMatchObject({ status: 'FAILURE' });
    expect(await isThere(things, identifier)).toBe(false);
    // only the author changes
    expect((await put(app.organization.token, 'One')).headers['warning']).toBeUndefined();
    expect(await run(body.identifier)).toMatchObject({ status: 'SUCCESS' });
    // an authority within the saved one is not saved
    expect((await put(await restrictedTo('update:actions'), 'One')).status).toBe(200);
    expect(await run(body.identifier)).toMatchObject({ status: 'SUCCESS' });
  });

  test('what was waiting when somebody with more saved the action keeps what it was made with', async () => {
    const identifier = unique('sly');
    const token = await restrictedTo(...own);
    const name = await saved(token, upsert(things, { identifier }), { requiredApproval: true });
    const { id } = (await world.start(name, { properties: {} }, { token })).body.run;
    const trigger = form({ x: { type: 'string' } });
    const body = { identifier: name, trigger, invocationMethod: upsert(things, { identifier: unique('good') }) };
    expect((await app.request('PUT', `/v1/actions/${name}`, { body })).status).toBe(200);
    const approved = await app.request('PATCH', `${runsPath}/${id}/approval`, {
      body: { status: 'APPROVE' },
      token: other,
    });
    expect(approved.status).toBe(201);
    await app.app.jobs.drain();
    expect(await world.get(id)).toMatchObject({ status: 'FAILURE' });
    expect(await isThere(things, identifier)).toBe(false);
  });

  test('an automation does neither, and is not told what it may not read', async () => {
    const blueprint = await createBlueprint(app.request, 'watched');
    const token = await restrictedTo(...own);
    const trigger = { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint } };
    const identifier = unique('made');
    await saved(token, upsert(things, { identifier }), { trigger, publish: true });
    await saved(token, hook({ url: `${world.receiver.url}/hook`, body: { it: '{{ .event }}' } }), {
      trigger,
      publish: true,
    });
    await createEntity(app.request, blueprint, { identifier: 'seen', title: 'Not to be told' });
    await app.app.jobs.drain();
    const { runs } = (await app.request('GET', `${runsPath}?version=v2&blueprint=${blueprint}`)).body;
    expect(runs.map(({ status }: { status: string }) => status).sort()).toEqual(['FAILURE', 'SUCCESS']);
    expect(await isThere(things, identifier)).toBe(false);
    expect(world.receiver.received).toHaveLength(1);
    expect(JSON.stringify(world.receiver.received[0]?.body)).not.toContain('Not to be told');
  });
});

describe('an action acts with the rights of whoever saved it last, as they are today', () => {
  test('also for members, and the action says whose they are', async () => {
    const { id, token } = await administrator();
    const identifier = unique('made');
    const name = await saved(token, upsert(things, { identifier: '{{ .inputs.x }}' }));
    const member = await world.person(unique('jo'));
    expect(await run(name, { x: identifier }, member)).toMatchObject({
      status: 'SUCCESS',
      authority: { by: id, roles: ['Admin'] },
    });
    expect(await isThere(things, identifier)).toBe(true);
    expect((await app.request('GET', `/v1/actions/${name}`)).body.authority).toEqual({ by: id, roles: ['Admin'] });
  });

  test.each([
    ['once they are an administrator no more', { port_role: 'Member' }, 'You may not', { roles: ['Member'] }],
    ['once they are disabled', { status: 'Disabled' }, 'has to save it again', null],
  ])('%s it does less', async (_when, properties, said, left) => {
    const author = await administrator();
    const identifier = unique('made');
    const name = await saved(author.token, upsert(things, { identifier }));
    expect((await author.change(properties)).status).toBe(200);
    expect(await run(name)).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining(said) });
    expect(await isThere(things, identifier)).toBe(false);
    const { authority } = (await app.request('GET', `/v1/actions/${name}`)).body;
    if (left === null) expect(authority).toBeNull();
    else expect(authority).toMatchObject(left);

    const { action } = (await app.request('GET', `/v1/actions/${name}`)).body;
    const { id: _id, createdAt: _at, createdBy: _by, updatedAt: _then, updatedBy: _who, ...body } = action;
    expect((await app.request('PUT', `/v1/actions/${name}`, { body })).status).toBe(200);
    expect(await run(name)).toMatchObject({ status: 'SUCCESS' });
  });

  test('nothing is sent out for an action that nobody stands behind', async () => {
    const author = await administrator();
    const name = await saved(author.token, hook({ url: `${world.receiver.url}/hook` }));
    expect((await author.change({ status: 'Disabled' })).status).toBe(200);
    expect(await run(name)).toMatchObject({ status: 'FAILURE' });
    expect(world.receiver.received).toHaveLength(0);
  });

  test('what was saved before rights were kept acts with those of its last editor', async () => {
    const author = await administrator();
    const [first, second] = [unique('made'), unique('made')];
    const name = await saved(author.token, upsert(things, { identifier: '{{ .inputs.x }}' }));
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update actions set authority = null where org_id = ${app.organization.id} and identifier = ${name}`),
    );
    expect(await run(name, { x: first })).toMatchObject({ status: 'SUCCESS' });
    await author.change({ port_role: 'Member' });
    expect(await run(name, { x: second })).toMatchObject({ status: 'FAILURE' });
    expect([await isThere(things, first), await isThere(things, second)]).toEqual([true, false]);
  });
});

describe('an action reaches what it names and nothing else', () => {
  test('a blueprint of the platform only where it is named', async () => {
    const member = await world.person(unique('jo'));
    const mapping = { identifier: '{{ .inputs.id }}', properties: { port_role: 'Admin', status: 'Active' } };
    const trigger = form({ blueprint: { type: 'string' }, id: { type: 'string' } });
    const open = await saved(app.organization.token, upsert('{{ .inputs.blueprint }}', mapping), { trigger });
    const id = `${unique('eve').toLowerCase()}@example.com`;
    for (const blueprint of ['_user', '_team', '_rule']) {
      expect(await run(open, { blueprint, id }, member)).toMatchObject({
        status: 'FAILURE',
        statusLabel: expect.stringContaining('belongs to the platform'),
      });
    }
    expect(await isThere('_user', id)).toBe(false);
    const named = await saved(app.organization.token, upsert('_team', { identifier: '{{ .inputs.id }}' }), { trigger });
    const team = unique('crew');
    expect(await run(named, { blueprint: 'x', id: team }, member)).toMatchObject({ status: 'SUCCESS' });
    expect(await isThere('_team', team)).toBe(true);
  });

  test('a service account only with a token of its own', async () => {
    const identifier = `${unique('bot').toLowerCase()}@serviceaccounts.getport.io`;
    const body = { identifier, properties: { status: 'Active', port_type: 'Service Account', port_role: 'Admin' } };
    const url = `${home}/v1/blueprints/_user/entities`;
    const before = await app.count('credentials');
    const answered = await run(await saved(app.organization.token, hook({ url, body })));
    expect(answered).toMatchObject({ status: 'FAILURE', response: [{ statusCode: 403 }] });
    expect(await isThere('_user', identifier)).toBe(false);
    expect(await app.count('credentials')).toBe(before);
    const created = await app.request('POST', '/v1/blueprints/_user/entities', { body });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  });

  test.each([
    ['POST', '/v1/apps', { name: 'x', role: 'Admin' }],
    ['POST', '/v1/users/me/tokens', { name: 'x' }],
    ['POST', '/v1/auth/password-links', { email: 'other@example.com' }],
    ['POST', '/v1/rotate-credentials/other@example.com', {}],
    ['POST', '/v1/auth/access_token', { clientId: 'x', clientSecret: 'y' }],
  ])('never %s %s, whoever saved it', async (method, path, body) => {
    const before = [await app.count('credentials'), await app.count('api_tokens'), await app.count('password_links')];
    const answered = await run(await saved(app.organization.token, hook({ url: `${home}${path}`, method, body })));
    expect(answered).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('Runs may not call') });
    expect(answered['response']).toBeUndefined();
    const after = [await app.count('credentials'), await app.count('api_tokens'), await app.count('password_links')];
    expect(after).toEqual(before);
  });
});
