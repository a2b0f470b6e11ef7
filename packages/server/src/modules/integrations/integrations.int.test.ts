import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity, issuePaths, unique } from '../../../test/catalog-fixtures.ts';
import { startReceiver } from '../../../test/receiver.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = (identifier: string, rest = '') => `/v1/integration/${encodeURIComponent(identifier)}${rest}`;
const read = async (identifier: string) => (await app.request('GET', path(identifier))).body.integration;
const patch = (identifier: string, body: unknown, headers = {}) =>
  app.request('PATCH', path(identifier), { body, headers });
const readRequest = async (identifier: string) =>
  (await app.request('GET', path(identifier, '/resync-request'))).body.request;
const create = async (body: object = {}): Promise<string> => {
  const installationId = unique('installation');
  const created = await app.request('POST', '/v1/integration', {
    body: { installationId, installationAppType: 'github-ocean', version: '1.0.0', config: {}, ...body },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return installationId;
};
const mapping = {
  resources: [
    { kind: 'repository', selector: { query: 'true' }, port: { entity: { mappings: { identifier: '.name' } } } },
  ],
};

describe('what is asked for is a resync', () => {
  test('with a new integration', async () => {
    const request = await readRequest(await create());
    expect(request).toEqual({ id: expect.stringMatching(/^resync_/), updatedAt: app.clock.now().toISOString() });
  });

  test('by an empty change, which moves nothing else', async () => {
    const identifier = await create();
    const before = await read(identifier);
    const first = await readRequest(identifier);
    app.clock.advance(60_000);
    expect((await patch(identifier, {})).status).toBe(200);
    const second = await readRequest(identifier);
    expect(second.id).not.toBe(first.id);
    expect(second.updatedAt > first.updatedAt).toBe(true);
    expect(await read(identifier)).toEqual(before);
  });

  test('twice in one moment is later each time', async () => {
    const identifier = await create();
    const times = [];
    for (let count = 0; count < 3; count += 1) {
      await patch(identifier, {});
      times.push((await readRequest(identifier)).updatedAt);
    }
    expect(times).toEqual([...new Set(times)].sort());
    expect(new Set(times).size).toBe(3);
  });

  test('by a mapping, the same one too, unless told not to', async () => {
    const identifier = await create();
    const first = await readRequest(identifier);
    const created = await read(identifier);
    app.clock.advance(60_000);
    const skipped = await app.request('PATCH', path(identifier, '/config'), {
      body: { config: mapping },
      headers: { 'x-skip-resync': 'true' },
    });
    expect(skipped.body.integration.config).toEqual(mapping);
    expect(skipped.body.integration.updatedAt > created.updatedAt).toBe(true);
    expect(await readRequest(identifier)).toEqual(first);
    app.clock.advance(60_000);
    await patch(identifier, { config: null, title: 'Mine' });
    expect(await readRequest(identifier)).toEqual(first);
    let [last, seen] = [first, await read(identifier)];
    for (const change of [
      () => patch(identifier, { config: mapping }),
      () => app.request('PATCH', path(identifier, '/config'), { body: { config: mapping } }),
      () => patch(identifier, { config: { ...mapping, enableMergeEntity: false } }),
    ]) {
      app.clock.advance(60_000);
      expect((await change()).status).toBe(200);
      const [request, after] = [await readRequest(identifier), await read(identifier)];
      // clients poll for either
      expect([request.updatedAt > last.updatedAt, after.updatedAt > seen.updatedAt]).toEqual([true, true]);
      [last, seen] = [request, after];
    }
    const unchanged = { body: { config: seen.config }, headers: { 'x-skip-resync': 'true' } };
    expect((await app.request('PATCH', path(identifier, '/config'), unchanged)).body.integration).toEqual(seen);
    expect(await readRequest(identifier)).toEqual(last);
  });

  test('not by another version', async () => {
    const identifier = await create();
    const first = await readRequest(identifier);
    app.clock.advance(60_000);
    const changed = await patch(identifier, { version: '2.0.0', arePortResourcesInitialized: true });
    expect(changed.body.integration).toMatchObject({ version: '2.0.0', arePortResourcesInitialized: true });
    expect(await readRequest(identifier)).toEqual(first);
  });

  test('and told to the address that listens, through the guard of outgoing requests', async () => {
    const receiver = await startReceiver();
    const url = `${receiver.url}/resync`;
    const identifier = await create({ changelogDestination: { type: 'WEBHOOK', url } });
    await app.app.jobs.drain();
    expect(receiver.received).toEqual([]);
    await patch(identifier, {});
    await app.app.jobs.drain();
    expect(receiver.received.map((each) => [each.method, each.path])).toEqual([['POST', '/resync']]);
    await receiver.close();
  });
});

describe('an integration', () => {
  test('keeps unknown keys of its mapping, deep and odd, as they were written', async () => {
    const config = { ...mapping, custom: { deep: [1, null, { a: 'b' }] }, '': 0, entityDeletionThreshold: 0.9 };
    const identifier = await create({ config });
    expect((await read(identifier)).config).toEqual(config);
  });

  test('reports its resync, with one moment for both', async () => {
    const identifier = await create();
    const state = {
      status: 'running',
      lastResyncStart: '2026-01-15T09:00:00+00:00',
      lastResyncEnd: null,
      nextResync: null,
      intervalInMinuets: null,
    };
    app.clock.advance(1_000);
    const answer = await app.request('PATCH', path(identifier, '/resync-state'), { body: state });
    const { resyncState, updatedAt } = answer.body.integration;
    expect(resyncState).toEqual({ ...state, updatedAt });
    expect(updatedAt).toBe(app.clock.now().toISOString());
    const done = await app.request('PATCH', path(identifier, '/resync-state'), {
      body: { status: 'completed', intervalInMinuets: 60 },
    });
    expect(done.body.integration.resyncState).toMatchObject({
      status: 'completed',
      lastResyncStart: state.lastResyncStart,
      intervalInMinuets: 60,
    });
  });

  test('is not moved by logs, metrics, samples and cursors', async () => {
    const identifier = await create();
    const before = await read(identifier);
    app.clock.advance(60_000);
    const own = (url: string) => url.replace('http://127.0.0.1:3000', '');
    const metrics = own(before.metricAttributes.ingestUrl);
    const kind = {
      eventId: 'e1',
      kindIdentifier: 'repo-1',
      kind: 'repo',
      syncState: 'completed',
      metrics: { phase: {} },
    };
    const sent = [
      await app.request('POST', own(before.logAttributes.ingestUrl), {
        body: { logs: [{ level: 'INFO', message: 'm' }] },
      }),
      await app.request('POST', `${metrics}/syncMetrics`, { body: { syncKindsMetrics: [kind] } }),
      await app.request('PUT', `${metrics}/syncMetrics/resync/e1/kind/repo-1`, { body: { syncKindMetrics: kind } }),
      await app.request('POST', `${metrics}/heartbeat`, { body: { eventId: 'e1' } }),
      await app.request('POST', path(identifier, '/kinds/repo/examples'), { body: { examples: [{ a: 1 }] } }),
      await app.request('POST', path(identifier, '/cursor?kind=repo'), { body: { primary: '2026-01-01T00:00:00Z' } }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await read(identifier)).toEqual(before);
  });

  test('exists once', async () => {
    const identifier = await create();
    const again = await app.request('POST', '/v1/integration', { body: { installationId: identifier } });
    expect([again.status, again.body.error]).toEqual([409, 'identifier_taken']);
    expect(again.body.message).toContain('taken');
  });

  test('is deleted with all it told, and its entities stay', async () => {
    const identifier = await create();
    const blueprint = unique('service');
    await app.request('POST', '/v1/blueprints', {
      body: { identifier: blueprint, title: 'S', schema: { properties: {} } },
    });
    await createEntity(app.request, blueprint, { identifier: 'kept' });
    await app.request('POST', path(identifier, '/kinds/repo/examples'), { body: { examples: [{ a: 1 }] } });
    await app.request('PUT', path(identifier, '/delete-guard'), { body: { threshold: 0.5 } });
    const before = await app.count('integration_examples', app.organization.id);
    const deleted = await app.request('DELETE', path(identifier));
    expect([deleted.status, deleted.body]).toEqual([200, { ok: true }]);
    expect(await app.count('integration_examples', app.organization.id)).toBe(before - 1);
    expect((await app.request('GET', path(identifier))).body).toMatchObject({ ok: false, error: 'not_found' });
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/kept`)).status).toBe(200);
  });

  test('is found by the id of its logs, and in lists with a type whatever was written', async () => {
    const installationId = unique('bare');
    await app.request('POST', '/v1/integration', { body: { installationId } });
    const { logAttributes } = await read(installationId);
    const found = await app.request('GET', path(logAttributes.ingestId, '?byField=logIngestId'));
    expect(found.body.integration.installationId).toBe(installationId);
    const { integrations } = (await app.request('GET', '/v1/integration')).body;
    for (const each of integrations) {
      expect([typeof each.integrationType, typeof each.installationId, typeof each.config]).toEqual([
        'string',
        'string',
        'object',
      ]);
      expect(each.config).not.toBeNull();
    }
    const metadata = (await app.request('GET', '/v1/integration/metadata')).body.integrations;
    expect(metadata.find((each: { identifier: string }) => each.identifier === installationId)).toMatchObject({
      installationId,
      type: expect.any(String),
    });
  });
});

describe('what an integration tells', () => {
  test('is a log of any shape, read page by page in both directions', async () => {
    const identifier = await create();
    const { logAttributes } = await read(identifier);
    const url = logAttributes.ingestUrl.replace('http://127.0.0.1:3000', '');
    const logs = Array.from({ length: 5 }, (_none, at) => ({
      level: ['info', 'WARN', 'ERROR', 'critical', 'trace'][at],
      message: `m${at}`,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, at < 3 ? 1 : 2)).toISOString(),
      event_id: at === 2 ? 'resync-1' : undefined,
      extra: { count: at },
    }));
    await app.request('POST', url, { body: { logs: [...logs, 'not a record', null, { message: { odd: true } }] } });
    const list = async (query: string) => (await app.request('GET', path(identifier, `/logs?${query}`))).body.data;
    const all = await list('');
    expect(all.slice(1).map((log: { message: string }) => log.message)).toEqual(['m4', 'm3', 'm2', 'm1', 'm0']);
    expect(all[0]).toMatchObject({ message: '{"odd":true}', level: 'INFO' });
    expect(all.at(-1)).toMatchObject({ level: 'INFO', extra: { count: 0 } });
    expect((await list('level=WARNING&level=FATAL')).map((log: { message: string }) => log.message)).toEqual([
      'm3',
      'm1',
    ]);
    expect((await list('eventId=resync-1')).map((log: { message: string }) => log.message)).toEqual(['m2']);
    const [, , second] = all;
    const older = await list(`timestamp=${second.timestamp}&log_id=${second._id}&direction=down`);
    expect(older.map((log: { message: string }) => log.message)).toEqual(['m2', 'm1', 'm0']);
    const newer = await list(`timestamp=${second.timestamp}&log_id=${second._id}&direction=up`);
    expect(newer.map((log: { message: string }) => log.message)).toEqual(['m4', '{"odd":true}']);
    expect((await app.request('GET', path(identifier, '/logs?limit=301'))).status).toBe(422);
    expect(issuePaths((await app.request('GET', path(identifier, '/logs?timestamp=soon'))).body)).toEqual([
      '{query}/timestamp',
    ]);
  });

  test('is the metrics of its resyncs, by kind', async () => {
    const identifier = await create();
    const { metricAttributes, _id } = await read(identifier);
    const url = metricAttributes.ingestUrl.replace('http://127.0.0.1:3000', '');
    const metrics = { phase: { resync: { duration_seconds: 1.5, success: 1 }, load: { object_count_type: {} } } };
    const kind = (eventId: string, kindIdentifier: string, syncState: string) => ({
      integrationType: 'github-ocean',
      eventId,
      kindIdentifier,
      kind: 'repo',
      kindIndex: null,
      syncState,
      metrics,
    });
    await app.request('POST', `${url}/syncMetrics`, { body: { syncKindsMetrics: [kind('old', 'repo', 'completed')] } });
    app.clock.advance(1_000);
    const two = [kind('new', 'repo', 'syncing'), kind('new', 'team', 'pending')];
    await app.request('POST', `${url}/syncMetrics`, { body: { syncKindsMetrics: two } });
    app.clock.advance(1_000);
    await app.request('PUT', `${url}/syncMetrics/resync/new/kind/repo`, {
      body: { syncKindMetrics: kind('new', 'repo', 'completed') },
    });
    const syncs = (await app.request('GET', path(_id, '/syncsMetadata'))).body;
    expect(syncs).toMatchObject({
      count: 2,
      data: [
        { eventId: 'new', syncState: 'completed' },
        { eventId: 'old', syncState: 'completed' },
      ],
    });
    const latest = (await app.request('GET', path(_id, '/syncMetrics?resyncId='))).body.data;
    expect(
      latest.map((each: { kindIdentifier: string; syncState: string }) => [each.kindIdentifier, each.syncState]),
    ).toEqual([
      ['repo', 'completed'],
      ['team', 'pending'],
    ]);
    expect(latest[0]).toMatchObject({ integrationIdentifier: identifier, metrics, kind: 'repo' });
    const old = (await app.request('GET', path(identifier, '/syncMetrics?resyncId=old'))).body.data;
    expect(old.map((each: { eventId: string }) => each.eventId)).toEqual(['old']);
  });

  test('is samples of its kinds, the last ten', async () => {
    const identifier = await create();
    const add = (kind: string, count: number, from: number) =>
      app.request('POST', path(identifier, `/kinds/${kind}/examples`), {
        body: { examples: Array.from({ length: count }, (_none, at) => ({ n: from + at })) },
      });
    await add('pull+request', 8, 0);
    await add('pull+request', 4, 8);
    const { data } = (await app.request('GET', path(identifier, '/kinds'))).body;
    expect(Object.keys(data)).toEqual(['pull request']);
    expect(data['pull request'].examples.map((each: { data: { n: number } }) => each.data.n)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  test('is a cursor for each kind and index', async () => {
    const identifier = await create();
    const at = (kind: string, index: number) => path(identifier, `/cursor?kind=${kind}&index=${index}`);
    expect((await app.request('GET', at('repo', 0))).body).toEqual({ ok: true, cursor: null });
    const primary = '2026-01-01T00:00:00Z';
    expect((await app.request('PUT', at('repo', 0), { body: { primary } })).status).toBe(404);
    expect((await app.request('POST', at('repo', 0), { body: { primary } })).status).toBe(200);
    expect((await app.request('PUT', at('repo', 0), { body: { primary: 'later' } })).status).toBe(200);
    expect((await app.request('GET', at('repo', 0))).body.cursor).toEqual({ primary: 'later' });
    expect((await app.request('GET', at('repo', 1))).body.cursor).toBeNull();
  });
});

describe('bad input', () => {
  test.each([
    [{}, ['/installationId']],
    [{ installationId: '' }, ['/installationId']],
    [{ installationId: 'metadata' }, ['/installationId']],
    [{ installationId: 'a\nb' }, ['/installationId']],
    [{ installationId: 'a', config: [], version: 1 }, ['/version', '/config']],
    [{ installationId: 'a', changelogDestination: { type: 'WEBHOOK' } }, ['/changelogDestination/url']],
  ])('%j is refused where it is', async (body, paths) => {
    const before = await app.count('integrations');
    const answer = await app.request('POST', '/v1/integration', { body });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(issuePaths(answer.body)).toEqual(paths);
    expect(await app.count('integrations')).toBe(before);
  });

  test('a mapping that is no object is refused', async () => {
    const identifier = await create();
    for (const body of [{}, { config: null }, { config: 'text' }, { config: {}, more: 1 }]) {
      expect((await app.request('PATCH', path(identifier, '/config'), { body })).status).toBe(422);
    }
  });
});

describe('who may do what', () => {
  test('members see names alone, moderators read, machines report', async () => {
    const identifier = await create();
    const { logAttributes } = await read(identifier);
    const user = `${unique('user')}@example.com`;
    await createEntity(app.request, '_user', {
      identifier: user,
      properties: { status: 'Active', port_role: 'Member' },
    });
    const token = await app.organization.personToken(user);
    const as = (method: string, where: string, body?: unknown) => app.request(method, where, { token, body });
    expect((await as('GET', '/v1/integration/metadata')).status).toBe(200);
    const log = logAttributes.ingestUrl.replace('http://127.0.0.1:3000', '');
    const refused = [
      await as('GET', '/v1/integration'),
      await as('GET', path(identifier)),
      await as('POST', '/v1/integration', { installationId: 'theirs' }),
      await as('PATCH', path(identifier), {}),
      await as('DELETE', path(identifier)),
      await as('PATCH', path(identifier, '/resync-state'), { status: 'running' }),
      await as('PUT', path(identifier, '/delete-guard'), { threshold: 1 }),
      await as('POST', log, { logs: [] }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [403, 'missing_permissions']),
    );
    const moderator = `${unique('user')}@example.com`;
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: ['anything'] };
    await createEntity(app.request, '_user', { identifier: moderator, properties });
    const theirs = { token: await app.organization.personToken(moderator) };
    expect((await app.request('GET', path(identifier), theirs)).status).toBe(200);
    expect((await app.request('PATCH', path(identifier), { ...theirs, body: {} })).status).toBe(403);
    expect((await app.request('POST', log, { ...theirs, body: { logs: [] } })).status).toBe(403);
    const machine = await app.organization.memberToken();
    expect((await app.request('GET', path(identifier), { token: machine })).status).toBe(200);
    expect((await app.request('POST', log, { token: machine, body: { logs: [] } })).status).toBe(200);
    expect((await app.request('PATCH', path(identifier), { token: machine, body: {} })).status).toBe(403);
  });
});
