import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let member: string;
beforeAll(async () => {
  app = await createTestApp();
  member = await app.organization.memberToken();
});
afterAll(() => app.close());

const webhook = { type: 'WEBHOOK', url: 'https://example.com/hook', body: { n: '{{ .inputs.n }}' } };

async function action(userInputs: object, more: object = {}, trigger: object = {}): Promise<string> {
  const identifier = unique('form');
  const form = { type: 'self-service', operation: 'CREATE', userInputs, ...trigger };
  const body = { identifier, trigger: form, invocationMethod: webhook, ...more };
  const answer = await app.request('POST', '/v1/actions', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return identifier;
}

const evaluate = (name: string, body: object, token?: string) =>
  app.request('POST', `/v1/actions/${name}/form`, { body, ...(token ? { token } : {}) });

test('a form is evaluated while it is filled: defaults, what shows, choices, datasets, and nothing is run', async () => {
  const blueprint = await createBlueprint(app.request, 'thing', { properties: { kind: { type: 'string' } } });
  const name = await action({
    properties: {
      size: { type: 'string', enum: { jqQuery: 'if .form.big then ["l", "xl"] else ["s"] end' } },
      big: { type: 'boolean', default: false },
      why: { type: 'string', visible: { jqQuery: '.form.big' }, disabled: true, pattern: { jqQuery: '"^a"' } },
      broken: { type: 'string', visible: { jqQuery: 'error("no")' }, enum: { jqQuery: 'error("no")' } },
      many: { type: 'array', items: { type: 'string' }, maxItems: { jqQuery: 'if .form.big then 9 else 2 end' } },
      thing: {
        type: 'string',
        format: 'entity',
        blueprint,
        dataset: { combinator: 'and', rules: [{ property: 'kind', operator: '=', value: { jqQuery: '.form.size' } }] },
      },
    },
    required: { jqQuery: 'if .form.big then ["why", "size"] else [] end' },
    steps: [
      { title: 'One', order: ['size', 'big'] },
      { title: 'Two', order: ['why'], visible: { jqQuery: '.form.big' } },
    ],
    titles: { head: { title: 'Head', visible: { jqQuery: '.form.big' } } },
  });
  const first = await evaluate(name, {});
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const small = first.body.form;
  expect(small).toMatchObject({
    values: { big: false },
    hiddenSteps: [1],
    hiddenTitles: ['head'],
    mayRun: true,
    issues: [],
  });
  expect(small.inputs.size).toMatchObject({ enum: ['s'], isRequired: false, isVisible: true });
  expect(small.inputs.why).toEqual({ isVisible: false, isDisabled: true, isRequired: false, pattern: '^a' });
  expect(small.inputs.broken).toMatchObject({ isVisible: true, enum: [] });
  expect(small.inputs.many.maxItems).toBe(2);

  const second = (await evaluate(name, { properties: { big: true, size: 'm', other: 1 } })).body.form;
  expect(second).toMatchObject({ hiddenSteps: [], hiddenTitles: [] });
  expect(second.inputs.thing.dataset.rules).toEqual([{ property: 'kind', operator: '=', value: 'm' }]);
  expect(second.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/properties/other',
    '/properties/size',
    '/properties/why',
  ]);
  expect((await app.request('GET', `/v1/actions/runs?action=${name}`)).body.runs).toEqual([]);
});

test('defaults share the time of their form, which is refused when they take too long', async () => {
  const slow = { type: 'string', default: { jqQuery: 'until(false; .)' } };
  const name = await action({
    properties: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`i${at}`, slow])),
  });
  const { status, body } = await evaluate(name, {});
  expect([status, body.details?.[0].message]).toEqual([422, expect.stringContaining('longer than 1000 ms together')]);
});

test('what the caller may not read does not come out of an expression', async () => {
  const blueprint = await createBlueprint(app.request, 'secret', { properties: { key: { type: 'string' } } });
  await createEntity(app.request, blueprint, { identifier: 'one', title: 'One', properties: { key: 'hidden value' } });
  const hide = { entities: { read: { roles: ['Admin'], users: [], teams: [] } } };
  const patched = await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: hide });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  const name = await action({
    properties: {
      from: { type: 'string', format: 'entity', blueprint },
      copy: { type: 'string', default: { jqQuery: '.form.from.properties.key' } },
    },
  });
  const asAdmin = await evaluate(name, { properties: { from: 'one' } });
  expect(asAdmin.body.form.values.copy).toBe('hidden value');
  const asMember = await evaluate(name, { properties: { from: 'one' } }, member);
  expect(asMember.status).toBe(200);
  expect(JSON.stringify(asMember.body)).not.toContain('hidden value');
  expect(asMember.body.form.issues[0].path).toBe('/properties/from');
});

