import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, issuePaths } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let organization: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.createOrganization();
});

const settings = { apiUrl: 'https://api.pagerduty.com' };
const pagerduty = { type: 'pagerduty', installationId: 'acme-pagerduty', settings };

async function install(body: object = pagerduty) {
  const answer = await organization.request('POST', '/v1/installs', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function blueprintNames(): Promise<string[]> {
  const { body } = await organization.request('GET', '/v1/blueprints');
  return body.blueprints.map(({ identifier }: { identifier: string }) => identifier);
}

/** Signs in as the client does, with the id and secret of the install. */
async function signIn({ install: { clientId }, clientSecret }: Awaited<ReturnType<typeof install>>) {
  const answer = await app.request('POST', '/v1/auth/access_token', { body: { clientId, clientSecret }, token: null });
  expect(answer.status).toBe(200);
  const { accessToken: token } = answer.body;
  return (
    method: string,
    path: string,
    body?: unknown,
    userAgent = 'port-ocean/pagerduty/0.5.141/acme-pagerduty/exporter',
  ) => organization.request(method, path, { token, headers: { 'user-agent': userAgent }, ...(body ? { body } : {}) });
}

describe('the catalogue', () => {
  test('finds by every word, by section, and hides what is for trying out', async () => {
    const all = (await organization.request('GET', '/v1/source-types')).body;
    expect(all.sourceTypes.length).toBeGreaterThanOrEqual(54);
    expect(all.sourceTypes.map(({ type }: { type: string }) => type)).not.toContain('fake-integration');
    const found = (await organization.request('GET', '/v1/source-types?query=on%20call%20PAGER')).body.sourceTypes;
    expect(found.map(({ type }: { type: string }) => type)).toEqual(['pagerduty']);
    const costs = (await organization.request('GET', '/v1/source-types?section=Costs')).body.sourceTypes;
    expect(costs.map(({ type }: { type: string }) => type)).toEqual(['kubecost', 'opencost']);
  });

  test('answers the form of a type with secrets marked, and its mapping', async () => {
    const { sourceType } = (await organization.request('GET', '/v1/source-types/pagerduty')).body;
    expect(sourceType.settings.properties.token).toMatchObject({ type: 'string', writeOnly: true });
    expect(sourceType.settings.required).toEqual(['token', 'apiUrl']);
    expect(sourceType.mapping.resources[0].kind).toBe('services');
    expect((await organization.request('GET', '/v1/source-types/none')).status).toBe(404);
  });

  test('is not for members', async () => {
    const token = await organization.memberToken();
    await createEntity(organization.request, '_user', {
      identifier: 'jo@example.com',
      properties: { status: 'Active', port_role: 'Member' },
    });
    const person = await organization.personToken('jo@example.com');
    expect((await organization.request('GET', '/v1/source-types', { token: person })).status).toBe(403);
    expect((await organization.request('POST', '/v1/installs', { body: pagerduty, token })).status).toBe(403);
  });

  test('holds no client whose resources cannot be made', async () => {
    const { sourceTypes } = (await organization.request('GET', '/v1/source-types')).body;
    const clients = sourceTypes.filter(({ way }: { way: string }) => way === 'install');
    expect(clients.length).toBe(46);
    for (const { type } of clients) {
      const { settings: form } = (await organization.request('GET', `/v1/source-types/${type}`)).body.sourceType;
      const filled = Object.fromEntries(
        Object.entries<Record<string, unknown>>(form.properties)
          .filter(([name, { writeOnly }]) => form.required.includes(name) && !writeOnly)
          .map(([name]) => [name, 'https://example.com']),
      );
      const own = await app.createOrganization();
      const answer = await own.request('POST', '/v1/installs', {
        body: { type, installationId: 'one', settings: { ...filled, ...extra[type] } },
      });
      expect([type, answer.status, answer.body.message ?? '']).toEqual([type, 201, '']);
      const names = (await own.request('GET', '/v1/blueprints')).body.blueprints.map(
        ({ identifier }: { identifier: string }) => identifier,
      );
      const wanted = answer.body.install.created.map(({ identifier }: { identifier: string }) => identifier);
      expect(names).toEqual(expect.arrayContaining(wanted));
      const removed = (await own.request('DELETE', '/v1/installs/one')).body;
      expect([type, removed.kept]).toEqual([type, []]);
    }
  }, 120_000);
});

/** What some clients ask for beside what their form requires. */
const extra: Readonly<Record<string, object>> = {
  github: { githubAppId: '1' },
};

describe('an install', () => {
  test('is planned without writing anything', async () => {
    const before = await blueprintNames();
    const { plan } = (await organization.request('POST', '/v1/installs/plan', { body: pagerduty })).body;
    expect(plan.blueprints).toContainEqual(
      expect.objectContaining({ identifier: 'pagerdutyService', change: 'create' }),
    );
    expect(plan.conflicts).toEqual([]);
    expect(await blueprintNames()).toEqual(before);
    expect((await organization.request('GET', '/v1/integration/acme-pagerduty')).status).toBe(404);
  });

  test('makes blueprints, the record that the client finds, and commands without a secret', async () => {
    const made = await install();
    expect(await blueprintNames()).toEqual(expect.arrayContaining(['pagerdutyService', 'pagerdutyIncident']));
    const { integration } = (await organization.request('GET', '/v1/integration/acme-pagerduty')).body;
    expect(integration).toMatchObject({
      installationAppType: 'pagerduty',
      arePortResourcesInitialized: true,
      createPortResourcesOrigin: 'Default',
      config: { resources: expect.arrayContaining([expect.objectContaining({ kind: 'services' })]) },
    });
    expect(made.install.health).toBe('waiting');
    expect(made.install.variables.map(({ name }: { name: string }) => name)).toEqual([
      'PORT_CLIENT_SECRET',
      'PAGERDUTY_TOKEN',
    ]);
    expect(JSON.stringify(made.install)).not.toContain(made.clientSecret);
    const again = await organization.request('POST', '/v1/installs', { body: pagerduty });
    expect([again.status, again.body.error]).toEqual([409, 'identifier_taken']);
  });

  test('leaves blueprints that are there as they are, adds what they lack, and asks where they differ', async () => {
    const own = blueprintBody('pagerdutyService', {
      properties: { status: { type: 'string', title: 'Ours' }, escalationLevels: { type: 'string' } },
    });
    await organization.request('POST', '/v1/blueprints', { body: own });
    const refused = await organization.request('POST', '/v1/installs', { body: pagerduty });
    expect([refused.status, issuePaths(refused.body)]).toEqual([422, ['/keep']]);
    expect(refused.body.message + JSON.stringify(refused.body.details)).toContain('escalationLevels');
    expect((await organization.request('GET', '/v1/integration/acme-pagerduty')).status).toBe(404);
    await install({ ...pagerduty, keep: ['pagerdutyService.escalationLevels'] });
    const { blueprint } = (await organization.request('GET', '/v1/blueprints/pagerdutyService')).body;
    expect(blueprint.schema.properties.status).toEqual({ type: 'string', title: 'Ours' });
    expect(blueprint.schema.properties.escalationLevels).toEqual({ type: 'string' });
    expect(Object.keys(blueprint.schema.properties)).toContain('url');
  });

  test.each([
    [{ settings: {}, type: 'sentry' }, ['/settings/sentryOrganization']],
    [{ settings: { ...settings, token: 'secret' } }, ['/settings/token']],
    [{ settings: { ...settings, nothing: 1 } }, ['/settings/nothing']],
    [{ settings: { apiUrl: 7 } }, ['/settings/apiUrl']],
    [{ installationId: 'Not Good' }, ['/installationId']],
    [{ secrets: ['apiUrl'] }, ['/secrets/0']],
  ])('is refused with %j', async (change, paths) => {
    const answer = await organization.request('POST', '/v1/installs', { body: { ...pagerduty, ...change } });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, paths]);
    expect(await blueprintNames()).not.toContain('pagerdutyService');
  });

  test('goes with its credentials, its record, and blueprints that nobody used or changed', async () => {
    const made = await install();
    const client = await signIn(made);
    await createEntity(organization.request, 'pagerdutyService', { identifier: 'checkout' });
    const answer = await organization.request('DELETE', '/v1/installs/acme-pagerduty');
    expect(answer.body.kept.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['pagerdutyService']);
    expect(answer.body.removed).toContain('pagerdutyIncident');
    app.clock.advance(1000);
    expect((await client('GET', '/v1/organization')).status).toBe(401);
    expect((await organization.request('GET', '/v1/integration/acme-pagerduty')).status).toBe(404);
    expect((await organization.request('GET', '/v1/installs/acme-pagerduty')).status).toBe(404);
  });
});

