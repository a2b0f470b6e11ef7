import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import {
  createBetaOrganization,
  createLegacyOrganization,
  drainAllJobs,
  migrate,
  usersAndTeams,
} from '../../../../test/old-organizations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const verify = `${usersAndTeams}/verify`;

interface Item {
  readonly id: string;
  readonly area: string;
  readonly resource: { readonly identifier: string };
}

async function states(request: Request, options: { token?: string } = {}): Promise<Record<string, string>> {
  const answer = await request('GET', verify, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const items: { item: Item; state: string }[] = answer.body.verification.items;
  return Object.fromEntries(items.map(({ item, state }) => [`${item.area} ${item.resource.identifier}`, state]).sort());
}

const mine = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'checkout' }] };
const forTeam = (name: string) => ({
  execute: { policy: { queries: { mine }, conditions: [`.user.team | index("${name}") != null`] } },
});

async function restrict(request: Request, body: unknown): Promise<void> {
  expect((await request('PATCH', '/v1/actions/deploy/permissions', { body })).status).toBe(200);
}

test('what was left to people is done once they did it, and stays known', async () => {
  const organization = await createLegacyOrganization(app);
  const { request } = organization;
  expect((await request('GET', verify)).status).toBe(404);
  await restrict(request, forTeam('SRE'));
  const { manual } = (await request('GET', `${usersAndTeams}/plan`)).body.plan;
  await migrate(app, organization);

  const kept: { item: Item }[] = (await request('GET', verify)).body.verification.items;
  expect(kept.map(({ item }) => item)).toEqual(manual);
  expect(await states(request)).toMatchObject({
    'dynamic-permissions deploy': 'broken',
    'calculation checkout': 'mentions',
  });
  await restrict(request, forTeam('sre'));
  expect((await states(request))['dynamic-permissions deploy']).toBe('mentions');
  await restrict(request, { execute: { policy: { queries: { mine }, conditions: ['.user.email != null'] } } });
  expect((await states(request))['dynamic-permissions deploy']).toBe('done');
  const blueprint = (await request('GET', '/v1/blueprints/checkout')).body.blueprint;
  await request('PATCH', '/v1/blueprints/checkout', {
    body: {
      calculationProperties: {
        ...blueprint.calculationProperties,
        first_owner: { type: 'string', calculation: '.identifier' },
      },
    },
  });
  expect((await states(request))['calculation checkout']).toBe('done');

  // verification outlives the undo window
  app.clock.advance(8 * 24 * 3_600_000);
  await drainAllJobs(app);
  const token = await organization.personToken('ana@acme.dev', 'Admin');
  expect(Object.keys(await states(request, { token }))).toHaveLength(manual.length);
});

test('a relation that went is still found where somebody names it; other organizations see nothing of it', async () => {
  const organization = await createBetaOrganization(app);
  const { request } = organization;
  const before = (await request('GET', `${usersAndTeams}/plan`)).body.plan;
  await migrate(app, organization);
  const { items } = (await request('GET', verify)).body.verification;
  expect(items.map(({ item }: { item: Item }) => item.id)).toEqual(before.manual.map(({ id }: Item) => id));
  const other = await createLegacyOrganization(app);
  expect((await other.request('GET', verify)).status).toBe(404);

  await request('POST', `${usersAndTeams}/rollback`);
  await drainAllJobs(app);
  expect((await request('GET', verify)).body.verification.items).toHaveLength(before.manual.length);
});
