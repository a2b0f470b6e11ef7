import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createLegacyOrganization, drainAllJobs, migrate, usersAndTeams } from '../../../../test/old-organizations.ts';
import { type Answer, createReferringOrganization, outcomes } from '../../../../test/referring-organization.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const readPlan = async (request: Request): Promise<Answer> => (await request('GET', `${usersAndTeams}/plan`)).body.plan;
const verified = async (request: Request): Promise<Answer[]> =>
  (await request('GET', `${usersAndTeams}/verify`)).body.verification.items;
const send = (request: Request, body: object, token?: string) =>
  request('POST', `${usersAndTeams}/acceptances`, { body, ...(token ? { token } : {}) });
const seen = (item: Answer) => ({ itemId: item.id, value: item.suggestion.value });
const calculation = (name: string) => `/calculationProperties/${name}/calculation`;
const itemAt = (items: readonly Answer[], pointer: string) => items.find((item) => item.pointer === pointer);

describe('an accepted suggestion', () => {
  test('of every kind of document is written right after the flip, and undone with the migration', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const read = async () =>
      Promise.all(outcomes.map(async ([kind, path, pick]) => [kind, pick((await request('GET', path)).body)]));
    const before = await read();
    const { manual, hash } = await readPlan(request);
    const chosen = outcomes.map(([kind]) =>
      manual.find(({ resource, suggestion }: Answer) => resource.kind === kind && suggestion),
    );
    const answer = await send(request, { accept: chosen.map(seen) });
    expect([answer.status, answer.body.accepted?.length], JSON.stringify(answer.body)).toEqual([200, chosen.length]);
    const plan = await readPlan(request);
    expect(plan.hash).toBe(hash);
    expect(plan.accepted).toEqual(answer.body.accepted);
    for (const each of plan.accepted) expect(each).toMatchObject({ isCurrent: true, by: expect.any(String) });
    expect(await read()).toEqual(before);

    const { status, counts } = await migrate(app, organization);
    expect([status, counts['suggestions:applied'], counts['suggestions:refused']]).toEqual([
      'COMPLETED',
      chosen.length,
      undefined,
    ]);
    expect(await read()).toEqual(outcomes.map(([kind, , , wanted]) => [kind, wanted]));
    for (const { item, state, applied, accepted } of await verified(request)) {
      const isChosen = chosen.some(({ id }) => id === item.id);
      expect([item.pointer, Boolean(applied), accepted?.state]).toEqual([
        item.pointer,
        isChosen,
        isChosen ? 'applied' : undefined,
      ]);
      if (isChosen) expect(['done', 'mentions']).toContain(state);
    }
    const { audits } = (await request('GET', '/v1/audit-log?limit=1000')).body;
    const told = audits.filter(({ message }: Answer) => message === 'A suggestion of the migration of users and teams');
    expect(told.length).toBeGreaterThanOrEqual(chosen.length);
    for (const { trigger, context } of told) {
      expect([trigger.origin, context.migrationId]).toEqual(['MIGRATION', expect.any(String)]);
    }

    expect((await request('POST', `${usersAndTeams}/rollback`)).status).toBe(202);
    await drainAllJobs(app);
    expect((await request('GET', usersAndTeams)).body.status).toBe('ROLLED_BACK');
    expect(await read()).toEqual(before);
    // accepted changes are due again in the next migration
    expect((await readPlan(request)).accepted).toEqual(plan.accepted);
    expect((await migrate(app, organization)).counts['suggestions:applied']).toBe(chosen.length);
    expect(await read()).toEqual(outcomes.map(([kind, , , wanted]) => [kind, wanted]));
  });

  test('is not written where its place or its suggestion is another by then, and says so', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = await readPlan(request);
    const changed = itemAt(manual, calculation('is_sre'));
    const renamed = manual.find(({ resource }: Answer) => resource.kind === 'webhook');
    const { accepted } = (await send(request, { accept: [changed, renamed].map(seen) })).body;
    expect(accepted).toHaveLength(2);
    const text = '.team == ["SRE"]';
    await request('PATCH', '/v1/blueprints/checkout', {
      body: { calculationProperties: { is_sre: { type: 'boolean', calculation: text } } },
    });
    await request('PUT', `${usersAndTeams}/overrides`, { body: { identifiers: { SRE: 'reliability' } } });
    const plan = await readPlan(request);
    expect(plan.accepted.map(({ isCurrent }: Answer) => isCurrent)).toEqual([false, false]);
    expect((await migrate(app, organization)).counts['suggestions:refused']).toBe(2);
    const { calculationProperties } = (await request('GET', '/v1/blueprints/checkout')).body.blueprint;
    expect(calculationProperties.is_sre.calculation).toBe(text);
    const { mappings } = (await request('GET', '/v1/webhooks/pager')).body.integration;
    expect(mappings[0].entity.team).toBe('"SRE"');
    const items = (await verified(request)).filter(({ accepted: own }) => own);
    expect(items).toHaveLength(2);
    for (const { applied, accepted: own } of items) {
      expect([applied, own.state, own.message]).toEqual([null, 'refused', expect.stringContaining('changed')]);
    }
    expect(items.find(({ item }) => item.id === changed.id)).toMatchObject({ state: 'broken', current: text });
    // the changed suggestion may be applied
    expect((await request('POST', `${usersAndTeams}/items/${renamed.id}/apply`)).status).toBe(200);
  });

  test('that the document refuses leaves the migration to end', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = await readPlan(request);
    const item = itemAt(manual, calculation('owners'));
    // its edits add a mirror, whose name is taken before the migration runs
    await send(request, { accept: [seen(item)] });
    const started = await request('POST', usersAndTeams);
    expect(started.status).toBe(202);
    await request('PATCH', '/v1/blueprints/checkout', {
      body: { schema: { properties: { owner_titles: { type: 'string' } } } },
    });
    await drainAllJobs(app);
    const { status, counts } = (await request('GET', usersAndTeams)).body;
    expect([status, counts['suggestions:refused']]).toEqual(['COMPLETED', 1]);
    const own = (await verified(request)).find((each) => each.item.id === item.id);
    expect(own.accepted).toMatchObject({ state: 'refused', message: expect.any(String) });
  });

  test('is withdrawn before, and taken back for good after', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = await readPlan(request);
    const [first, second] = ['is_sre', 'owners'].map((name) => itemAt(manual, calculation(name)));
    await send(request, { accept: [seen(first), seen(second)] });
    // accepting again changes nothing, not even author and time
    const before = (await readPlan(request)).accepted;
    app.clock.advance(60_000);
    expect((await send(request, { accept: [seen(first)] })).body.accepted).toEqual(before);
    expect((await send(request, { withdraw: [second.id, 'nothing'] })).body.accepted).toHaveLength(1);
    expect((await migrate(app, organization)).counts['suggestions:applied']).toBe(1);
    expect((await request('POST', `${usersAndTeams}/items/${first.id}/revert`)).status).toBe(200);
    await request('POST', `${usersAndTeams}/rollback`);
    await drainAllJobs(app);
    expect((await readPlan(request)).accepted).toEqual([]);
  });
});

