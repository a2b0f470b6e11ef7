import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createLegacyOrganization, drainAllJobs, migrate, usersAndTeams } from '../../../../test/old-organizations.ts';
import { type Answer, createReferringOrganization, outcomes } from '../../../../test/referring-organization.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Item {
  readonly id: string;
  readonly pointer: string;
  readonly resource: { readonly kind: string; readonly identifier: string };
  readonly suggestion?: { readonly value: unknown };
}

async function readItems(request: Request): Promise<(Item & { state: string; applied: unknown })[]> {
  const { items } = (await request('GET', `${usersAndTeams}/verify`)).body.verification;
  return items.map(({ item, state, applied }: Answer) => ({ ...item, state, applied }));
}

const calculation = (name: string) => `/calculationProperties/${name}/calculation`;
const apply = (request: Request, id: string, query = '') =>
  request('POST', `${usersAndTeams}/items/${id}/apply${query}`);
const revert = (request: Request, id: string) => request('POST', `${usersAndTeams}/items/${id}/revert`);
const idAt = (items: readonly Item[], pointer: string) => items.find((item) => item.pointer === pointer)?.id ?? '';

describe('a suggestion', () => {
  test('of every kind of document is tried, written, told, and taken back to what was there', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    await migrate(app, organization);
    const items = await readItems(request);
    const read = async (path: string) => (await request('GET', path)).body;
    for (const [kind, path, pick, wanted] of outcomes) {
      const item = items.find(({ resource, suggestion }) => resource.kind === kind && suggestion);
      expect(item, kind).toBeDefined();
      const { id = '' } = item ?? {};
      const before = pick(await read(path));
      const tried = await apply(request, id, '?dry_run=true');
      expect([kind, tried.status, tried.body.suggestion?.applied], JSON.stringify(tried.body)).toEqual([
        kind,
        200,
        null,
      ]);
      expect(pick(await read(path))).toEqual(before);
      expect((await revert(request, id)).status).toBe(404);

      const answer = await apply(request, id);
      expect(answer.body.suggestion).toMatchObject({
        itemId: id,
        resource: { kind },
        changes: tried.body.suggestion.changes,
        applied: { at: expect.any(String), by: expect.any(String) },
      });
      expect(pick(await read(path)), kind).toEqual(wanted);
      const log = await organization.journal();
      expect((await apply(request, id)).body.suggestion.applied).toEqual(answer.body.suggestion.applied);
      expect(await organization.journal(), kind).toEqual(log);
      const again = (await readItems(request)).find((each) => each.id === id);
      expect(again?.applied, kind).toEqual(answer.body.suggestion.applied);
      expect(['done', 'mentions'], kind).toContain(again?.state);

      expect((await revert(request, id)).body.suggestion).toMatchObject({ applied: null });
      expect(pick(await read(path)), kind).toEqual(before);
    }
    // the secret of the webhook stays
    expect((await read('/v1/webhooks/pager')).integration.security).toBeDefined();
    const { audits } = await read('/v1/audit-log?limit=1000');
    const told = audits.filter(({ message }: Answer) => message === 'A suggestion of the migration of users and teams');
    expect(told.length).toBeGreaterThanOrEqual(2 * outcomes.length);
    for (const { context } of told) expect(context.migrationId).toEqual(expect.any(String));
  });

  test('that brings a part along brings it once, and each is taken back by itself', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    await migrate(app, organization);
    const items = await readItems(request);
    const [owners, again] = ['owners', 'again'].map((name) => idAt(items, calculation(name)));
    expect((await apply(request, owners ?? '')).body.suggestion.changes).toHaveLength(2);
    expect((await apply(request, again ?? '')).body.suggestion.changes).toHaveLength(1);
    const blueprint = async () => (await request('GET', '/v1/blueprints/checkout')).body.blueprint;
    expect(await blueprint()).toMatchObject({
      mirrorProperties: { owner_titles: { title: 'Owners', path: '$team.$title' } },
      calculationProperties: { owners: { calculation: '.properties.owner_titles | join(", ")' } },
    });
    await drainAllJobs(app);
    const entity = (await request('GET', '/v1/blueprints/checkout/entities/cart-api')).body.entity;
    expect(entity.properties).toMatchObject({ owners: 'Payments Core, SRE', again: 'Payments Core; SRE' });
    expect((await revert(request, again ?? '')).status).toBe(200);
    expect((await blueprint()).mirrorProperties).toHaveProperty('owner_titles');
    expect((await revert(request, owners ?? '')).status).toBe(200);
    expect((await blueprint()).mirrorProperties).toEqual({});
  });

  test('is refused where the place is not what it was, before and after', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    await migrate(app, organization);
    const items = await readItems(request);
    const id = idAt(items, calculation('is_sre'));
    const write = (text: string) =>
      request('PATCH', '/v1/blueprints/checkout', {
        body: { calculationProperties: { is_sre: { type: 'boolean', calculation: text } } },
      });
    const text = async () =>
      (await request('GET', '/v1/blueprints/checkout')).body.blueprint.calculationProperties.is_sre.calculation;
    await write('.team != []');
    const journal = await organization.journal();
    for (const query of ['', '?dry_run=true']) {
      const refused = await apply(request, id, query);
      expect([refused.status, refused.body.error]).toEqual([409, 'stale_version']);
    }
    expect(await organization.journal()).toEqual(journal);
    expect(await app.count('people_migration_suggestions', organization.id)).toBe(0);
    await write('.team | contains(["SRE"])');
    expect((await apply(request, id)).status).toBe(200);
    await write('.team == []');
    expect((await revert(request, id)).body.error).toBe('stale_version');
    expect(await text()).toBe('.team == []');
    // after a reset by hand it can be applied again
    await write('.team | contains(["SRE"])');
    expect((await apply(request, id)).status).toBe(200);
    expect(await text()).toBe('.team | index("sre") != null');
    await request('DELETE', '/v1/webhooks/pager');
    const gone = items.find(({ resource }) => resource.kind === 'webhook')?.id ?? '';
    expect((await apply(request, gone)).status).toBe(404);
  });

  test('two at once are written once', async () => {
    const organization = await createReferringOrganization(app);
    await migrate(app, organization);
    const id = idAt(await readItems(organization.request), calculation('is_sre'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => apply(organization.request, id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.suggestion.applied.at)).size).toBe(1);
    expect(await app.count('people_migration_suggestions', organization.id)).toBe(1);
  });

  test('is for administrators of an organization that is migrated, and for its own items', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = (await request('GET', `${usersAndTeams}/plan`)).body.plan;
    const id = idAt(manual, calculation('is_sre'));
    const early = await apply(request, id);
    expect([early.status, early.body.error]).toEqual([409, 'not_migrated']);
    await migrate(app, organization);
    const token = await organization.memberToken();
    for (const verb of ['apply', 'revert']) {
      const answer = await request('POST', `${usersAndTeams}/items/${id}/${verb}`, { token });
      expect([verb, answer.status]).toEqual([verb, 403]);
    }
    expect((await apply(request, 'nothing')).status).toBe(404);
    const other = await createLegacyOrganization(app);
    await migrate(app, other);
    const strange = (await readItems(request)).find(({ resource }) => resource.kind === 'webhook')?.id ?? '';
    expect((await apply(other.request, strange)).status).toBe(404);
    const byHand = (await readItems(request)).find(({ suggestion }) => !suggestion);
    if (byHand) {
      const none = await apply(request, byHand.id);
      expect([none.status, none.body.error]).toEqual([422, 'invalid_request']);
    }
  });
});

