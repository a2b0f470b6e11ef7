import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let mine: string;
let other: string;
let moderator: string;
beforeAll(async () => {
  app = await createTestApp();
  mine = await createBlueprint(app.request, 'mine', { properties: { n: { type: 'number' } } });
  other = await createBlueprint(app.request, 'other', { properties: { secret: { type: 'string' } } });
  await createEntity(app.request, mine, { identifier: 'a', properties: { n: 1 } });
  moderator = await createModerator('mo@example.com', mine);
});
afterAll(() => app.close());

async function createModerator(identifier: string, ...blueprints: string[]): Promise<string> {
  const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: blueprints };
  await createEntity(app.request, '_user', { identifier, properties });
  return app.organization.personToken(identifier);
}

const start = (token: string, sourceBlueprint: string, mapping: unknown, query = '') =>
  app.request('POST', `/v1/migrations${query}`, { token, body: { sourceBlueprint, mapping } });
const titled = { entity: { title: '"T"' } };

describe('a moderator', () => {
  test('migrates within the blueprint, follows, undoes, and sees it listed', async () => {
    // whatever the other tests left there
    const { title } = await readEntity(app.request, mine, 'a');
    const begun = await start(moderator, mine, { entity: { title: '"Another"' } });
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    await app.app.jobs.drain();
    const get = (path: string) => app.request('GET', `/v1/migrations${path}`, { token: moderator });
    const { migrationId } = begun.body;
    expect((await get(`/${migrationId}`)).body.migration).toMatchObject({
      status: 'COMPLETED',
      actor: 'mo@example.com',
      successCount: 1,
    });
    expect((await get(`/${migrationId}/errors`)).body).toMatchObject({ errors: [], failureCount: 0 });
    expect((await get('')).body.migrations.map(({ id }: { id: string }) => id)).toContain(migrationId);
    const undone = await app.request('POST', `/v1/migrations/${migrationId}/undo`, { token: moderator });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    await app.app.jobs.drain();
    expect((await readEntity(app.request, mine, 'a')).title).toBe(title);
  });

  test.each(['', '?dry_run=true'])(
    'may not read or write another blueprint%s, whether it is there or not',
    async (query) => {
      const before = await app.count('data_migrations');
      for (const name of [other, 'nowhere']) {
        const answers = [
          await start(moderator, name, titled, query),
          await start(moderator, mine, { blueprint: name, ...titled }, query),
          await start(moderator, mine, { blueprint: `"${name}"`, ...titled }, query),
        ];
        expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
          answers.map(() => [403, 'missing_permissions']),
        );
      }
      expect(await app.count('data_migrations')).toBe(before);
    },
  );

  test('may not delete all entities, as only administrators may', async () => {
    expect((await app.request('DELETE', `/v1/blueprints/${mine}/all-entities`, { token: moderator })).status).toBe(403);
  });

  test('is told of migrations of other blueprints as of none', async () => {
    const foreign = (await start(app.organization.token, other, titled)).body.migrationId;
    const crossing = (await start(app.organization.token, mine, { blueprint: other, entity: {} })).body;
    expect(crossing.error).toBe('migration_in_progress');
    await app.app.jobs.drain();
    const across = (await start(app.organization.token, mine, { blueprint: other, entity: {} })).body.migrationId;
    await app.app.jobs.drain();
    const listed = (await app.request('GET', '/v1/migrations', { token: moderator })).body.migrations;
    for (const id of [foreign, across]) {
      expect(listed.map((each: { id: string }) => each.id)).not.toContain(id);
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/errors'],
        ['POST', '/cancel'],
        ['POST', '/rerun'],
        ['POST', '/undo'],
      ] as const) {
        const answer = await app.request(method, `/v1/migrations/${id}${path}`, { token: moderator });
        const none = await app.request(method, `/v1/migrations/none${path}`, { token: moderator });
        expect([answer.status, answer.body.message.replace(id, 'none')]).toEqual([404, none.body.message]);
      }
    }
  });

  test('cannot copy by a mapping what the entity does not show them', async () => {
    await app.request('PATCH', `/v1/blueprints/${other}/permissions`, {
      body: { entities: { read: { roles: ['Admin'] } } },
    });
    await createEntity(app.request, other, { identifier: 'vault', properties: { secret: 'hush' } });
    const name = await createBlueprint(app.request, 'mirroring', {
      properties: { copy: { type: 'string' } },
      relations: { to: { target: other } },
      mirrorProperties: { seen: { path: 'to.secret' } },
    });
    await createEntity(app.request, name, { identifier: 'a', relations: { to: 'vault' } });
    expect((await readEntity(app.request, name, 'a')).properties['seen']).toBe('hush');
    const token = await createModerator('mirror@example.com', name);
    const mapping = { entity: { properties: { copy: '.properties.seen' } } };
    const { preview } = (await start(token, name, mapping, '?dry_run=true')).body;
    expect(JSON.stringify(preview)).not.toContain('hush');
    await start(token, name, mapping);
    await app.app.jobs.drain();
    expect((await readEntity(app.request, name, 'a')).properties['copy']).toBeNull();
  });

  test('who is no longer one by the time it runs writes nothing', async () => {
    const token = await createModerator('former@example.com', mine);
    const begun = (await start(token, mine, { entity: { title: '"By one who left"' } })).body;
    await app.request('PATCH', '/v1/blueprints/_user/entities/former@example.com', {
      body: { properties: { port_role: 'Member', moderated_blueprints: null } },
    });
    await app.app.jobs.drain();
    const done = (await app.request('GET', `/v1/migrations/${begun.migrationId}`)).body.migration;
    expect(done).toMatchObject({ status: 'FAILURE', successCount: 0 });
    expect((await readEntity(app.request, mine, 'a')).title).not.toBe('By one who left');
  });
});

