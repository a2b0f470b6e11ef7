import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createEntity, entityPath, readEntity } from '../../../../test/catalog-fixtures.ts';
import {
  createBetaOrganization,
  createLegacyOrganization,
  drainAllJobs,
  migrate,
  readWhole,
  usersAndTeams,
} from '../../../../test/old-organizations.ts';
import { type Answer, createReferringOrganization, outcomes } from '../../../../test/referring-organization.ts';
import { someFrom } from '../../../../test/rounds.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import type { Connection, Engine } from '../../../platform/db/engine.ts';

/** Number of commits until one fails; 0 disables. */
let lost = 0;
let commits = 0;

/** An engine whose connection breaks instead of committing, as if the process died there. */
function breakable(engine: Engine): Engine {
  const broken = (connection: Connection): Connection => ({
    query: async (text, values) => {
      if (!/^\s*commit\b/i.test(text)) return connection.query(text, values);
      commits += 1;
      if (lost === 0) return connection.query(text, values);
      lost -= 1;
      if (lost > 0) return connection.query(text, values);
      await connection.query('rollback');
      throw new DatabaseError('the connection was lost', '08006');
    },
    script: (text) => connection.script(text),
    release: (isBroken) => connection.release(isBroken),
  });
  return {
    ...engine,
    connect: async () => broken(await engine.connect()),
  };
}

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ watch: breakable });
});
afterAll(() => app.close());

/** Begins a migration, and lets it work undisturbed; answers how many commits that took. */
async function begin({ request }: TestOrganization): Promise<number> {
  expect((await request('POST', usersAndTeams)).status).toBe(202);
  commits = 0;
  app.clock.advance(2_000);
  await app.app.jobs.drain();
  return commits;
}

/** Works until the given commit fails; false if there were fewer commits. */
async function dieAt(commit: number): Promise<boolean> {
  lost = commit;
  app.clock.advance(2_000);
  // a failure outside of jobs ends the worker itself
  await app.app.jobs.drain().catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
  });
  const wasLost = lost === 0;
  lost = 0;
  return wasLost;
}

/** Lets the leases of the dead process expire, and finishes the work. */
async function recover(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    app.clock.advance(5 * 60_000);
    await drainAllJobs(app);
  }
}