test('undoing the migration takes applied suggestions back, and keeps what was written since', async () => {
  const organization = await createReferringOrganization(app);
  const { request } = organization;
  const before = await Promise.all(outcomes.map(async ([, path, pick]) => pick((await request('GET', path)).body)));
  await migrate(app, organization);
  for (const { id, suggestion } of await readItems(request)) {
    if (suggestion) expect((await apply(request, id)).status).toBe(200);
  }
  const widget = { dataset: { combinator: 'and', rules: [] } };
  expect((await request('PATCH', '/v1/pages/overview/widgets/table', { body: widget })).status).toBe(200);
  expect((await request('POST', `${usersAndTeams}/rollback`)).status).toBe(202);
  await drainAllJobs(app);
  const { status, counts } = (await request('GET', usersAndTeams)).body;
  expect([status, counts['suggestions:kept']]).toEqual(['ROLLED_BACK', 1]);
  const after = await Promise.all(outcomes.map(async ([, path, pick]) => pick((await request('GET', path)).body)));
  const page = outcomes.findIndex(([kind]) => kind === 'page');
  expect(after).toEqual(before.with(page, []));
  const { blueprint } = (await request('GET', '/v1/blueprints/checkout')).body;
  expect(blueprint.mirrorProperties).toEqual({});
  expect(blueprint.calculationProperties.is_sre.calculation).toBe('.team | contains(["SRE"])');
  expect(await app.count('people_migration_suggestions', organization.id)).toBe(0);
  const late = await apply(request, 'nothing');
  expect([404, 409]).toContain(late.status);
});