test('a member starts nothing and is told of nothing', async () => {
  const token = await app.organization.memberToken();
  expect((await start(token, mine, titled)).status).toBe(403);
  const { migrationId } = (await start(app.organization.token, mine, titled)).body;
  await app.app.jobs.drain();
  expect((await app.request('GET', `/v1/migrations/${migrationId}`, { token })).status).toBe(404);
  expect((await app.request('GET', '/v1/migrations', { token })).body.migrations).toEqual([]);
});

test('another organization has no migration of ours, and does not touch it', async () => {
  const { migrationId } = (await start(app.organization.token, mine, titled)).body;
  const { token } = await app.createOrganization();
  for (const path of ['', '/errors']) {
    expect((await app.request('GET', `/v1/migrations/${migrationId}${path}`, { token })).status).toBe(404);
  }
  for (const verb of ['cancel', 'rerun', 'undo']) {
    expect((await app.request('POST', `/v1/migrations/${migrationId}/${verb}`, { token })).status).toBe(404);
  }
  expect((await app.request('GET', '/v1/migrations', { token })).body.migrations).toEqual([]);
  expect((await start(token, mine, titled)).status).toBe(404);
  await app.app.jobs.drain();
  const done = (await app.request('GET', `/v1/migrations/${migrationId}`)).body.migration;
  expect(done.status).toBe('COMPLETED');
});

test('the audit log says who began it, who stopped it and why, and how it ended', async () => {
  const name = await createBlueprint(app.request, 'logged');
  const { migrationId } = (await start(app.organization.token, name, titled)).body;
  await app.request('POST', `/v1/migrations/${migrationId}/cancel`, { body: { reason: 'not today' } });
  await app.app.jobs.drain();
  const { audits } = (await app.request('GET', '/v1/audit-log?resources=migration')).body;
  const own = audits.filter(({ context }: { context: { migrationId: string } }) => context.migrationId === migrationId);
  expect(
    own
      .map((each: { action: string; diff: { after: { status: string } } }) => [each.action, each.diff.after.status])
      .sort(),
  ).toEqual([
    ['CREATE', 'PENDING'],
    ['UPDATE', 'CANCELLED'],
    ['UPDATE', 'PENDING_CANCELLATION'],
  ]);
  const done = (await app.request('GET', `/v1/migrations/${migrationId}`)).body.migration;
  expect(done).toMatchObject({ status: 'CANCELLED', reason: 'not today', message: 'not today' });
});
