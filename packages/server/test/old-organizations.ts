import { expect } from 'vitest';
import type { Request, TestApp, TestOrganization } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';

/** Organizations from before users and teams were blueprints, made over the API as their people would have. */
export const usersAndTeams = '/v1/blueprints/system/users-and-teams-as-blueprints';

async function ask(request: Request, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await request(method, path, body === undefined ? {} : { body });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
}

const none = { roles: ['Admin'], users: [], teams: [], ownedByTeam: false };

/** People, teams, permissions, an action, a page; blueprints of either model apart. */
async function seedOrganization(app: TestApp, { request }: TestOrganization): Promise<void> {
  for (const email of ['ana@acme.dev', 'li@acme.dev', "o'neil@acme.dev"]) {
    await ask(request, 'POST', '/v1/users/invite?notify=false', { invitee: { email } });
    // one after another, so that lists have one order
    app.clock.advance(1);
  }
  const teams = [
    { name: 'Payments Core', description: 'Cards and ledgers', users: ['ana@acme.dev', 'li@acme.dev'] },
    { name: 'SRE', users: ['ana@acme.dev'] },
    { name: 'Growth & Ads', users: [] },
  ];
  for (const body of teams) {
    await ask(request, 'POST', '/v1/teams', body);
    app.clock.advance(1);
  }
  await ask(request, 'POST', '/v1/actions', {
    identifier: 'deploy',
    title: 'Deploy',
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
    invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
  });
  await ask(request, 'PATCH', '/v1/actions/deploy/permissions', {
    execute: { roles: ['Member'], users: [], teams: ['Payments Core'], ownedByTeam: false },
    approve: { roles: ['Admin'], users: [], teams: ['SRE'] },
  });
  await ask(request, 'POST', '/v1/pages', { identifier: 'growth', title: 'Growth', type: 'dashboard', widgets: [] });
  await ask(request, 'PATCH', '/v1/pages/growth/permissions', {
    read: { roles: ['Admin', 'Member'], users: [], teams: ['Growth & Ads'] },
    update: { roles: ['Admin'], users: ['li@acme.dev'], teams: ['SRE'] },
  });
}

const owned = blueprintBody('checkout', {
  properties: { tier: { type: 'string' } },
  calculationProperties: { first_owner: { type: 'string', calculation: '.team[0]' } },
});

async function ownedEntities(request: Request): Promise<void> {
  await ask(request, 'POST', '/v1/blueprints', owned);
  await ask(request, 'POST', '/v1/blueprints', blueprintBody('bare', { properties: { n: { type: 'number' } } }));
  await createEntity(request, 'checkout', { identifier: 'cart-api', team: ['Payments Core', 'SRE'] });
  await createEntity(request, 'checkout', { identifier: 'lost', team: ['Nobody', 'SRE'] });
  await createEntity(request, 'checkout', { identifier: 'nobody', team: [] });
  await createEntity(request, 'bare', { identifier: 'one', properties: { n: 1 } });
  await ask(request, 'PATCH', '/v1/blueprints/checkout/permissions', {
    entities: {
      read: { roles: ['Admin'], users: [], teams: ['SRE', 'Payments Core'], ownedByTeam: false },
      register: { roles: ['Admin'], users: [], teams: ['Payments Core'], ownedByTeam: true },
      update: { ...none, teams: ['Nobody'] },
      updateProperties: { tier: { roles: [], users: [], teams: ['SRE'], ownedByTeam: false } },
    },
  });
}

/** An organization of model `legacy`: teams by their titles, and no entities for people. */
export async function createLegacyOrganization(app: TestApp): Promise<TestOrganization> {
  const organization = await app.createOrganization({ model: 'legacy' });
  const { request } = organization;
  await seedOrganization(app, organization);
  await ownedEntities(request);
  await ask(request, 'POST', '/v1/blueprints', blueprintBody('system'));
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('workload', { relations: { part_of: { target: 'checkout', required: false, many: false } } }),
  );
  // inherits over two relations, from one whose entities name no teams, and along a path that is broken
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('pod', {
      relations: {
        runs: { target: 'workload', required: false, many: false },
        inside: { target: 'system', required: false, many: false },
      },
      teamInheritance: { path: 'runs.part_of' },
    }),
  );
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('volume', {
      relations: { inside: { target: 'system', required: false, many: false } },
      teamInheritance: { path: 'inside' },
    }),
  );
  await ask(request, 'POST', '/v1/blueprints', blueprintBody('stray', { teamInheritance: { path: 'nowhere' } }));
  await createEntity(request, 'workload', { identifier: 'w', relations: { part_of: 'cart-api' } });
  await createEntity(request, 'pod', { identifier: 'p', relations: { runs: 'w' } });
  return organization;
}

