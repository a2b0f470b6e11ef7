import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { approval, createWorkflowWorld, form, type Node, upsert } from '../../../../test/workflow-world.ts';

let app: TestApp;
let receiver: Receiver;
let blueprint: string;

beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  blueprint = await createBlueprint(app.request, 'tested', { properties: { note: { type: 'string' } } });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const blueprintOf = '<blueprint>';
const inRow = (nodes: readonly Node[]) =>
  nodes.slice(1).map((node, index) => ({
    sourceIdentifier: nodes[index]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));
const definition = (
  nodes: readonly Node[],
  connections: readonly object[] = inRow(nodes),
  identifier = unique('flow'),
) => ({
  identifier,
  nodes,
  connections,
});
const tested = async (body: object) => {
  const answer = await app.request('POST', '/v1/workflows/test', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.test;
};
const countRows = () => {
  const org = app.organization.id;
  return app.database.first(sql`
    select (select count(*)::int from workflow_runs where org_id = ${org}) as runs,
      (select count(*)::int from journal where org_id = ${org}) as records,
      (select count(*)::int from jobs where org_id = ${org}) as jobs,
      (select count(*)::int from entities where org_id = ${org}) as entities`);
};
const hook = (more: object = {}): Node => ({
  identifier: 'hook',
  config: { type: 'WEBHOOK', url: `${receiver.url}/x`, body: { name: '{{ .outputs.trigger.name }}' }, ...more },
});

test('a write is told with what it would change, and is not there afterwards', async () => {
  const name = unique('thing');
  const before = await countRows();
  const found = await tested({ definition: definition([form(), upsert(blueprint)]), sample: { name } });
  expect(found).toMatchObject({
    trigger: 'form',
    inputs: { name },
    ended: 'SUCCESS',
    steps: [
      {
        node: 'entity',
        status: 'SUCCESS',
        from: 'step',
        output: { response: { data: { identifier: name, created: true } } },
        changes: [{ action: 'CREATE', blueprint, identifier: name, before: null, after: { identifier: name } }],
      },
    ],
  });
  expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${name}`)).status).toBe(404);
  expect(await countRows()).toEqual(before);
});

test('others are not called: they answer what is pinned, what they answered last, or nothing', async () => {
  const nodes = [form(), hook(), { identifier: 'told', config: { type: 'TRANSFORM', expression: '.outputs.hook' } }];
  const flow = definition(nodes);
  const before = receiver.received.length;
  const unknown = await tested({ definition: flow, sample: { name: 'x' } });
  expect(unknown.steps[0]).toMatchObject({ from: 'nothing', input: { body: { name: 'x' } } });
  const pinned = await tested({ definition: flow, sample: { name: 'x' }, pinned: { hook: { output: { n: 1 } } } });
  expect(pinned.steps).toMatchObject([{ from: 'pinned', output: { n: 1 } }, { output: { n: 1 } }]);
  expect(receiver.received.length).toBe(before);
  const world = createWorkflowWorld(app);
  expect((await app.request('POST', '/v1/workflows', { body: flow })).status).toBe(200);
  await world.start(flow.identifier, { name: 'y' });
  await app.app.jobs.drain();
  const last = await tested({ definition: flow, sample: { name: 'z' } });
  expect(last.steps[0]).toMatchObject({
    from: 'last-run',
    output: { response: { status: 200 } },
    input: { body: { name: 'z' } },
  });
});

test('a call begins with what its trigger maps, and no trigger begins against its condition', async () => {
  await app.request('POST', '/v1/organization/secrets', {
    body: { secretName: 'CALLS', secretValue: unique('calls') },
  });
  const only = (expression: string) => ({ condition: { type: 'JQ', expressions: [expression] } });
  const seen: Node = { identifier: 'seen', config: { type: 'TRANSFORM', expression: '.outputs.trigger' } };
  const call: Node = {
    identifier: 'call',
    config: {
      type: 'WEBHOOK_TRIGGER',
      secretName: 'CALLS',
      signature: 'sha256-hmac',
      mapping: { branch: '.body.ref' },
      ...only('.body.ref == "main"'),
    },
  };
  const ended: Node = {
    identifier: 'ended',
    config: { type: 'RUN_TRIGGER', event: { type: 'WORKFLOW_RUN_ENDED' }, ...only('.run.result == "FAILED"') },
  };
  const onCall = definition([call, seen]);
  const called = await tested({ definition: onCall, sample: { body: { ref: 'main' }, headers: {}, queryParams: {} } });
  expect(called).toMatchObject({
    inputs: { branch: 'main' },
    ended: 'SUCCESS',
    steps: [{ output: { branch: 'main' } }],
  });
  expect(await tested({ definition: onCall, sample: { body: { ref: 'other' } } })).toMatchObject({
    ended: 'NOT_STARTED',
    steps: [],
  });
  const onEnd = definition([ended, seen]);
  const run = (result: string) => tested({ definition: onEnd, sample: { run: { result } } });
  expect((await run('FAILED')).ended).toBe('SUCCESS');
  expect((await run('SUCCESS')).ended).toBe('NOT_STARTED');
});

test('secrets are masks in what is shown', async () => {
  const value = unique('hidden-value');
  await app.request('POST', '/v1/organization/secrets', { body: { secretName: 'TESTED', secretValue: value } });
  const secret = hook({ headers: { authorization: 'Bearer {{ .secrets.TESTED }}' } });
  const found = await tested({ definition: definition([form(), secret]), sample: { name: 'x' } });
  expect(found.steps[0].status).toBe('SUCCESS');
  expect(JSON.stringify(found)).not.toContain(value);
});

test('it stops where a person would be asked, and goes on with a pinned button', async () => {
  const nodes = [form(), approval(), upsert(blueprint)];
  const connections = [
    { sourceIdentifier: 'form', targetIdentifier: 'ask' },
    { sourceIdentifier: 'ask', targetIdentifier: 'entity', sourceOutletIdentifier: 'yes' },
  ];
  const flow = definition(nodes, connections);
  const waits = await tested({ definition: flow, sample: { name: 'x' } });
  expect(waits).toMatchObject({ ended: 'WAITS', steps: [{ node: 'ask', status: 'WAITS', waitingFor: 'response' }] });
  const on = await tested({ definition: flow, sample: { name: unique('x') }, pinned: { ask: { outlet: 'yes' } } });
  expect(on).toMatchObject({ ended: 'SUCCESS', steps: [{ outlet: 'yes' }, { node: 'entity' }] });
  const no = await tested({ definition: flow, sample: { name: 'x' }, pinned: { ask: { outlet: 'no' } } });
  expect(no.steps).toHaveLength(1);
});

test('a condition, a step that fails, and what the form or the trigger refuses are told as a run would tell them', async () => {
  const choice: Node = {
    identifier: 'choice',
    config: {
      type: 'CONDITION',
      outlets: [{ identifier: 'a', title: 'A', expression: '.outputs.trigger.name == "a"' }],
    },
  };
  const connections = [
    { sourceIdentifier: 'form', targetIdentifier: 'choice' },
    { sourceIdentifier: 'choice', targetIdentifier: 'entity', sourceOutletIdentifier: 'a' },
  ];
  const flow = definition([form(), choice, upsert(`${blueprint}_gone`)], connections);
  expect(await tested({ definition: flow, sample: { name: 'b' } })).toMatchObject({
    ended: 'SUCCESS',
    steps: [{ outlet: null }],
  });
  const gone = await tested({ definition: flow, sample: { name: 'a' } });
  expect(gone).toMatchObject({ ended: 'FAILED', steps: [{ outlet: 'a' }, { status: 'FAILED' }] });
  const strict = form({ userInputs: { properties: { name: { type: 'string' } }, required: ['name'] } });
  const refused = await tested({ definition: definition([strict, upsert(blueprint)]) });
  expect(refused).toMatchObject({ ended: 'NOT_STARTED', issues: [{ path: '/inputs/name' }], steps: [] });
  const event: Node = {
    identifier: 'event',
    config: {
      type: 'EVENT_TRIGGER',
      event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint },
      condition: { type: 'JQ', expressions: ['.diff.after.identifier == "a"'] },
    },
  };
  const other = await tested({
    definition: definition([event, { identifier: 'end', config: { type: 'STOP' } }]),
    sample: { diff: { after: { identifier: 'b' } } },
  });
  expect(other).toMatchObject({ ended: 'NOT_STARTED', steps: [] });
});

test('a deletion is told and taken back', async () => {
  const name = unique('kept');
  await createEntity(app.request, blueprint, { identifier: name });
  const remove: Node = {
    identifier: 'remove',
    config: { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: '{{ .outputs.trigger.name }}' },
  };
  const found = await tested({ definition: definition([form(), remove]), sample: { name } });
  expect(found.steps[0].changes).toMatchObject([{ action: 'DELETE', identifier: name, after: null }]);
  expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${name}`)).status).toBe(200);
});