test('the entity a form acts on must be readable and meet the condition', async () => {
  const blueprint = await createBlueprint(app.request, 'unit', { properties: { kind: { type: 'string' } } });
  await createEntity(app.request, blueprint, { identifier: 'good', properties: { kind: 'a' } });
  await createEntity(app.request, blueprint, { identifier: 'bad', properties: { kind: 'b' } });
  const condition = { type: 'SEARCH', combinator: 'and', rules: [{ property: 'kind', operator: '=', value: 'a' }] };
  const name = await action(
    { properties: { kind: { type: 'string', default: { jqQuery: '.entity.properties.kind' } } } },
    {},
    { operation: 'DAY-2', blueprintIdentifier: blueprint, condition },
  );
  expect((await evaluate(name, { entity: 'good' })).body.form).toMatchObject({ values: { kind: 'a' }, issues: [] });
  expect((await evaluate(name, { entity: 'bad' })).body.form.issues[0].path).toBe('/entity');
  expect((await evaluate(name, { entity: 'none' })).status).toBe(404);
  expect((await evaluate(name, {})).body.form.issues).toEqual([]);
});

test('who may run and who approves is told', async () => {
  const name = await action({ properties: {} }, { requiredApproval: { type: 'ALL' } });
  const approver = `${unique('jo')}@example.com`;
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: approver, properties });
  const rights = { execute: { roles: ['Admin'] }, approve: { users: [approver], roles: ['Member'] } };
  await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: rights });
  const plain = (await evaluate(name, {}, member)).body.form;
  expect(plain).toMatchObject({ mayRun: false, approval: { type: 'ALL' } });
  expect(plain.approval.approvers).toBeUndefined();
  const told = (await evaluate(name, { withApprovers: true }, member)).body.form;
  expect(told.approval.approvers).toContain(approver);
});

test('those who decide see what would be sent, and are the only ones asked', async () => {
  const name = await action({ properties: { n: { type: 'number' } } }, { requiredApproval: true });
  const started = await app.request('POST', `/v1/actions/${name}/runs`, { body: { properties: { n: 7 } } });
  const { id } = started.body.run;
  const drafted = await app.request('POST', `/v1/actions/${name}/runs?draft=true`, { body: { properties: { n: 8 } } });
  const draft = drafted.body.run.id;
  const approver = await app.organization.approverToken();
  const decision = (run: string, token = approver) => app.request('GET', `/v1/actions/runs/${run}/decision`, { token });
  const waiting = async (token = approver) =>
    (await app.request('GET', `/v1/actions/runs?decidable=true&action=${name}`, { token })).body.runs.map(
      (run: { id: string }) => run.id,
    );

  const mine = (await decision(id)).body.decision;
  expect(mine).toMatchObject({ mayDecide: true, problems: [] });
  expect(mine.request.body).toEqual({ n: 7 });
  expect((await decision(id, member)).body.decision).toEqual({ mayDecide: false, request: null, problems: [] });
  // people who may run the action may decide on its drafts too
  expect((await decision(draft, member)).body.decision).toMatchObject({ mayDecide: true, request: { body: { n: 8 } } });
  expect(await waiting()).toEqual([draft, id]);
  expect(await waiting(member)).toEqual([draft]);

  const declined = { body: { status: 'DECLINE' }, token: approver };
  expect((await app.request('PATCH', `/v1/actions/runs/${id}/approval`, declined)).status).toBe(201);
  expect((await decision(id)).body.decision.mayDecide).toBe(false);
  expect(await waiting()).toEqual([draft]);

  const changed = await app.request('GET', `/v1/actions/${name}`);
  const { id: _, createdAt, createdBy, updatedAt, updatedBy, ...body } = changed.body.action;
  await app.request('PUT', `/v1/actions/${name}`, { body: { ...body, title: 'Other' } });
  expect((await decision(draft)).body.decision.obstacle).toContain('changed');
});
