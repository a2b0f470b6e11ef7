import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createEntity, readEntity } from '../../../../test/catalog-fixtures.ts';
import {
  createBetaOrganization,
  createLegacyOrganization,
  drainAllJobs,
  migrate,
  readWhole,
  usersAndTeams,
} from '../../../../test/old-organizations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const readPlan = async ({ request }: TestOrganization) => {
  const answer = await request('GET', `${usersAndTeams}/plan`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.plan;
};

interface Change {
  readonly resource: { readonly kind: string; readonly identifier: string };
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Applies the changes of a plan to a document; null means absent. */
function applied(document: unknown, changes: readonly Change[]): unknown {
  const copy = structuredClone(document) as Record<string, unknown>;
  for (const { pointer, before, after } of changes) {
    const keys = pointer.split('/').slice(1);
    const last = keys.pop() as string;
    let at = copy;
    for (const key of keys) at = at[key] as Record<string, unknown>;
    if (!pointer.startsWith('/ownership/') && !pointer.includes('$team')) expect(at[last] ?? null).toEqual(before);
    if (after === null) delete at[last];
    else at[last] = after;
  }
  return copy;
}

describe.each([
  ['legacy', createLegacyOrganization],
  ['beta', createBetaOrganization],
] as const)('the plan of a %s organization', (_model, create) => {
  test('has a stable hash, writes nothing, and is what the run does', async () => {
    const organization = await create(app);
    const before = await readWhole(organization);
    const plan = await readPlan(organization);
    expect((await readPlan(organization)).hash).toBe(plan.hash);
    expect(await readWhole(organization)).toEqual(before);
    expect(await app.count('people_migrations', organization.id)).toBe(0);
    await migrate(app, organization);
    const after = await readWhole(organization);
    const changes: Change[] = [...plan.automatic, ...plan.implied];
    const of = (kind: string, name: string) =>
      changes.filter(({ resource }) => resource.kind === kind && resource.identifier === name);
    for (const blueprint of before.blueprints) {
      const { identifier } = blueprint;
      const now = after.blueprints.find((each: { identifier: string }) => each.identifier === identifier);
      expect(now, identifier).toEqual(applied(blueprint, of('blueprint', identifier)));
      const lists = of('blueprint-permissions', identifier).filter(({ pointer }) => pointer.endsWith('/teams'));
      for (const { pointer, after: names } of lists) {
        const keys = pointer.split('/').slice(1);
        // biome-ignore lint/suspicious/noExplicitAny: walks a document by a pointer
        const value = keys.reduce((at: any, key) => at?.[key], after.permissions[identifier]);
        if (value !== undefined) expect(value, pointer).toEqual(names);
      }
    }
    expect(after.actionPermissions).toEqual(applied(before.actionPermissions, of('action-permissions', 'deploy')));
    expect(after.pagePermissions).toEqual(applied(before.pagePermissions, of('page-permissions', 'growth')));
    const answer = await organization.request('GET', `${usersAndTeams}/plan`);
    expect([answer.status, answer.body.error]).toEqual([409, 'already_on_new_model']);
  });

  test('names what is no team, and warns of what a new definition could not be', async () => {
    const organization = await create(app);
    const plan = await readPlan(organization);
    expect(plan.unresolved).toEqual([
      { name: 'Nobody', places: ['entities of checkout (1)', 'permissions of checkout'] },
    ]);
    expect(plan.blockers).toEqual([]);
    const codes = plan.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain(_model === 'legacy' ? 'BROKEN_INHERITANCE_PATH' : 'RELATION_CONSTRAINT_LOST');
  });

  test('a rehearsal of a sound organization finds nobody who gains or loses anything', async () => {
    const organization = await create(app);
    const answer = await organization.request('POST', `${usersAndTeams}/rehearse`);
    expect(answer.body.rehearsal).toMatchObject({
      gained: [],
      lost: [],
      dangling: [{ name: 'Nobody', places: ['permissions of checkout'] }],
      checked: { people: 3, actions: 1, pages: expect.any(Number) },
      isCut: false,
    });
    expect(answer.body.rehearsal.hash).toBe((await readPlan(organization)).hash);
  });
});

test('what is left to people is found by its own identifier, with what to write instead', async () => {
  const organization = await createLegacyOrganization(app);
  const { request } = organization;
  const rules = [{ property: '$team', operator: 'containsAny', value: ['SRE'] }];
  await request('PATCH', '/v1/actions/deploy/permissions', {
    body: {
      execute: {
        policy: { queries: { mine: { combinator: 'and', rules } }, conditions: ['.user.team | index("SRE") != null'] },
      },
    },
  });
  const { manual } = await readPlan(organization);
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  const found = manual.map(({ area, resource, verdict, expression, suggestion }: Record<string, any>) => ({
    area,
    identifier: resource.identifier,
    verdict,
    expression,
    suggestion: suggestion?.['value'],
  }));
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ area: 'calculation', identifier: 'checkout', expression: '.team[0]' }),
      expect.objectContaining({
        area: 'dynamic-permissions',
        identifier: 'deploy',
        verdict: 'breaks',
        suggestion: '.user.team | index("sre") != null',
      }),
    ]),
  );
});

