import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = (identifier: string) => `/v1/actions/${encodeURIComponent(identifier)}`;
const post = (body: unknown) => app.request('POST', '/v1/actions', { body });
const webhook = { type: 'WEBHOOK', url: 'https://example.com/hook' };
const form = (userInputs: object = { properties: {} }) => ({ type: 'self-service', operation: 'CREATE', userInputs });

/** An action with every field that infrastructure-as-code can set. */
const whole = (identifier: string, blueprint: string) => ({
  identifier,
  title: 'Restart',
  icon: 'Restart',
  description: 'Restarts it',
  trigger: {
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: blueprint,
    actionCardButtonText: 'Go',
    executeActionButtonText: 'Do it',
    condition: { type: 'SEARCH', combinator: 'and', rules: [{ property: '$title', operator: '!=', value: 'x' }] },
    userInputs: {
      properties: {
        reason: { type: 'string', title: 'Reason', minLength: 3, pattern: '^[a-z]+$', default: 'none' },
        times: { type: 'number', minimum: 1, maximum: 5, default: 2, enum: [1, 2], enumColors: { '1': 'red' } },
        target: {
          type: 'string',
          format: 'entity',
          blueprint,
          dataset: {
            combinator: 'and',
            rules: [{ property: '$title', operator: '=', value: { jqQuery: '.form.reason' } }],
          },
          sort: { property: '$updatedAt', order: 'DESC' },
        },
        tags: { type: 'array', items: { type: 'string', format: 'url' }, minItems: { jqQuery: '1' }, maxItems: 3 },
        key: {
          type: 'string',
          encryption: 'aes256-gcm',
          visible: { jqQuery: '.form.times > 1' },
          dependsOn: ['times'],
        },
      },
      required: { jqQuery: '["reason"]' },
      steps: [
        { title: 'One', order: ['reason', 'times'] },
        { title: 'Two', order: ['target', 'tags', 'key'], visible: { jqQuery: 'true' } },
      ],
      titles: { head: { title: 'Head', description: 'More', visible: true } },
    },
  },
  invocationMethod: {
    type: 'WEBHOOK',
    url: 'https://example.com/{{ .run.id }}',
    agent: '{{ false }}',
    synchronized: 'true',
    method: 'PUT',
    headers: { 'X-Run': '{{ .run.id }}' },
    body: { '{{ spreadValue() }}': '{{ .inputs }}', list: [1, '{{ .entity.identifier }}', null] },
    somethingElse: { kept: true },
  },
  requiredApproval: { type: 'ALL' },
  approvalNotification: { type: 'webhook', url: 'https://example.com', format: 'slack' },
  publish: false,
  allowAnyoneToViewRuns: false,
});

const methods = [
  { type: 'KAFKA', payload: { a: '{{ .run.id }}' } },
  webhook,
  {
    type: 'GITHUB',
    org: 'o',
    repo: 'r',
    workflow: 'w',
    workflowInputs: { a: '{{ .inputs }}' },
    reportWorkflowStatus: 'true',
  },
  { type: 'GITLAB', projectName: 'p', groupName: 'g', defaultRef: 'main', pipelineVariables: { a: 'b' } },
  { type: 'AZURE_DEVOPS', org: 'o', webhook: 'w', payload: [1] },
  {
    type: 'INTEGRATION_ACTION',
    installationId: 'i',
    integrationActionType: 'dispatch_workflow',
    integrationActionExecutionProperties: { org: 'o' },
  },
  { type: 'UPSERT_ENTITY', blueprintIdentifier: 'service', mapping: { identifier: 'x', relations: { a: null } } },
];

describe('what is written is read back, key by key', () => {
  test('an action with everything in it, and a second apply changes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'service');
    const body = whole(unique('restart'), blueprint);
    const created = await post(body);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const read = (await app.request('GET', path(body.identifier))).body.action;
    const { id, createdAt, createdBy, updatedAt, updatedBy, ...written } = read;
    expect(written).toEqual(body);
    expect([id, createdAt, createdBy, updatedAt, updatedBy].every((each) => typeof each === 'string')).toBe(true);
    const journal = await app.organization.journal();
    const again = await app.request('PUT', path(body.identifier), { body });
    expect(again.body.action).toEqual(read);
    expect(await app.organization.journal()).toEqual(journal);
  });

  test.each(methods)('$type', async (invocationMethod) => {
    const body = { identifier: unique('call'), trigger: form(), invocationMethod };
    expect((await post(body)).status).toBe(201);
    const read = (await app.request('GET', path(body.identifier))).body.action;
    expect(read.invocationMethod).toEqual(invocationMethod);
    for (const unset of ['publish', 'requiredApproval', 'allowAnyoneToViewRuns', 'approvalNotification', 'title']) {
      expect(read).not.toHaveProperty(unset);
    }
  });

  test.each([
    { type: 'ENTITY_CREATED' },
    { type: 'TIMER_PROPERTY_EXPIRED', propertyIdentifier: 'ttl' },
    { type: 'ANY_RUN_CHANGE', actionIdentifier: 'none' },
  ])('an automation on $type', async (event) => {
    const blueprint = await createBlueprint(app.request, 'job');
    const named = event.type.includes('RUN') ? {} : { blueprintIdentifier: blueprint };
    const trigger = {
      type: 'automation',
      event: { ...event, ...named },
      condition: { type: 'JQ', expressions: ['.diff.after != null'], combinator: 'or' },
    };
    const body = { identifier: unique('auto'), trigger, invocationMethod: webhook, publish: true };
    expect((await post(body)).status).toBe(201);
    expect((await app.request('GET', path(body.identifier))).body.action.trigger).toEqual(trigger);
  });

  test('its trigger follows when the blueprint is renamed', async () => {
    const blueprint = await createBlueprint(app.request, 'old');
    const body = whole(unique('restart'), blueprint);
    await post(body);
    const renamed = unique('new');
    const changed = { identifier: renamed, title: 'New', schema: { properties: {} } };
    expect((await app.request('PUT', `/v1/blueprints/${blueprint}`, { body: changed })).status).toBe(200);
    const { trigger } = (await app.request('GET', path(body.identifier))).body.action;
    expect(trigger.blueprintIdentifier).toBe(renamed);
  });
});