describe('a later step', () => {
  const fetch: Node = {
    identifier: 'read',
    config: {
      type: 'FETCH',
      blueprintIdentifier: blueprintOf,
      query: {
        combinator: 'and',
        rules: [{ property: '$identifier', operator: '=', value: '{{ .outputs.trigger.name }}' }],
      },
    },
  };
  const inBlueprint = (node: Node): Node => JSON.parse(JSON.stringify(node).replaceAll(blueprintOf, blueprint));
  const again = (): Node => ({
    identifier: 'again',
    config: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: '{{ .outputs.trigger.name }}', properties: { note: 'second' } },
    },
  });
  const remove = (): Node => ({
    identifier: 'remove',
    config: { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: '{{ .outputs.trigger.name }}' },
  });

  test('reads, changes and deletes what earlier ones would have written, and nobody else finds it', async () => {
    const name = unique('thing');
    const before = await countRows();
    const nodes = [form(), upsert(blueprint), inBlueprint(fetch), again(), remove()];
    const gone: Node = { ...inBlueprint(fetch), identifier: 'gone' };
    const found = await tested({ definition: definition([...nodes, gone]), sample: { name } });
    expect(found, JSON.stringify(found)).toMatchObject({
      ended: 'SUCCESS',
      steps: [
        { changes: [{ action: 'CREATE' }] },
        { node: 'read', output: { count: 1, entities: [{ identifier: name }] } },
        {
          output: { response: { data: { created: false } } },
          changes: [{ action: 'UPDATE', before: { identifier: name } }],
        },
        { changes: [{ action: 'DELETE', before: { properties: { note: 'second' } } }] },
        { node: 'gone', output: { count: 0 } },
      ],
    });
    expect(await countRows()).toEqual(before);
    // nor does the next test
    const next = await tested({ definition: definition([form(), inBlueprint(fetch)]), sample: { name } });
    expect(next.steps[0].output.count).toBe(0);
  });
});