/** The parts that are equal in two organizations built alike. */
function comparable(whole: unknown): unknown {
  const text = JSON.stringify(whole)
    .replaceAll(/"(createdAt|updatedAt|lastLoginAt)":("[^"]*"|null)/g, '"$1":""')
    .replaceAll(/"(id|orgId|createdBy|updatedBy)":"[^"]*"/g, '"$1":""');
  return JSON.parse(text);
}

const hasFlag = (whole: Awaited<ReturnType<typeof readWhole>>) => whole.featureFlags.length > 0;

describe.each([
  ['legacy', createLegacyOrganization],
  ['beta', createBetaOrganization],
] as const)('a %s organization', (model, create) => {
  test('ends the same, wherever the process dies, and never shows a mix', async () => {
    const old = comparable(await readWhole(await create(app)));
    const undisturbed = await create(app);
    const last = await begin(undisturbed);
    await recover();
    const expected = comparable(await readWhole(undisturbed));
    let died = 0;
    for (const step of someFrom(last, 5)) {
      const organization = await create(app);
      expect((await organization.request('POST', usersAndTeams)).status).toBe(202);
      if (await dieAt(step)) died += 1;
      const between = await readWhole(organization);
      const isFlipped = hasFlag(between);
      if (!isFlipped) expect(comparable(between), `${model}, step ${step}`).toEqual(old);
      else expect(JSON.stringify(between.blueprints)).not.toContain('teamInheritance');
      await recover();
      const { body } = await organization.request('GET', usersAndTeams);
      expect([step, body.status]).toEqual([step, 'COMPLETED']);
      expect(comparable(await readWhole(organization)), `${model}, step ${step}`).toEqual(expected);
    }
    // the schedules make a few commits more or less
    expect(died).toBeGreaterThan(2);
  }, 300_000);
});

test('undoing ends the same, wherever the process dies', async () => {
  // eight steps include the change of the model; later ones are shared with the migration itself
  for (const step of someFrom(8, 3)) {
    const organization = await createBetaOrganization(app);
    const before = JSON.stringify(await readWhole(organization));
    await migrate(app, organization);
    expect((await organization.request('POST', `${usersAndTeams}/rollback`)).status).toBe(202);
    const wasLost = await dieAt(step);
    await recover();
    expect((await organization.request('GET', usersAndTeams)).body.status).toBe('ROLLED_BACK');
    expect(JSON.stringify(await readWhole(organization)), `step ${step}`).toBe(before);
    expect(wasLost).toBe(true);
  }
}, 300_000);

test('accepted suggestions are written once, wherever the process dies', async () => {
  const some = outcomes.slice(-3);
  const read = async ({ request }: TestOrganization) =>
    Promise.all(some.map(async ([, path, pick]) => pick((await request('GET', path)).body)));
  const accepted = async () => {
    const organization = await createReferringOrganization(app);
    const { request } = organization;
    const { manual } = (await request('GET', `${usersAndTeams}/plan`)).body.plan;
    const accept = some.map(([kind]) => {
      const item = manual.find(({ resource, suggestion }: Answer) => resource.kind === kind && suggestion);
      return { itemId: item.id, value: item.suggestion.value };
    });
    expect((await request('POST', `${usersAndTeams}/acceptances`, { body: { accept } })).status).toBe(200);
    return { organization, count: accept.length };
  };
  const last = await begin((await accepted()).organization);
  await recover();
  let died = 0;
  for (const step of someFrom(last, 5)) {
    const { organization, count } = await accepted();
    const { request } = organization;
    const before = await read(organization);
    expect((await request('POST', usersAndTeams)).status).toBe(202);
    if (await dieAt(step)) died += 1;
    if (!hasFlag(await readWhole(organization))) expect(await read(organization), `step ${step}`).toEqual(before);
    await recover();
    const { status, counts } = (await request('GET', usersAndTeams)).body;
    expect([step, status, counts['suggestions:applied']]).toEqual([step, 'COMPLETED', count]);
    expect(await read(organization), `step ${step}`).toEqual(some.map(([, , , wanted]) => wanted));
    expect(await app.count('people_migration_suggestions', organization.id)).toBe(count);
  }
  expect(died).toBeGreaterThan(2);
}, 300_000);

describe('while it runs', () => {
  test('entity writes go on, and every one that was acknowledged is kept', async () => {
    const organization = await createBetaOrganization(app);
    const { request } = organization;
    for (let n = 0; n < 20; n += 1) await createEntity(request, 'ledger', { identifier: `w-${n}` });
    expect((await request('POST', usersAndTeams)).status).toBe(202);
    const teams = ['payments_core', 'sre', 'growth_ads'];
    const expected = new Map<string, string>();
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver || n < 40; n += 1) {
        const identifier = `w-${n % 20}`;
        const team = teams[n % 3] as string;
        const path = entityPath('ledger', identifier);
        const first = await request('PATCH', path, { body: { relations: { owners: [team] } } });
        const answer = first.status === 200 ? first : await request('PATCH', path, { body: { team: [team] } });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        expected.set(identifier, team);
      }
    })();
    app.clock.advance(2_000);
    await app.app.jobs.drain();
    app.clock.advance(2_000);
    isOver = true;
    await writing;
    await recover();
    expect((await request('GET', usersAndTeams)).body.status).toBe('COMPLETED');
    for (const [identifier, team] of expected) {
      const entity = await readEntity(request, 'ledger', identifier);
      expect([identifier, entity.team, Object.keys(entity.relations)]).toEqual([identifier, [team], ['advised']]);
    }
    expect(await leftovers(organization)).toBe(0);
  });

  test('a relation that comes to decide in between is taken over too', async () => {
    const organization = await createBetaOrganization(app);
    const { request } = organization;
    const relations = { minders: { target: '_team', many: true, required: false } };
    const late = { identifier: 'late', title: 'Late', schema: { properties: {} }, relations };
    expect((await request('POST', '/v1/blueprints', { body: late })).status).toBe(201);
    await createEntity(request, 'late', { identifier: 'one', relations: { minders: ['sre'] } });
    // the journal has no entry on the entity since the migration began
    app.clock.advance(60 * 60_000);
    expect((await request('POST', usersAndTeams)).status).toBe(202);
    for (let commit = 1, stage = ''; stage !== 'PREPARING'; commit += 1) {
      app.clock.advance(5 * 60_000);
      expect(await dieAt(commit)).toBe(true);
      stage = (await request('GET', usersAndTeams)).body.stage;
    }
    const body = { teamInheritance: { path: 'minders' } };
    expect((await request('PATCH', '/v1/blueprints/late', { body })).status).toBe(200);
    await recover();
    expect((await request('GET', usersAndTeams)).body.status).toBe('COMPLETED');
    expect(await readEntity(request, 'late', 'one')).toMatchObject({ team: ['sre'], relations: {} });
  });

  test.each(['frozen', 'flipping'])('teams cannot be written once they are %s; everything else can', async (phase) => {
    const organization = await createBetaOrganization(app);
    const { request, id } = organization;
    await app.database.transaction((tx) =>
      tx.execute(sql`update organizations set migration_phase = ${phase} where id = ${id}`),
    );
    for (const [method, path, body] of [
      ['POST', '/v1/teams', { name: 'Newcomers' }],
      ['PATCH', '/v1/teams/SRE', { name: 'Site' }],
      ['DELETE', '/v1/teams/SRE', undefined],
      ['POST', '/v1/blueprints/_team/entities', { identifier: 'late', title: 'Late' }],
      ['DELETE', '/v1/blueprints/_team/entities/sre', undefined],
    ] as const) {
      const answer = await request(method, path, body ? { body } : {});
      expect([path, answer.status, answer.body.error]).toEqual([path, 409, 'migration_in_progress']);
      expect(answer.headers['retry-after']).toBe('30');
    }
    expect((await request('PATCH', entityPath('ledger', 'gl-1'), { body: { title: 'x' } })).status).toBe(200);
    const invitee = { email: 'new@acme.dev', teams: ['SRE'] };
    expect((await request('POST', '/v1/users/invite', { body: { invitee } })).status).toBe(200);
    expect((await request('GET', '/v1/teams')).body.teams).toHaveLength(3);
  });

  test('who began before the model changed writes no user on one side only', async () => {
    const organization = await createLegacyOrganization(app);
    const { request } = organization;
    // the clock stands still, so the cached token keeps the old model
    expect((await request('GET', '/v1/users')).status).toBe(200);
    await app.database.transaction((tx) =>
      tx.execute(sql`update organizations set model = 'blueprints' where id = ${organization.id}`),
    );
    const answer = await request('POST', '/v1/users/invite', { body: { invitee: { email: 'late@acme.dev' } } });
    expect([answer.status, answer.body.error]).toEqual([409, 'migration_in_progress']);
    expect(await app.count('users', organization.id)).toBe(3);
  });
});

test('nobody else is touched', async () => {
  const stranger = await createBetaOrganization(app);
  const before = JSON.stringify(await readWhole(stranger));
  await migrate(app, await createBetaOrganization(app));
  await migrate(app, await createLegacyOrganization(app));
  expect(JSON.stringify(await readWhole(stranger))).toBe(before);
  expect((await stranger.request('GET', usersAndTeams)).body.status).toBe('NOT_STARTED');
});

/** Counts values and edges of removed relations. */
async function leftovers({ id }: TestOrganization): Promise<number> {
  const row = await app.database.first<{ count: number }>(sql`
    select ((select count(*) from entities where org_id = ${id} and relations ? 'owners')
      + (select count(*) from entity_relations where org_id = ${id} and relation = 'owners'))::int as count`);
  return row?.count ?? -1;
}
