import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const body = (identifier: string, more: object = {}) => ({
  identifier,
  title: 'Restart',
  trigger: 'DAY-2',
  userInputs: { properties: { why: { type: 'string' } }, required: ['why'], order: ['why'] },
  invocationMethod: { type: 'WEBHOOK', url: 'https://example.com/hook' },
  ...more,
});

test('an action of the first form is the same action in the form of now, and is read back as it was sent', async () => {
  const blueprint = await createBlueprint(app.request, 'svc');
  const path = `/v1/blueprints/${blueprint}/actions`;
  const sent = body(unique('old'));
  const created = await app.request('POST', path, { body: sent });
  expect([created.status, created.body.action]).toEqual([201, expect.objectContaining({ ...sent, blueprint })]);
  const now = (await app.request('GET', `/v1/actions/${sent.identifier}`)).body.action;
  expect(now.trigger).toEqual({
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: blueprint,
    userInputs: sent.userInputs,
  });
  const changed = await app.request('PUT', `${path}/${sent.identifier}`, { body: { ...sent, title: 'Again' } });
  expect(changed.body.action.title).toBe('Again');
  expect((await app.request('GET', `${path}/${sent.identifier}`)).body.action).toEqual(changed.body.action);
  expect((await app.request('GET', path)).body.actions).toEqual([changed.body.action]);
  expect((await app.request('DELETE', `${path}/${sent.identifier}`)).body).toEqual({ ok: true });
  expect((await app.request('GET', `/v1/actions/${sent.identifier}`)).status).toBe(404);
});

test('what a workflow was sent by itself is written out, and the old spelling of Azure is known', async () => {
  const blueprint = await createBlueprint(app.request, 'svc');
  const path = `/v1/blueprints/${blueprint}/actions`;
  const github = { type: 'GITHUB', org: 'acme', repo: 'shop', workflow: 'w.yml', omitPayload: true };
  const one = body(unique('gh'), { trigger: 'CREATE', invocationMethod: github });
  await app.request('POST', path, { body: one });
  const { action } = (await app.request('GET', `/v1/actions/${one.identifier}`)).body;
  expect(action.invocationMethod.workflowInputs).toEqual({ '{{ spreadValue() }}': '{{ .inputs }}' });
  const azure = body(unique('az'), { invocationMethod: { type: 'AZURE-DEVOPS', org: 'acme', webhook: 'h' } });
  expect((await app.request('POST', path, { body: azure })).body.action.invocationMethod.type).toBe('AZURE-DEVOPS');
  const stored = (await app.request('GET', `/v1/actions/${azure.identifier}`)).body.action;
  expect(stored.invocationMethod.type).toBe('AZURE_DEVOPS');
});

test('replacing all leaves exactly those, automations and other blueprints untouched, or nothing changes', async () => {
  const [blueprint, other] = [await createBlueprint(app.request, 'svc'), await createBlueprint(app.request, 'svc')];
  const path = `/v1/blueprints/${blueprint}/actions`;
  const [kept, gone, added, elsewhere] = ['k', 'g', 'a', 'e'].map((stem) => body(unique(stem)));
  await app.request('PUT', path, { body: [kept, gone] });
  await app.request('POST', `/v1/blueprints/${other}/actions`, { body: elsewhere });
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
  const automation = { identifier: unique('auto'), trigger: { type: 'automation', event } };
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com' };
  await app.request('POST', '/v1/actions', { body: { ...automation, invocationMethod } });
  const names = async () =>
    (await app.request('GET', path)).body.actions.map(({ identifier }: { identifier: string }) => identifier);
  const taken = await app.request('PUT', path, { body: [added, elsewhere] });
  expect([taken.status, await names()]).toEqual([409, [kept?.identifier, gone?.identifier]]);
  expect((await app.request('PUT', path, { body: [added, added] })).status).toBe(422);
  await app.request('PUT', path, { body: [kept, added] });
  expect(await names()).toEqual([kept?.identifier, added?.identifier]);
  expect((await app.request('GET', `/v1/actions/${automation.identifier}`)).status).toBe(200);
  expect((await app.request('GET', `/v1/actions/${elsewhere?.identifier}`)).status).toBe(200);
});

test('refusals name the fields of the first form; what is of another blueprint or organization is not there', async () => {
  const [blueprint, other] = [await createBlueprint(app.request, 'svc'), await createBlueprint(app.request, 'svc')];
  const path = `/v1/blueprints/${blueprint}/actions`;
  const wrong = await app.request('POST', path, {
    body: body('bad', { invocationMethod: { type: 'WEBHOOK' }, trigger: 'NEVER' }),
  });
  expect([wrong.status, issuePaths(wrong.body)]).toEqual([422, ['/trigger']]);
  const noUrl = await app.request('POST', path, { body: body('bad', { invocationMethod: { type: 'WEBHOOK' } }) });
  expect([noUrl.status, issuePaths(noUrl.body)]).toEqual([422, ['/invocationMethod/url']]);
  const one = body(unique('one'));
  await app.request('POST', path, { body: one });
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const options = method === 'PUT' ? { body: one } : {};
    const answer = await app.request(method, `/v1/blueprints/${other}/actions/${one.identifier}`, options);
    expect([method, answer.status]).toEqual([method, 404]);
  }
  const stranger = await app.createOrganization();
  expect((await stranger.request('GET', path)).status).toBe(404);
  expect((await app.request('POST', '/v1/blueprints/none/actions', { body: body(unique('x')) })).status).toBe(404);
  const token = await app.organization.memberToken();
  expect((await app.request('POST', path, { token, body: body(unique('x')) })).status).toBe(403);
});
