import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity } from '../../../../test/catalog-fixtures.ts';
import { followLive as follow } from '../../../../test/live-reader.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await createTestApp();
  address = await app.app.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

async function world(): Promise<TestOrganization> {
  const organization = await app.createOrganization();
  await organization.request('POST', '/v1/blueprints', { body: blueprintBody('open') });
  await organization.request('POST', '/v1/blueprints', { body: blueprintBody('closed') });
  const rights = { entities: { read: { roles: [], users: [], teams: [], ownedByTeam: true } } };
  const narrowed = await organization.request('PATCH', '/v1/blueprints/closed/permissions', { body: rights });
  expect(narrowed.status, JSON.stringify(narrowed.body)).toBe(200);
  return organization;
}

describe('following what changes', () => {
  test('tells kinds and identifiers of what is committed, and never contents', async () => {
    const { request, token } = await world();
    const reader = await follow(address, token);
    await createEntity(request, 'open', { identifier: 'one', title: 'A secret title' });
    expect(await reader.until('one')).toEqual({
      event: 'entity.created',
      resource: 'entity',
      identifier: 'one',
      blueprint: 'open',
      entity: 'one',
    });
    await request('DELETE', '/v1/blueprints/open/entities/one');
    expect(await reader.until('one')).toMatchObject({ event: 'entity.deleted' });
    expect(JSON.stringify(reader.seen)).not.toContain('secret title');
    reader.leave();
  });

  test('nothing of another organization, and nothing that was refused', async () => {
    const [mine, theirs] = [await world(), await world()];
    const reader = await follow(address, mine.token);
    await createEntity(theirs.request, 'open', { identifier: 'theirs' });
    await mine.request('POST', '/v1/blueprints/open/entities', {
      body: { identifier: 'wrong', properties: { no: 1 } },
    });
    await createEntity(mine.request, 'open', { identifier: 'last' });
    await reader.until('last');
    const entities = reader.told().filter(({ resource }) => resource === 'entity');
    expect(entities.map(({ identifier }) => identifier)).toEqual(['last']);
    reader.leave();
  });

  test('a member is told of what the member may read alone', async () => {
    const { request, memberToken } = await world();
    const reader = await follow(address, await memberToken());
    await createEntity(request, 'closed', { identifier: 'hidden' });
    await request('POST', '/v1/organization/secrets', { body: { secretName: 'hidden-too', secretValue: 'x' } });
    await createEntity(request, 'open', { identifier: 'shown' });
    await reader.until('shown');
    await createEntity(request, 'open', { identifier: 'later' });
    await reader.until('later');
    expect(JSON.stringify(reader.told())).not.toContain('hidden');
    reader.leave();
  });

  test('needs a token that may read what happened', async () => {
    const { request } = await world();
    const body = { name: 'entities', scopes: ['read:entities'] };
    const { accessToken } = (await request('POST', '/v1/users/me/tokens', { body })).body;
    const refused = await fetch(`${address}/v1/events`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect([refused.status, (await fetch(`${address}/v1/events`)).status]).toEqual([403, 401]);
  });

  test('whoever comes back is told what changed meanwhile, or to read anew', async () => {
    const { request, token } = await world();
    const reader = await follow(address, token);
    await createEntity(request, 'open', { identifier: 'before' });
    await reader.until('before');
    reader.leave();
    await createEntity(request, 'open', { identifier: 'meanwhile' });
    const again = await follow(address, token, { 'last-event-id': reader.lastId() });
    expect(await again.until('meanwhile')).toMatchObject({ event: 'entity.created' });
    again.leave();
    for (const lastId of ['1', 'nonsense', '999999999999999']) {
      const late = await follow(address, token, { 'last-event-id': lastId });
      expect(await late.next()).toMatchObject({ event: 'reload', data: '{"reason":"too-old"}' });
      late.leave();
    }
  });

  test('whoever missed more than can be told reads anew, even if most of it is the same change again', async () => {
    const { id, request, token } = await world();
    const reader = await follow(address, token);
    await createEntity(request, 'open', { identifier: 'missed' });
    await createEntity(request, 'open', { identifier: 'busy' });
    await reader.until('busy');
    reader.leave();
    await app.database.executeAlone(sql`
      insert into journal (org_id, id, at, event, action, resource_type, identifier, context, actor_id, actor_kind, origin, datasource)
      select org_id, id || n, at + n * interval '1 ms', event, action, resource_type, identifier, context, actor_id, actor_kind, origin, datasource
      from journal, generate_series(1, 600) n where org_id = ${id} and identifier = 'busy'`);
    const again = await follow(address, token, { 'last-event-id': reader.lastId() });
    expect(await again.next()).toMatchObject({ event: 'reload', data: '{"reason":"too-many"}' });
    again.leave();
  });

  test('a page is told what changed since it was read, or to read anew', async () => {
    const { request, token } = await world();
    const readAt = app.clock.now().getTime();
    app.clock.advance(5_000);
    const watcher = await follow(address, token);
    await createEntity(request, 'open', { identifier: 'between' });
    // told by now, so that nobody who comes later is told again
    await watcher.until('between');
    watcher.leave();
    app.clock.advance(5_000);
    const page = await follow(address, token, {}, { since: readAt });
    expect(await page.until('between')).toMatchObject({ event: 'entity.created' });
    page.leave();
    const later = await follow(address, token, {}, { since: readAt + 10_000 });
    await createEntity(request, 'open', { identifier: 'after' });
    await later.until('after');
    expect(JSON.stringify(later.told())).not.toContain('between');
    later.leave();
    const late = await follow(address, token, {}, { since: 0 });
    expect(await late.next()).toMatchObject({ event: 'reload', data: '{"reason":"too-old"}' });
    late.leave();
    const refused = await fetch(`${address}/v1/events?since=yesterday`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(422);
  });

  test('ends when the credential does', async () => {
    const { request } = await world();
    const made = await request('POST', '/v1/users/me/tokens', { body: { name: 'short' } });
    const reader = await follow(address, made.body.accessToken);
    await request('DELETE', `/v1/users/me/tokens/${made.body.token.id}`);
    app.clock.advance(2_000);
    await createEntity(request, 'open', { identifier: 'after' });
    let event = await reader.next();
    while (event?.event === 'changes') event = await reader.next();
    expect(event).toMatchObject({ event: 'end', data: '{"reason":"session-ended"}' });
    expect(await reader.next()).toBeUndefined();
    expect(JSON.stringify(reader.told())).not.toContain('after');
  });

  test('a caller has a bounded number of streams, which are given back', async () => {
    const { token } = await world();
    const readers = await Promise.all(Array.from({ length: 30 }, () => follow(address, token)));
    const refused = await fetch(`${address}/v1/events`, { headers: { authorization: `Bearer ${token}` } });
    expect(refused.status).toBe(429);
    expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/portolan_live_readers \d\d/);
    for (const reader of readers) reader.leave();
    await expect
      .poll(async () => {
        const answer = await fetch(`${address}/v1/events`, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(2_000),
        });
        await answer.body?.cancel();
        return answer.status;
      })
      .toBe(200);
  });
});
