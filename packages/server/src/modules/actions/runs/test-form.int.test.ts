import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let memberToken: string;
const member = 'ada@example.com';
beforeAll(async () => {
  app = await createTestApp();
  memberToken = await app.organization.memberToken();
  await createEntity(app.request, '_user', { identifier: member, title: 'Ada' });
});
afterAll(() => app.close());

const form = {
  type: 'self-service',
  operation: 'CREATE',
  userInputs: { properties: { n: { type: 'number', default: 2 }, why: { type: 'string' } }, required: ['why'] },
};
const webhook = {
  type: 'WEBHOOK',
  url: 'https://example.com/{{ .inputs.n }}',
  headers: { key: '{{ .secrets.KEY }}' },
  body: { why: '{{ .inputs.why }}', by: '{{ .trigger.by.user.email }}' },
};
const draft = (more: object = {}) => ({
  identifier: unique('tried'),
  trigger: form,
  invocationMethod: webhook,
  ...more,
});
const ask = (body: object, token?: string) =>
  app.request('POST', '/v1/forms/test', { body, ...(token ? { token } : {}) });

test('an action that is not saved is tried: its form, and what a run would send, with secrets masked', async () => {
  await app.request('POST', '/v1/organization/secrets', { body: { secretName: 'KEY', secretValue: 'sesame' } });
  const action = draft();
  const before = await app.count('journal');
  const empty = await ask({ action });
  expect(empty.status, JSON.stringify(empty.body)).toBe(200);
  expect(empty.body.test.form).toMatchObject({ values: { n: 2 }, mayRun: true });
  expect(empty.body.test.form.issues).toMatchObject([{ path: '/properties/why' }]);
  const { test: filled } = (await ask({ action, properties: { why: 'because' } })).body;
  expect(filled.form.issues).toEqual([]);
  expect(filled).toMatchObject({
    isSeen: true,
    request: { url: 'https://example.com/2', headers: { key: '******' }, body: { why: 'because' } },
    problems: [],
  });
  expect(JSON.stringify(filled)).not.toContain('sesame');
  expect(await app.count('journal')).toBe(before);
  expect((await app.request('GET', `/v1/actions/${action.identifier}`)).status).toBe(404);
  expect((await app.request('GET', `/v1/actions/runs?action=${action.identifier}`)).body.runs).toEqual([]);
});

test('it is refused as saving would refuse it, and told what would fail', async () => {
  const bad = draft({ trigger: { ...form, userInputs: { ...form.userInputs, order: ['nobody'] } } });
  const refused = await ask({ action: bad });
  expect(refused.status).toBe(422);
  expect(refused.body.details).toMatchObject([{ path: '/trigger/userInputs/order/0' }]);
  const automation = {
    type: 'automation',
    event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'x' },
  };
  expect((await ask({ action: draft({ trigger: automation }) })).status).toBe(422);
  const broken = draft({ invocationMethod: { ...webhook, url: '{{ .inputs | }}' } });
  const told = await ask({ action: broken });
  expect(told.body.test.problems.join()).toContain('/invocationMethod');
});

test('rights that are not saved are tried as somebody, who sees what they may read', async () => {
  const action = draft({ requiredApproval: true });
  const nobody = { roles: [], users: [], teams: [] };
  const permissions = { execute: nobody, approve: { ...nobody, users: [member] } };
  const { test: refused } = (await ask({ action, permissions, user: member })).body;
  expect(refused.form.mayRun).toBe(false);
  expect(refused.form.approval).toEqual({ type: 'ANY', approvers: [member] });
  // approvers see the request that they decide on
  expect(refused.isSeen).toBe(true);
  const unseen = await ask({ action, permissions: { execute: nobody }, user: member });
  expect(unseen.body.test).toMatchObject({ isSeen: false, form: { mayRun: false } });
  const named = await ask({ action, permissions: { execute: { ...nobody, users: [member] } }, user: member });
  expect(named.body.test).toMatchObject({ isSeen: true, form: { mayRun: true } });
  expect(named.body.test.request.body.by).toBe(member);
  const unknownTeam = await ask({ action, permissions: { execute: { teams: ['ghosts'] } } });
  expect(unknownTeam.body.test.problems.join()).toContain('ghosts');
  expect((await ask({ action, user: 'nobody@example.com' })).status).toBe(404);

  const blueprint = await createBlueprint(app.request, 'secret', { properties: { key: { type: 'string' } } });
  await createEntity(app.request, blueprint, { identifier: 'one', properties: { key: 'hidden' } });
  const hide = { entities: { read: { roles: ['Admin'], users: [], teams: [] } } };
  await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: hide });
  const acts = draft({ trigger: { ...form, operation: 'DAY-2', blueprintIdentifier: blueprint } });
  expect((await ask({ action: acts, entity: 'one' })).status).toBe(200);
  expect((await ask({ action: acts, entity: 'one', user: member })).status).toBe(404);
});

test('only administrators try actions, and stored rights hold where none are given', async () => {
  const action = draft();
  expect((await ask({ action }, memberToken)).status).toBe(403);
  await app.request('POST', '/v1/actions', { body: action });
  const none = { execute: { roles: [], users: [], teams: [] } };
  const path = `/v1/actions/${action.identifier}/permissions`;
  expect((await app.request('PATCH', path, { body: none })).status).toBe(200);
  expect((await ask({ action, user: member })).body.test).toMatchObject({ isSeen: false });
});
