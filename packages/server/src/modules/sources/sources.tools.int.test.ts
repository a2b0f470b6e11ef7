import { afterEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity } from '../../../test/catalog-fixtures.ts';
import { createHost, type ScriptedHost, scriptedSource } from '../../../test/scripted-source.ts';

let app: TestApp;
afterEach(() => app.close());

async function open(host: ScriptedHost): Promise<void> {
  app = await createTestApp({ sourceTypes: [scriptedSource(host)] });
  const secrets = { token: host.token };
  const body = { type: 'scripted', identifier: 'host', secrets, scheduleMinutes: null };
  expect((await app.request('POST', '/v1/sources', { body })).status).toBe(201);
  expect((await app.request('POST', '/v1/sources/host/syncs', { body: {} })).status).toBe(202);
  await app.app.jobs.drain();
}

async function callTool(name: string, given: object, token?: string) {
  const answer = await app.request('POST', '/v1/mcp', {
    ...(token ? { token } : {}),
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  });
  return answer.body.result ?? { isError: true };
}

test('an agent checks a source with its own secrets, and plans a sync that writes nothing', async () => {
  const host = createHost(Array.from({ length: 4 }, (_none, at) => ({ id: `t${at}` })));
  await open(host);
  expect(await app.count('entities', app.organization.id)).toBeGreaterThanOrEqual(4);
  host.things.push({ id: 'new', size: 9 });
  const before = [await app.organization.journal(), await app.count('entities')];
  const { structuredContent: checked } = await callTool('check_source', { source: 'host' });
  expect(checked).toMatchObject({ ok: true, checks: [{ state: 'passed' }] });
  const { structuredContent: begun } = await callTool('plan_source_run', { source: 'host' });
  expect(begun.sync).toMatchObject({ mode: 'plan', status: 'waiting' });
  await app.app.jobs.drain();
  const { structuredContent: plan } = await callTool('plan_source_run', { source: 'host', sync: begun.sync.id });
  expect(plan).toMatchObject({
    sync: { mode: 'plan', status: 'completed', counts: { created: 1, unchanged: 4 } },
    changes: [{ change: 'created', blueprint: 'thing', identifier: 'new' }],
    nextChange: null,
    problems: [],
    nextProblem: null,
  });
  expect([await app.organization.journal(), await app.count('entities')]).toEqual(before);
  expect(JSON.stringify([checked, begun, plan])).not.toContain(host.token);
});

test('the tools take no secrets, and are for those who may see sources', async () => {
  await open(createHost([{ id: 't1' }]));
  expect((await callTool('check_source', { source: 'host', secrets: { token: 'x' } })).isError).toBe(true);
  expect((await callTool('plan_source_run', { source: 'gone' })).isError).toBe(true);
  await createEntity(app.request, '_user', { identifier: 'jo@example.com', properties: { status: 'Active' } });
  const member = await app.organization.personToken('jo@example.com', 'Member');
  const syncs = await app.count('source_syncs');
  for (const [name, given] of [
    ['list_source_types', {}],
    ['check_source', { source: 'host' }],
    ['plan_source_run', { source: 'host' }],
  ] as const) {
    expect((await callTool(name, given, member)).isError, name).toBe(true);
  }
  expect(await app.count('source_syncs')).toBe(syncs);
});