describe('accepting', () => {
  test('takes what was seen of the own plan, all or nothing', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = await readPlan(request);
    const item = itemAt(manual, calculation('is_sre'));
    const byHand = manual.find(({ suggestion }: Answer) => !suggestion);
    const other = await createLegacyOrganization(app);
    const refusals: readonly (readonly [object, number, string])[] = [
      [{ accept: [seen(item), { itemId: item.id, value: 'else' }] }, 409, 'stale_version'],
      [{ accept: [seen(item), { itemId: 'nothing', value: null }] }, 422, 'invalid_request'],
      ...(byHand ? [[{ accept: [{ itemId: byHand.id, value: null }] }, 422, 'invalid_request'] as const] : []),
      [{ accept: 'all' }, 422, 'invalid_request'],
      [{ accepted: [] }, 422, 'invalid_request'],
      [{ accept: Array.from({ length: 501 }, () => seen(item)) }, 422, 'invalid_request'],
    ];
    const journal = await organization.journal();
    for (const [body, status, error] of refusals) {
      const answer = await send(request, body);
      expect([answer.status, answer.body.error], JSON.stringify(body).slice(0, 200)).toEqual([status, error]);
    }
    const member = await send(request, { accept: [seen(item)] }, await organization.memberToken());
    expect(member.status).toBe(403);
    const webhook = manual.find(({ resource }: Answer) => resource.kind === 'webhook');
    expect((await send(other.request, { accept: [seen(webhook)] })).status).toBe(422);
    expect(await app.count('people_migration_acceptances', organization.id)).toBe(0);
    expect(await app.count('people_migration_acceptances', other.id)).toBe(0);
    expect(await organization.journal()).toEqual(journal);
  });

  test('is refused while the migration runs and once it is done', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const item = itemAt((await readPlan(request)).manual, calculation('is_sre'));
    expect((await request('POST', usersAndTeams)).status).toBe(202);
    const during = await send(request, { accept: [seen(item)] });
    expect([during.status, during.body.error]).toEqual([409, 'migration_in_progress']);
    await drainAllJobs(app);
    const after = await send(request, { accept: [seen(item)] });
    expect([after.status, after.body.error]).toEqual([409, 'already_on_new_model']);
    expect(await app.count('people_migration_acceptances', organization.id)).toBe(0);
  });

  test('by two at once is noted once', async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const item = itemAt((await readPlan(request)).manual, calculation('is_sre'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(request, { accept: [seen(item)] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await app.count('people_migration_acceptances', organization.id)).toBe(1);
  });
});

test('the plan shows what an expression gives now and as it is suggested, and verifying what stands there', async () => {
  const organization = await createReferringOrganization(app);
  const { request } = organization;
  const { manual } = await readPlan(request);
  expect(itemAt(manual, calculation('owners')).sample).toEqual({
    of: expect.stringContaining('checkout'),
    before: expect.stringContaining('SRE'),
    after: expect.stringContaining('SRE'),
  });
  await migrate(app, organization);
  for (const { item, current } of await verified(request)) {
    expect([item.pointer, current]).toEqual([item.pointer, item.before]);
  }
  const kept = (await verified(request)).find(({ item }) => item.pointer === calculation('owners'));
  expect(kept.item.sample).toBeDefined();
});
