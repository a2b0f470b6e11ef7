import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import {
  body,
  type ChildRunsWorld,
  compute,
  createChildRunsWorld,
  findStep,
  map,
  step,
  upsertItem,
} from '../../../../test/child-runs-world.ts';
import { form, upsert } from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: ChildRunsWorld;
let run: ChildRunsWorld['run'];
let children: ChildRunsWorld['children'];
beforeAll(async () => {
  app = await createTestApp();
  world = createChildRunsWorld(app);
  ({ run, children } = world);
});
afterAll(() => app.close());

describe('RUN_WORKFLOW', () => {
  const calls = (workflowIdentifier: string, more: object = {}) =>
    step('other', {
      type: 'RUN_WORKFLOW',
      workflowIdentifier,
      inputs: { name: '{{ .outputs.trigger.name }}' },
      ...more,
    });

  test('runs another workflow by its form, and gives its result and last output', async () => {
    const called = await world.workflow([form(), compute('{said: .outputs.trigger.name}')]);
    const shown = await run([form(), calls(called)], { name: 'hello' });
    expect(findStep(shown, 'other')).toMatchObject({
      result: 'SUCCESS',
      output: { result: 'SUCCESS', output: { said: 'hello' }, workflowRunIdentifier: expect.stringMatching(/^wfr_/) },
    });
    const [child] = await children(shown.identifier);
    expect(await world.get(child?.identifier as string)).toMatchObject({
      parent: { run: shown.identifier, index: 0 },
      workflow: { identifier: called },
      createdBy: shown.createdBy,
    });
  });

  test('of a paused trigger begins nothing', async () => {
    const called = await world.workflow([form(), compute('1')]);
    const paused = await app.request('POST', `/v1/workflows/${called}/pause`, { body: {} });
    expect(paused.status, JSON.stringify(paused.body)).toBe(200);
    const shown = await run([form(), calls(called)]);
    expect(findStep(shown, 'other')).toMatchObject({
      result: 'FAILED',
      message: expect.stringContaining('paused since'),
    });
    expect(await children(shown.identifier)).toEqual([]);
  });

  test('runs the version that is named', async () => {
    const called = await world.workflow([form(), compute('"one"')]);
    const nodes = [form(), compute('"two"')];
    const connections = [{ sourceIdentifier: 'form', targetIdentifier: 'values' }];
    expect(
      (await app.request('PUT', `/v1/workflows/${called}`, { body: { identifier: called, nodes, connections } }))
        .status,
    ).toBe(200);
    expect(findStep(await run([form(), calls(called)]), 'other')['output']).toMatchObject({ output: 'two' });
    expect(findStep(await run([form(), calls(called, { version: 1 })]), 'other')['output']).toMatchObject({
      output: 'one',
    });
    const missing = await run([form(), calls(called, { version: 9 })]);
    expect(findStep(missing, 'other')['message']).toContain(`There is no workflow "${called}" with a version 9`);
  });

  test('refuses what whoever saved the workflow may not start, as if it were not there', async () => {
    const called = await world.workflow([form({ permissions: {} }), compute('1')]);
    const admin = await world.person('ada', 'Admin');
    const token = await app.organization.personToken(admin);
    const identifier = unique('flow');
    const body = {
      identifier,
      nodes: [form({ permissions: { roles: ['Member'] } }), calls(called)],
      connections: [{ sourceIdentifier: 'form', targetIdentifier: 'other' }],
    };
    expect((await app.request('POST', '/v1/workflows', { body, token })).status).toBe(200);
    const begun = await world.start(identifier);
    await app.app.jobs.drain();
    expect(await world.get(begun)).toMatchObject({ result: 'SUCCESS' });
    // an organization must keep one administrator, so there is another
    await world.person('bo', 'Admin');
    const path = `/v1/blueprints/_user/entities/${encodeURIComponent(admin)}`;
    const demoted = await app.request('PATCH', path, { body: { properties: { port_role: 'Member' } } });
    expect(demoted.status, JSON.stringify(demoted.body)).toBe(200);
    const refused = await world.start(identifier);
    await app.app.jobs.drain();
    const shown = await world.get(refused);
    expect(findStep(shown, 'other')).toMatchObject({ result: 'FAILED' });
    expect(findStep(shown, 'other')['message']).toBe(
      `There is no workflow "${called}" with such a form that may be started here`,
    );
    expect(await children(refused)).toEqual([]);
  });

  test('fails with the words of the form where the inputs do not fit it', async () => {
    const strict = form({ userInputs: { properties: { n: { type: 'number' } }, required: ['n'] } });
    const called = await world.workflow([strict, compute('1')]);
    const shown = await run([form(), calls(called, { inputs: {} })]);
    expect(findStep(shown, 'other')).toMatchObject({ result: 'FAILED' });
    expect(await children(shown.identifier)).toEqual([]);
  });

  test('stops a workflow that finds the way to itself only when it runs', async () => {
    const identifier = unique('flow');
    const self = step('other', { type: 'RUN_WORKFLOW', workflowIdentifier: '{{ .workflow.identifier }}' });
    const body = {
      identifier,
      nodes: [form(), self],
      connections: [{ sourceIdentifier: 'form', targetIdentifier: 'other' }],
    };
    expect((await app.request('POST', '/v1/workflows', { body })).status).toBe(200);
    const begun = await world.start(identifier, {});
    await app.app.jobs.drain();
    expect(await world.get(begun)).toMatchObject({ result: 'FAILED' });
    const all = await app.request('GET', `/v1/workflows/runs?workflow=${identifier}`);
    expect(all.body.runs).toHaveLength(6);
  });
});