describe('compensations', () => {
  const undone = (node: Node, compensatedBy: string): Node => ({ ...node, compensatedBy });
  const call = (identifier: string, body: unknown = {}): Node => ({
    identifier,
    config: { type: 'WEBHOOK', url: `${receiver.url}/${identifier}`, body },
  });
  const remove = (): Node => ({
    identifier: 'remove',
    config: { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: '{{ .outputs.trigger.name }}' },
  });
  const flow = () => {
    const way = [form(), undone(call('reserve'), 'release'), undone(upsert(blueprint), 'remove'), call('last')];
    return definition([...way, call('release', { id: '{{ .outputs.reserve.id }}' }), remove()], inRow(way));
  };

  test('are told in their order with their inputs where a step is to fail, and nothing takes effect', async () => {
    const name = unique('thing');
    const [before, calls] = [await countRows(), receiver.received.length];
    const asked = { definition: flow(), sample: { name }, pinned: { reserve: { output: { id: 'r1' } } } };
    const found = await tested({ ...asked, failAt: 'last' });
    expect(found).toMatchObject({
      ended: 'FAILED',
      steps: [{ node: 'reserve' }, { node: 'entity' }, { node: 'last', status: 'FAILED' }],
      compensations: [
        { node: 'remove', compensates: 'entity', status: 'SUCCESS', changes: [{ action: 'DELETE', identifier: name }] },
        { node: 'release', compensates: 'reserve', from: 'nothing', input: { body: { id: 'r1' } } },
      ],
    });
    expect(await countRows()).toEqual(before);
    expect(receiver.received.length).toBe(calls);
    expect((await tested(asked)).compensations).toEqual([]);
    // a step that fails is not undone itself
    expect((await tested({ ...asked, failAt: 'reserve' })).compensations).toEqual([]);
  });

  test('are asked for by the name of a step of the way, and of no other', async () => {
    for (const failAt of ['form', 'release', 'nowhere']) {
      const answer = await app.request('POST', '/v1/workflows/test', { body: { definition: flow(), failAt } });
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
      expect(answer.body.details).toMatchObject([{ path: '/failAt' }]);
    }
  });
});

test('bad input is told with its place, and only who may save it may test it', async () => {
  const ask = (body: object, token?: string) =>
    app.request('POST', '/v1/workflows/test', { body, ...(token === undefined ? {} : { token }) });
  const faulty = await ask({ definition: definition([form(), form()]) });
  expect([faulty.status, faulty.body.error]).toEqual([422, 'invalid_workflow']);
  const two = definition([form(), { ...form(), identifier: 'second' }, upsert(blueprint)], []);
  expect((await ask({ definition: two })).body.details).toMatchObject([{ path: '/trigger' }]);
  expect((await ask({ definition: blueprintBody('x'), more: 1 })).status).toBe(422);
  const member = await app.organization.personToken(await createWorkflowWorld(app).person('tester'));
  expect((await ask({ definition: definition([form(), upsert(blueprint)]) }, member)).status).toBe(403);
});
