import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { SavedAuthority } from '../../accounts/index.ts';
import { findRun } from '../runs/run.store.ts';
import type { StoredRun } from '../runs/run.ts';
import { findAssistantActor, findBookkeepingActor, nobodyBehind, runActor } from './run-actors.ts';

let app: TestApp;
let orgId: string;
/** Key of the action of the test runs. */
let actionKey: number;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const body = { identifier: 'deploy', trigger, invocationMethod: { type: 'WEBHOOK', url: 'https://example.com' } };
  expect((await app.request('POST', '/v1/actions', { body })).status).toBe(201);
  const row = await app.database.first<{ key: number }>(sql`select key from actions where org_id = ${orgId}`);
  actionKey = row?.key ?? 0;
  // an organization must keep one administrator
  await person();
});
afterAll(() => app.close());

async function person(role: 'Admin' | 'Member' = 'Admin'): Promise<string> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: role } });
  return id;
}
const disable = async (id: string): Promise<void> => {
  const body = { properties: { status: 'Disabled' } };
  expect((await app.request('PATCH', `/v1/blueprints/_user/entities/${id}`, { body })).status).toBe(200);
};
const administrator = (id: string): SavedAuthority => ({ by: { kind: 'person', id }, roles: ['Admin'], teamKeys: [] });

/** A run with only the fields that are read here. */
function buildRun(change: Partial<StoredRun> & { readonly trigger?: 'self-service' | 'automation'; version?: number }) {
  const { trigger = 'self-service', version = 1, ...more } = change;
  return {
    id: 'r_1',
    actionKey,
    actionIdentifier: 'deploy',
    action: { id: 'a_1', version, definition: { trigger: { type: trigger } } },
    authority: null,
    requestedWith: null,
    source: 'API',
    depth: 0,
    createdBy: 'asker@example.com',
    createdByKind: 'person',
    ...more,
  } as StoredRun;
}
const readActor = (run: StoredRun, organization = orgId) => runActor({ database: app.database }, organization, run);

describe('a run', () => {
  const marks = { id: 'asker@example.com', runId: 'r_1', kind: 'machine', datasource: 'portolan', model: 'blueprints' };

  test('bears the name of whoever asked, with the rights of whoever saved the action', async () => {
    const editor = await person();
    const authority = { ...administrator(editor), scopes: ['read:users'] };
    expect(await readActor(buildRun({ authority }))).toEqual({
      ...marks,
      orgId,
      origin: 'API',
      roles: ['Admin'],
      teamKeys: [],
      scopes: ['read:users'],
      standsBehind: authority.by,
    });
    expect((await readActor(buildRun({ authority, source: 'AUTOMATION' })))?.origin).toBe('AUTOMATION');
    await disable(editor);
    expect(await readActor(buildRun({ authority }))).toBeUndefined();
    expect(await readActor(buildRun({ authority }), 'org_nobody')).toBeUndefined();
  });

  test('from before that was kept has that of its action, as long as this is the same', async () => {
    const machine = { kind: 'machine', id: app.organization.clientId };
    expect(await readActor(buildRun({}))).toMatchObject({ ...marks, roles: ['Admin'], standsBehind: machine });
    expect(await readActor(buildRun({ version: 2 }))).toBeUndefined();
    expect(await readActor(buildRun({ actionKey: null }))).toBeUndefined();
  });

  test('is kept account of by the platform, whoever stands behind it', async () => {
    const bookkeeper = (organization: string) =>
      findBookkeepingActor({ database: app.database }, organization, buildRun({}));
    expect(await bookkeeper(orgId)).toMatchObject({ ...marks, roles: ['Admin'], origin: 'API' });
    expect(await bookkeeper('org_nobody')).toBeUndefined();
  });

  test('that nobody stands behind says who is gone', () => {
    expect(nobodyBehind(buildRun({ authority: administrator('jo@example.com') }))).toContain(
      '"jo@example.com", who saved it last, was removed or disabled',
    );
    expect(nobodyBehind(buildRun({}))).toContain('Whoever saved it last was removed or disabled');
  });
});