test('a blueprint with actions goes only with them', async () => {
  const blueprint = await createBlueprint(app.request, 'doomed');
  const body = whole(unique('restart'), blueprint);
  await post(body);
  const refused = await app.request('DELETE', `/v1/blueprints/${blueprint}`);
  expect([refused.status, refused.body.error]).toEqual([409, 'has_dependents']);
  expect(refused.body.message).toContain(body.identifier);
  expect((await app.request('DELETE', `/v1/blueprints/${blueprint}?delete_actions=true`)).status).toBe(200);
  expect((await app.request('GET', path(body.identifier))).status).toBe(404);
});

describe('refused, with every problem and nothing written', () => {
  const bad = (trigger: object, more: object = {}) => ({
    identifier: unique('bad'),
    trigger,
    invocationMethod: webhook,
    ...more,
  });
  const properties = { a: { type: 'string' } };
  test.each([
    [bad({ type: 'form' }), ['/trigger/type']],
    [
      bad(form({ properties, required: ['b'], order: ['c'] })),
      ['/trigger/userInputs/order/0', '/trigger/userInputs/required/0'],
    ],
    [
      bad(form({ properties, order: ['a'], steps: [{ title: 'x', order: ['a', 'a'] }] })),
      ['/trigger/userInputs/steps', '/trigger/userInputs/steps'],
    ],
    [bad(form({ properties: { 'a b': { type: 'text' } } })), ['/trigger/userInputs/properties/a b']],
    [
      bad({ ...form(), operation: 'DAY-2', condition: { type: 'SEARCH', combinator: 'and', rules: [] } }),
      ['/trigger/condition'],
    ],
    [bad(form(), { invocationMethod: { type: 'WEBHOOK' } }), ['/invocationMethod/url']],
    [bad(form(), { invocationMethod: { type: 'PIGEON' } }), ['/invocationMethod/type']],
    [bad({ ...form(), executeActionButtonText: 'sixteen letters!' }), ['/trigger/executeActionButtonText']],
    [bad(form(), { requiredApproval: { type: 'SOME' }, surprise: 1 }), ['/requiredApproval', '/surprise']],
  ])('%#', async (body, paths) => {
    const before = await app.count('actions');
    const answer = await post(body);
    expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([422, 'invalid_request']);
    const named = issuePaths(answer.body);
    for (const each of paths) expect(named.some((name) => name.startsWith(each))).toBe(true);
    expect(await app.count('actions')).toBe(before);
  });

  test('who names the version they read does not overwrite what came after', async () => {
    const identifier = unique('read');
    const body = { identifier, trigger: form(), invocationMethod: webhook };
    const { action } = (await app.request('POST', '/v1/actions', { body })).body;
    const replace = (title: string, version?: string) =>
      app.request('PUT', `/v1/actions/${identifier}${version ? `?expectedVersion=${version}` : ''}`, {
        body: { ...body, title },
      });
    const theirs = (await replace('Theirs')).body.action;
    expect(theirs.updatedAt > action.updatedAt).toBe(true);
    const stale = await replace('Mine', action.updatedAt);
    expect([stale.status, stale.body.error, stale.body.details]).toEqual([
      409,
      'stale_version',
      { version: theirs.updatedAt },
    ]);
    expect((await app.request('GET', `/v1/actions/${identifier}`)).body.action.title).toBe('Theirs');
    expect((await replace('Mine', 'yesterday')).status).toBe(422);
    expect((await replace('Mine', theirs.updatedAt)).status).toBe(200);
  });

  test('an identifier that is in use, and a blueprint that is not there', async () => {
    const body = { identifier: unique('call'), trigger: form(), invocationMethod: webhook };
    await post(body);
    const taken = await post(body);
    expect([taken.status, taken.body.error]).toEqual([409, 'identifier_taken']);
    expect(taken.body.message).toContain('taken');
    expect((await post(whole(unique('x'), 'none'))).status).toBe(404);
    expect((await app.request('PUT', path('none'), { body })).status).toBe(404);
    expect((await app.request('DELETE', path('none'))).status).toBe(404);
  });

  test('templates that cannot be read are kept, and told', async () => {
    const answer = await post({
      identifier: unique('odd'),
      trigger: form(),
      invocationMethod: { ...webhook, body: { a: '{{ .x | }}' } },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['warning']).toContain('/invocationMethod');
  });
});

describe('who sees and changes it', () => {
  const grant = { roles: [], users: [], teams: [] };

  test('a new action: everybody runs it, administrators approve', async () => {
    const body = { identifier: unique('call'), trigger: form(), invocationMethod: webhook };
    await post(body);
    expect((await app.request('GET', `${path(body.identifier)}/permissions`)).body.permissions).toEqual({
      execute: { ...grant, roles: ['Admin', 'Member'], ownedByTeam: false, policy: null },
      approve: { ...grant, roles: ['Admin'], policy: null },
    });
    const token = await app.organization.memberToken();
    expect((await app.request('GET', path(body.identifier), { token })).status).toBe(200);
    expect((await app.request('PUT', path(body.identifier), { token, body })).status).toBe(403);
    expect((await app.request('DELETE', path(body.identifier), { token })).status).toBe(403);
  });

  test('what Terraform sends of its permissions is what it reads, nulls and all', async () => {
    const body = { identifier: unique('call'), trigger: form(), invocationMethod: webhook };
    await post(body);
    const team = unique('crew');
    await createEntity(app.request, '_team', { identifier: team });
    const policy = { queries: { mine: { combinator: 'and', rules: [] } }, conditions: ['true'] };
    const sent = {
      execute: { roles: ['Member'], users: ['a@x.io'], teams: [team], ownedByTeam: null, policy },
      approve: { roles: null, users: null, teams: null, policy: null },
    };
    const patched = await app.request('PATCH', `${path(body.identifier)}/permissions`, { body: sent });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(patched.body.permissions).toEqual({
      execute: { ...sent.execute, ownedByTeam: false },
      approve: { ...grant, roles: ['Admin'], policy: null },
    });
    const removed = await app.request('PATCH', `${path(body.identifier)}/permissions`, {
      body: { execute: { policy: null } },
    });
    expect(removed.body.permissions.execute.policy).toBeNull();
  });

  test('an action that one may not run is not there, nor is an automation', async () => {
    const hidden = { identifier: unique('hidden'), trigger: form(), invocationMethod: webhook };
    await post(hidden);
    await app.request('PATCH', `${path(hidden.identifier)}/permissions`, { body: { execute: { roles: ['Admin'] } } });
    const blueprint = await createBlueprint(app.request, 'job');
    const auto = {
      identifier: unique('auto'),
      trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint } },
      invocationMethod: webhook,
    };
    await post(auto);
    const token = await app.organization.memberToken();
    for (const { identifier } of [hidden, auto]) {
      expect((await app.request('GET', path(identifier), { token })).status).toBe(404);
      expect((await app.request('GET', `${path(identifier)}/permissions`, { token })).status).toBe(404);
    }
    const listed = (await app.request('GET', '/v1/actions', { token })).body.actions;
    const names = listed.map((action: { identifier: string }) => action.identifier);
    expect(names).not.toContain(hidden.identifier);
    expect(names).not.toContain(auto.identifier);
  });

  test('filters of the list are joined', async () => {
    const blueprint = await createBlueprint(app.request, 'job');
    const mine = whole(unique('restart'), blueprint);
    await post(mine);
    const list = async (query: string) =>
      (await app.request('GET', `/v1/actions?${query}`)).body.actions.map(
        (each: { identifier: string }) => each.identifier,
      );
    expect(await list(`blueprint_identifier=${blueprint}&trigger_type=self-service`)).toEqual([mine.identifier]);
    expect(await list(`blueprint_identifier=${blueprint}&operation=CREATE`)).toEqual([]);
    expect(await list(`blueprint_identifier=${blueprint}&published=false&operation=DAY-2`)).toEqual([mine.identifier]);
    expect(await list(`action_identifier=${mine.identifier}`)).toEqual([mine.identifier]);
  });

  test('actions of another organization are not there', async () => {
    const body = { identifier: unique('call'), trigger: form(), invocationMethod: webhook };
    await post(body);
    const other = await app.createOrganization();
    const missing = unique('none');
    for (const [method, rest, sent] of [
      ['GET', '', undefined],
      ['PUT', '', body],
      ['DELETE', '', undefined],
      ['GET', '/permissions', undefined],
      ['PATCH', '/permissions', { execute: {} }],
      ['POST', '/runs', { properties: {} }],
    ] as const) {
      const theirs = await other.request(method, path(body.identifier) + rest, { body: sent });
      const none = await other.request(method, path(missing) + rest, { body: sent });
      expect([theirs.status, none.status]).toEqual([404, 404]);
      expect(JSON.stringify(theirs.body).replaceAll(body.identifier, missing)).toBe(JSON.stringify(none.body));
    }
  });
});