describe('a rehearsal', () => {
  test('finds who loses what by a policy that names a title', async () => {
    const organization = await createLegacyOrganization(app);
    const { request } = organization;
    const rules = [{ property: '$team', operator: 'containsAny', value: ['Payments Core'] }];
    const policy = { combinator: 'and', rules };
    await request('PATCH', '/v1/blueprints/checkout/permissions', {
      body: { entities: { read: { roles: ['Admin'], teams: [], policy } } },
    });
    await request('PATCH', '/v1/actions/deploy/permissions', {
      body: {
        execute: {
          policy: {
            queries: {
              mine: {
                combinator: 'and',
                rules: [{ property: '$blueprint', operator: '=', value: 'checkout' }, ...rules],
              },
            },
            conditions: ['.results.mine.entities | length > 0'],
          },
        },
      },
    });
    const { rehearsal } = (await request('POST', `${usersAndTeams}/rehearse`)).body;
    expect(rehearsal.gained).toEqual([]);
    const lost = rehearsal.lost.map(
      (each: Record<string, unknown>) => `${each['identifier']} ${each['operation']} ${each['person']}`,
    );
    expect(lost).toEqual(expect.arrayContaining(["checkout read o'neil@acme.dev", 'deploy execute ana@acme.dev']));
    // the migration does what the rehearsal predicted
    const token = await organization.personToken("o'neil@acme.dev");
    const search = async () =>
      (await request('GET', '/v1/blueprints/checkout/entities', { token })).body.entities?.length ?? 0;
    expect(await search()).toBe(1);
    await migrate(app, organization);
    expect(await search()).toBe(0);
  });
});

describe('choices', () => {
  test('of identifiers are what teams get, and go back with an undo', async () => {
    const organization = await createLegacyOrganization(app);
    const { request } = organization;
    const choose = (body: unknown) => request('PUT', `${usersAndTeams}/overrides`, { body });
    expect((await choose({ identifiers: { SRE: 'site-reliability', 'Payments Core': 'pay' } })).status).toBe(200);
    expect((await readPlan(organization)).teams).toEqual(
      expect.arrayContaining([{ title: 'SRE', identifier: 'site-reliability', source: 'chosen' }]),
    );
    await migrate(app, organization);
    expect((await readEntity(request, 'checkout', 'cart-api')).team).toEqual(['pay', 'site-reliability']);
    await request('POST', `${usersAndTeams}/rollback`);
    await drainAllJobs(app);
    const { teams } = (await request('GET', '/v1/teams')).body;
    expect(teams.map(({ identifier }: { identifier: string }) => identifier).sort()).toEqual([
      'growth_ads',
      'payments_core',
      'sre',
    ]);
  });

  test.each([
    [{ identifiers: { SRE: 'payments_core' } }, 'IDENTIFIER_TAKEN'],
    [{ identifiers: { SRE: 'reliability', 'Payments Core': 'sre' } }, 'IDENTIFIER_TAKEN'],
    [{ identifiers: { None: 'none' } }, 'UNKNOWN_TEAM'],
    [{ duplicates: { SRE: 'none' } }, 'UNKNOWN_TEAM'],
  ])('%j blocks', async (choices, code) => {
    const organization = await createLegacyOrganization(app);
    await organization.request('PUT', `${usersAndTeams}/overrides`, { body: choices });
    const answer = await organization.request('POST', usersAndTeams);
    expect([answer.status, answer.body.error]).toEqual([422, 'migration_blocked']);
    expect(answer.body.details).toMatchObject([{ code, message: expect.stringContaining('overrides') }]);
    expect((await organization.request('GET', usersAndTeams)).body).toMatchObject({
      status: 'BLOCKED',
      model: 'legacy',
      blockers: [{ code }],
    });
  });

  test.each([{ identifiers: { SRE: 'a b' } }, { identifiers: [] }, { other: 1 }])('%j is refused', async (body) => {
    const organization = await app.createOrganization({ model: 'legacy' });
    expect((await organization.request('PUT', `${usersAndTeams}/overrides`, { body })).status).toBe(422);
  });

  test('two teams of one title block where the title is named, and a choice decides', async () => {
    const organization = await createLegacyOrganization(app);
    const { request } = organization;
    await request('POST', '/v1/teams', { body: { name: 'Other SRE', users: ['li@acme.dev'] } });
    // data from before names had to be unique
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update teams set title = 'SRE', name_key = null where org_id = ${organization.id} and identifier = 'other_sre'`),
    );
    expect((await readPlan(organization)).collisions).toHaveLength(1);
    expect((await readPlan(organization)).blockers).toEqual([]);
    await createEntity(request, 'checkout', { identifier: 'ambiguous', team: ['SRE'] });
    await request('PATCH', '/v1/actions/deploy/permissions', { body: { approve: { teams: ['SRE'] } } });
    const blocked = await request('POST', usersAndTeams);
    expect(blocked.body.details).toMatchObject([{ code: 'DUPLICATE_TEAM_TITLE' }]);
    await request('PUT', `${usersAndTeams}/overrides`, { body: { duplicates: { SRE: 'other_sre' } } });
    const { rehearsal } = (await request('POST', `${usersAndTeams}/rehearse`)).body;
    expect(rehearsal.gained).toMatchObject([{ identifier: 'deploy', operation: 'approve', person: 'li@acme.dev' }]);
    expect((await migrate(app, organization)).status).toBe('COMPLETED');
    expect((await readEntity(request, 'checkout', 'ambiguous')).team).toEqual(['other_sre']);
    expect((await request('GET', '/v1/actions/deploy/permissions')).body.permissions.approve.teams).toEqual([
      'other_sre',
    ]);
  });
});