/** An organization of model `beta`: titles as values, identifiers in rules, relations to `_team`. */
export async function createBetaOrganization(app: TestApp): Promise<TestOrganization> {
  const organization = await app.createOrganization({ model: 'beta' });
  const { request } = organization;
  await seedOrganization(app, organization);
  await ownedEntities(request);
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('ledger', {
      properties: { tier: { type: 'string' } },
      relations: {
        owners: { title: 'Owners', target: '_team', many: true, required: false },
        advised: { title: 'Advised', target: '_team', many: true, required: false },
      },
      mirrorProperties: { owner_titles: { path: 'owners.$title' } },
      calculationProperties: { owner_count: { type: 'number', calculation: '.team | length' } },
      teamInheritance: { path: 'owners' },
    }),
  );
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('single', {
      relations: { lead: { target: '_team', many: false, required: false } },
      teamInheritance: { path: 'lead' },
    }),
  );
  const toLedger = { relations: { book: { target: 'ledger', required: false, many: false } } };
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('entry', { ...toLedger, teamInheritance: { path: 'book' } }),
  );
  await ask(
    request,
    'POST',
    '/v1/blueprints',
    blueprintBody('line', {
      ...toLedger,
      mirrorProperties: { owner: { path: 'book.owners.$identifier' } },
      teamInheritance: { path: 'book.owners' },
    }),
  );
  await createEntity(request, 'ledger', {
    identifier: 'gl-1',
    relations: { owners: ['payments_core'], advised: ['sre'] },
  });
  await createEntity(request, 'ledger', { identifier: 'gl-2', relations: { owners: ['sre', 'growth_ads'] } });
  await createEntity(request, 'ledger', { identifier: 'gl-3' });
  await createEntity(request, 'single', { identifier: 's-1', relations: { lead: 'sre' } });
  await createEntity(request, 'entry', { identifier: 'e-1', relations: { book: 'gl-1' } });
  await createEntity(request, 'line', { identifier: 'l-1', relations: { book: 'gl-2' } });
  await ask(request, 'PATCH', '/v1/blueprints/ledger/permissions', {
    entities: {
      read: { roles: ['Admin'], users: [], teams: ['SRE', 'Payments Core'], ownedByTeam: false },
      updateProperties: { tier: { roles: [], users: [], teams: ['SRE'], ownedByTeam: false } },
      updateRelations: { owners: { roles: ['Admin'], users: [], teams: ['SRE'], ownedByTeam: false } },
    },
  });
  await ask(request, 'PATCH', '/v1/blueprints/single/permissions', {
    entities: {
      updateProperties: { $team: { roles: ['Admin'], users: [], teams: ['Payments Core'], ownedByTeam: false } },
      updateRelations: { lead: { roles: ['Admin'], users: [], teams: ['SRE'], ownedByTeam: false } },
    },
  });
  return organization;
}

/** Everything of an organization that people read, in one object that can be compared. */
export async function readWhole({ request }: Pick<TestOrganization, 'request'>) {
  const get = async (path: string) => {
    const answer = await request('GET', path);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const { blueprints } = await get('/v1/blueprints');
  const entities: Record<string, unknown> = {};
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  const permissions: Record<string, any> = {};
  for (const { identifier } of blueprints) {
    entities[identifier] = (await get(`/v1/blueprints/${identifier}/entities`)).entities;
    permissions[identifier] = (await get(`/v1/blueprints/${identifier}/permissions`)).permissions;
  }
  const { pages } = await get('/v1/pages');
  const { featureFlags } = (await get('/v1/organization')).organization;
  return {
    blueprints,
    entities,
    permissions,
    pages,
    pagePermissions: (await get('/v1/pages/growth/permissions')).permissions,
    actions: (await get('/v1/actions?version=v2')).actions,
    actionPermissions: (await get('/v1/actions/deploy/permissions')).permissions,
    teams: (await get('/v1/teams')).teams,
    users: (await get('/v1/users')).users,
    featureFlags,
  };
}

/** Runs the migration to its end and answers how it stands. */
export async function migrate(app: TestApp, { request }: Pick<TestOrganization, 'request'>) {
  const started = await request('POST', usersAndTeams);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await drainAllJobs(app);
  return (await request('GET', usersAndTeams)).body;
}

/** Has background work done, and forgotten what tokens stood for. */
export async function drainAllJobs(app: TestApp): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    app.clock.advance(2_000);
    await app.app.jobs.drain();
  }
}