describe('a cancelled run', () => {
  const blueprints: string[] = [];
  const waits = async () => {
    const blueprint = await createBlueprint(app.request, 'left');
    blueprints.push(blueprint);
    const inner = map(['a', 'b'], body(step('wait', { type: 'DELAY', seconds: 60 }), upsertItem(blueprint)));
    const shown = await run([form(), map([1, 2], body(step('deep', inner['config'] as object)))]);
    return { shown, blueprint };
  };

  test.each([
    ['', 'CANCELLED'],
    ['?force=true', 'FAILED'],
  ])('%s reaches every run below it, and nothing of theirs happens afterwards', async (query, result) => {
    const { shown, blueprint } = await waits();
    const path = `/v1/workflows/runs/${shown.identifier}/cancel${query}`;
    expect((await app.request('POST', path)).body.run).toMatchObject({ status: 'COMPLETED', result });
    await app.app.jobs.drain();
    await world.later(60_000);
    const below = await app.database.rows<{ id: string; status: string; result: string }>(
      sql`select id, status, result from workflow_runs where org_id = ${app.organization.id} and root_id = ${shown.identifier}`,
    );
    expect(below).toHaveLength(7);
    expect(new Set(below.map((each) => `${each.status} ${each.result}`))).toEqual(new Set([`COMPLETED ${result}`]));
    for (const { id } of below) await world.foldsBack(id);
    expect(await Promise.all(['a', 'b'].map((name) => world.entityStatus(blueprint, name)))).toEqual([404, 404]);
  });

  test('has no more effects below it even before the job that stops them has run', async () => {
    const { shown, blueprint } = await waits();
    await app.request('POST', `/v1/workflows/runs/${shown.identifier}/cancel`);
    // as if that job were late, and the runs below came first
    await app.database.transaction((tx) =>
      tx.execute(sql`delete from jobs where org_id = ${app.organization.id} and name = 'workflows.stop-children'`),
    );
    await world.later(60_000);
    expect(await Promise.all(['a', 'b'].map((name) => world.entityStatus(blueprint, name)))).toEqual([404, 404]);
  });

  test('lets a call of a run below it finish, and that run ends by itself', async () => {
    let begun: string | undefined;
    // while the call is in flight, and before its answer
    const cancel = async (): Promise<void> => {
      await app.request('POST', `/v1/workflows/runs/${begun}/cancel`);
      await app.app.jobs.drain();
    };
    const server = createServer((_request, response) => {
      void cancel().then(() => response.end('{}'));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    begun = await world.start(
      await world.workflow([form(), map([1], body(step('call', { type: 'WEBHOOK', url, retry: { attempts: 1 } })))]),
    );
    await app.app.jobs.drain();
    const [child] = await children(begun);
    expect(await world.get(child?.identifier as string)).toMatchObject({
      status: 'COMPLETED',
      result: 'CANCELLED',
      nodeRuns: [{ result: 'SUCCESS' }],
    });
    await world.foldsBack(child?.identifier as string);
    await new Promise((done) => server.close(done));
  });

  test('of one item fails that item', async () => {
    const shown = await run([
      form(),
      map([1, 2], body(step('wait', { type: 'DELAY', seconds: 60 })), { onItemFailure: 'continue' }),
    ]);
    const [, first] = await children(shown.identifier);
    await app.request('POST', `/v1/workflows/runs/${first?.identifier}/cancel`);
    await world.later(60_000);
    const ended = await world.get(shown.identifier);
    expect(findStep(ended, 'each')['output']).toMatchObject({ failed: [{ index: 0, result: 'CANCELLED' }] });
  });
});

test('children act with the authority of the version that holds them, in the name of whoever started it', async () => {
  const blueprint = await createBlueprint(app.request, 'owned');
  const flow = await world.workflow([
    form({ permissions: { roles: ['Member'] } }),
    map('{{ [.outputs.trigger.name] }}', body(upsertItem(blueprint))),
  ]);
  const member = await world.person('mo');
  const token = await app.organization.personToken(member);
  const name = unique('thing');
  const begun = await world.start(flow, { name }, { token });
  await app.app.jobs.drain();
  expect(await world.get(begun)).toMatchObject({ result: 'SUCCESS' });
  expect(await readEntity(app.request, blueprint, name)).toMatchObject({ createdBy: member });
  const [child] = await children(begun);
  expect((await app.request('GET', `/v1/workflows/runs/${child?.identifier}`, { token })).status).toBe(200);
  const stranger = await app.organization.personToken(await world.person('eve'));
  expect((await app.request('GET', `/v1/workflows/runs/${child?.identifier}`, { token: stranger })).status).toBe(404);
  expect((await app.request('GET', `/v1/workflows/runs?parent=${begun}`, { token: stranger })).body.runs).toEqual([]);
});

test('the end of a part starts nothing that waits for the end of the workflow', async () => {
  const flow = await world.workflow([form(), map([1, 2, 3], body(compute('1')))]);
  const follows = await world.workflow([
    step('ended', { type: 'RUN_TRIGGER', event: { type: 'WORKFLOW_RUN_ENDED', workflowIdentifier: flow } }),
    compute('1'),
  ]);
  const begun = await world.start(flow);
  await app.app.jobs.drain();
  expect(await world.get(begun)).toMatchObject({ result: 'SUCCESS' });
  const started = await app.request('GET', `/v1/workflows/runs?workflow=${follows}`);
  expect(started.body.runs).toHaveLength(1);
});

test('a workflow with a form stays as it was', async () => {
  const blueprint = await createBlueprint(app.request, 'plain');
  expect(await run([form(), upsert(blueprint)])).toMatchObject({ result: 'SUCCESS', parent: null });
});