describe('an assistant that a run asks', () => {
  const caller = (more: Partial<Actor> = {}): Actor => ({
    ...systemActor(orgId),
    kind: 'machine',
    id: 'asker@example.com',
    origin: 'AUTOMATION',
    runId: 'r_1',
    depth: 1,
    ...more,
  });
  const ask = (run: StoredRun, as = caller()) => findAssistantActor({ database: app.database }, as, run);

  test('has the rights of whoever asked for the run, no more than they asked with', async () => {
    const asker = await person();
    const asked = await ask(buildRun({ createdBy: asker }));
    expect(asked).toMatchObject({
      id: asker,
      userId: asker,
      roles: ['Admin'],
      origin: 'AUTOMATION',
      runId: 'r_1',
      depth: 1,
    });
    expect(asked).not.toHaveProperty('scopes');
    const requestedWith = { roles: ['Member'], teamKeys: [], scopes: ['invoke:ai'] };
    expect(await ask(buildRun({ createdBy: asker, requestedWith }))).toMatchObject({
      id: asker,
      roles: ['Member'],
      scopes: ['invoke:ai'],
    });
    const { depth: _depth, runId: _run, ...bare } = caller();
    const unmarked = await ask(buildRun({ createdBy: asker }), bare);
    expect(Object.keys(unmarked ?? {})).not.toEqual(expect.arrayContaining(['depth']));
    expect(Object.keys(unmarked ?? {})).not.toEqual(expect.arrayContaining(['runId']));
  });

  test('has no more than the program that asked on their behalf', async () => {
    const asker = await person();
    const made = await app.request('POST', '/v1/apps', { body: { name: unique('app'), scopes: ['execute:actions'] } });
    const { id: clientId, secret: clientSecret } = made.body.app;
    const login = await app.request('POST', '/v1/auth/access_token', { body: { clientId, clientSecret }, token: null });
    const started = await app.request('POST', `/v1/actions/deploy/runs?run_as=${asker}`, {
      token: login.body.accessToken,
      body: { properties: {} },
    });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const run = await findRun(app.database, orgId, started.body.run.id);
    expect(run && (await ask(run))).toMatchObject({ id: asker, scopes: ['execute:actions'] });
  });

  test('has those of a program that asked', async () => {
    const run = buildRun({ createdBy: app.organization.clientId, createdByKind: 'machine' });
    expect(await ask(run)).toMatchObject({ id: app.organization.clientId, kind: 'machine', roles: ['Admin'] });
  });

  test('is asked by nobody once whoever asked is gone', async () => {
    const asker = await person();
    await disable(asker);
    expect(await ask(buildRun({ createdBy: asker }))).toBeUndefined();
    expect(
      await ask(buildRun({ createdBy: asker }), caller({ standsBehind: { kind: 'person', id: await person() } })),
    ).toBe(undefined);
  });

  test('by a run that another started, has those of the person who began, else of the editor', async () => {
    const [asker, editor] = [await person('Member'), await person()];
    const as = caller({ roles: ['Member'], standsBehind: { kind: 'person', id: editor } });
    const started = { depth: 1, createdByKind: 'machine' } as const;
    expect(await ask(buildRun({ ...started, createdBy: asker }), as)).toMatchObject({ id: asker, roles: ['Member'] });
    expect(await ask(buildRun({ ...started, createdBy: 'nobody' }), as)).toMatchObject({
      id: editor,
      roles: ['Member'],
    });
  });

  test('behind an automation has those of its editor, as far as the automation has them', async () => {
    const [asker, editor] = [await person(), await person()];
    const run = buildRun({ trigger: 'automation', createdBy: asker });
    const as = caller({ scopes: ['invoke:ai'], standsBehind: { kind: 'person', id: editor } });
    expect(await ask(run, as)).toMatchObject({ id: editor, roles: ['Admin'], scopes: ['invoke:ai'], runId: 'r_1' });
    await disable(editor);
    expect(await ask(run, as)).toBeUndefined();
  });

  test('behind an automation of the organization has those of the automation', async () => {
    const run = buildRun({ trigger: 'automation' });
    for (const as of [caller(), caller({ standsBehind: { kind: 'system', id: 'portolan' } })]) {
      expect(await ask(run, as)).toEqual(as);
    }
  });
});