describe('the credentials of an install', () => {
  const entity = (identifier: string) => ({ identifier, title: identifier });
  const upsert = (blueprint: string) => `/v1/blueprints/${blueprint}/entities?upsert=true&merge=true`;

  test('let the client do what it does, and progress is told step by step', async () => {
    const made = await install({ ...pagerduty, resyncMinutes: 60 });
    const client = await signIn(made);
    const states = async (): Promise<string[]> => {
      const answer = await organization.request('GET', '/v1/installs/acme-pagerduty');
      return answer.body.install.steps.map(({ state }: { state: string }) => state);
    };
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
    expect((await client('GET', '/v1/organization')).status).toBe(200);
    expect(await states()).toEqual(['done', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
    expect((await client('PATCH', '/v1/integration/acme-pagerduty', { version: '0.5.1' })).status).toBe(200);
    await client('POST', '/v1/integration/acme-pagerduty/kinds/services/examples', { examples: [{ id: 1 }] });
    await client('PATCH', '/v1/integration/acme-pagerduty/resync-state', { status: 'running' });
    expect(await states()).toEqual(['done', 'done', 'done', 'running', 'waiting', 'waiting']);
    expect((await client('POST', upsert('pagerdutyService'), entity('checkout'))).status).toBe(201);
    const end = app.clock.now().toISOString();
    await client('PATCH', '/v1/integration/acme-pagerduty/resync-state', { status: 'completed', lastResyncEnd: end });
    expect(await states()).toEqual(['done', 'done', 'done', 'done', 'done', 'done']);
    const { install: now } = (await organization.request('GET', '/v1/installs/acme-pagerduty')).body;
    expect(now).toMatchObject({
      health: 'live',
      version: '0.5.1',
      newerVersion: '0.5.141',
      entities: { pagerdutyService: 1 },
      firstEntity: { blueprint: 'pagerdutyService', identifier: 'checkout' },
    });
    app.clock.advance(100 * 60_000);
    const { installs } = (await organization.request('GET', '/v1/installs')).body;
    expect(installs[0].health).toBe('late');
  });

  test('reach the blueprints of the mapping alone, whatever the client calls itself', async () => {
    await organization.request('POST', '/v1/blueprints', { body: blueprintBody('payroll') });
    await createEntity(organization.request, 'payroll', entity('secret'));
    await createEntity(organization.request, '_user', {
      identifier: 'jo@example.com',
      properties: { status: 'Active' },
    });
    const client = await signIn(await install());
    for (const userAgent of [
      'port-ocean/pagerduty/0.5.141/acme-pagerduty/exporter',
      'curl/8',
      'port-ocean/jira/1/other/exporter',
    ]) {
      app.clock.advance(2_000);
      expect((await client('POST', upsert('payroll'), entity('mine'), userAgent)).status).toBe(404);
      expect((await client('GET', '/v1/blueprints/payroll/entities/secret', undefined, userAgent)).status).toBe(404);
      expect((await client('GET', '/v1/blueprints/_user/entities/jo@example.com', undefined, userAgent)).status).toBe(
        404,
      );
      const found = await client('POST', '/v1/entities/search', { combinator: 'and', rules: [] }, userAgent);
      expect([found.status, found.body.entities]).toEqual([200, []]);
      expect((await client('POST', upsert('pagerdutyService'), entity('ok'), userAgent)).status).toBeLessThan(300);
      await organization.request('DELETE', '/v1/blueprints/pagerdutyService/entities/ok');
    }
  });

  test('are for one integration, and for the calls of clients alone', async () => {
    await organization.request('POST', '/v1/integration', {
      body: { installationId: 'other', config: { resources: [] } },
    });
    const client = await signIn(await install());
    for (const [method, path, body] of [
      ['GET', '/v1/integration/other', undefined],
      ['PATCH', '/v1/integration/other', { title: 'Mine' }],
      ['POST', '/v1/integration', { installationId: 'third' }],
      ['PATCH', '/v1/integration/other/resync-state', { status: 'completed' }],
      ['POST', '/v1/webhooks', { identifier: 'w', title: 'w' }],
      ['POST', '/v1/installs', { ...pagerduty, installationId: 'more' }],
      ['PUT', '/v1/integration/acme-pagerduty/delete-guard', { threshold: 1 }],
      ['GET', '/v1/apps', undefined],
      ['DELETE', '/v1/installs/acme-pagerduty', undefined],
    ] as const) {
      expect([path, (await client(method, path, body)).status]).toEqual([path, 403]);
    }
    const { integrations } = (await client('GET', '/v1/integration/acme-pagerduty')).body;
    expect(integrations).toBeUndefined();
  });

  test('do not reach further by a mapping that the client writes itself', async () => {
    const client = await signIn(await install());
    const { config } = (await client('GET', '/v1/integration/acme-pagerduty')).body.integration;
    const naming = (blueprint: string) => ({
      ...config,
      resources: [{ kind: 'x', port: { entity: { mappings: { identifier: '.id', blueprint } } } }, ...config.resources],
    });
    for (const blueprint of ['"_user"', '.blueprint']) {
      for (const [method, path] of [
        ['PATCH', '/v1/integration/acme-pagerduty'],
        ['PATCH', '/v1/integration/acme-pagerduty/config'],
      ] as const) {
        const answer = await client(method, path, { config: naming(blueprint) });
        expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
      }
    }
    app.clock.advance(2_000);
    const properties = { status: 'Active', port_role: 'Admin' };
    expect((await client('POST', upsert('_user'), { identifier: 'eve@example.com', properties })).status).toBe(404);
    expect((await client('PATCH', '/v1/integration/acme-pagerduty', { config })).status).toBe(200);
    const own = await organization.request('PATCH', '/v1/integration/acme-pagerduty', {
      body: { config: naming('"pagerdutyTeam"') },
    });
    expect(own.status).toBe(200);
  });

  test('are good for nothing once the integration is gone', async () => {
    const client = await signIn(await install());
    await organization.request('DELETE', '/v1/integration/acme-pagerduty');
    app.clock.advance(2_000);
    const answer = await client('POST', upsert('pagerdutyService'), entity('late'));
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('install it again')]);
  });
});
