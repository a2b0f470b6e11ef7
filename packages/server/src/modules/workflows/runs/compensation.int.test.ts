import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import {
  approval,
  approved,
  createWorkflowWorld,
  form,
  type Node,
  upsert,
  type WorkflowWorld,
} from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: WorkflowWorld;
let receiver: Receiver;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  world = createWorkflowWorld(app);
  blueprint = await createBlueprint(app.request, 'made');
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200, body: '{"id":"r1"}' });
});

const step = (identifier: string, config: object, more: object = {}): Node => ({ identifier, config, ...more });
const hook = (identifier: string, more: object = {}, body: unknown = {}) =>
  step(identifier, { type: 'WEBHOOK', url: `${receiver.url}/${identifier}`, body, retry: { attempts: 1 } }, more);
const removes = (identifier: string, which = '{{ .outputs.trigger.name }}') =>
  step(identifier, { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: which });
const stop = step('stop', { type: 'STOP', result: 'FAILED' });

/** The way from node to node, and those outside it. */
const flow = (inRow: readonly Node[], ...outside: readonly Node[]) =>
  world.workflow([...inRow, ...outside], rowOf(inRow));
const rowOf = (inRow: readonly Node[]) =>
  inRow.slice(1).map((node, index) => ({
    sourceIdentifier: inRow[index]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));
const body = (inRow: readonly Node[], ...outside: readonly Node[]) => {
  const all = [step('item', { type: 'ITEM_TRIGGER' }), ...inRow];
  return { nodes: [...all, ...outside], connections: rowOf(all) };
};

interface Shown {
  readonly identifier: string;
  readonly nodeRuns: readonly {
    readonly identifier: string;
    readonly node: { readonly identifier: string };
    readonly result: string;
    readonly compensates: string | null;
    readonly children?: { readonly total: number };
  }[];
}
const wayOf = ({ nodeRuns }: Shown) => nodeRuns.map(({ node, result }) => `${node.identifier} ${result}`);
const calledPaths = () => receiver.received.map(({ path }) => path);

async function ended(name: string, inputs: object = { name: unique('thing') }) {
  const run = await world.start(name, inputs);
  await app.app.jobs.drain();
  const shown = await world.get(run);
  await world.foldsBack(run);
  return shown;
}

describe('a run that fails', () => {
  test('undoes the steps that succeeded, the last first, each with what it gave', async () => {
    const thing = unique('thing');
    const name = await flow(
      [
        form(),
        hook('reserve', { compensatedBy: 'release' }),
        hook('neither'),
        { ...upsert(blueprint), compensatedBy: 'remove' },
        stop,
      ],
      hook('release', {}, { id: '{{ .outputs.reserve.response.data.id }}' }),
      removes('remove'),
    );
    const shown = await ended(name, { name: thing });
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'FAILED', endsAs: 'FAILED' });
    expect(wayOf(shown)).toEqual([
      'reserve SUCCESS',
      'neither SUCCESS',
      'entity SUCCESS',
      'stop SUCCESS',
      'remove SUCCESS',
      'release SUCCESS',
    ]);
    expect(shown.nodeRuns.slice(4).map(({ compensates }: { compensates: string }) => compensates)).toEqual([
      shown.nodeRuns[2].identifier,
      shown.nodeRuns[0].identifier,
    ]);
    expect(calledPaths()).toEqual(['/reserve', '/neither', '/release']);
    expect(receiver.received[2]?.body).toBe('{"id":"r1"}');
    expect(await world.entityStatus(blueprint, thing)).toBe(404);
    expect(Object.keys(shown.variables.outputs)).not.toContain('release');
  });

  test('undoes nothing where it ends well, and not the step that failed', async () => {
    const well = await ended(await flow([form(), hook('reserve', { compensatedBy: 'release' })], hook('release')));
    expect(well).toMatchObject({ result: 'SUCCESS', endsAs: null });
    receiver.answer = () => ({ status: 400 });
    const failed = await ended(await flow([form(), hook('reserve', { compensatedBy: 'release' })], hook('release')));
    expect(failed).toMatchObject({ result: 'FAILED', endsAs: null });
    expect(calledPaths()).toEqual(['/reserve', '/reserve']);
  });

  test('goes on past a compensation that fails, and says what is not undone', async () => {
    receiver.answer = ({ path }) => ({ status: path === '/release' ? 400 : 200 });
    const name = await flow(
      [form(), hook('first', { compensatedBy: 'back' }), hook('reserve', { compensatedBy: 'release' }), stop],
      hook('release'),
      hook('back'),
    );
    const shown = await ended(name);
    expect(calledPaths()).toEqual(['/first', '/reserve', '/release', '/back']);
    expect(shown).toMatchObject({ result: 'FAILED' });
    expect(shown.message).toContain('Not undone, because its compensation failed: "reserve"');
  });

  test('may wait in a compensation, and is in progress meanwhile', async () => {
    const name = await flow(
      [form(), hook('reserve', { compensatedBy: 'release' }), stop],
      step('release', { type: 'WEBHOOK', url: `${receiver.url}/release`, synchronized: false }),
    );
    const run = await world.start(name);
    await app.app.jobs.drain();
    const shown = await world.get(run);
    expect(shown).toMatchObject({
      status: 'IN_PROGRESS',
      result: null,
      endsAs: 'FAILED',
      currentNode: 'release',
      waitingFor: 'report',
    });
    // it is on its way back already
    const cancelled = await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    expect(cancelled.body.run).toMatchObject({ status: 'IN_PROGRESS', endsAs: 'FAILED' });
    const { identifier } = shown.nodeRuns[2];
    const reported = await app.request('PATCH', `/v1/workflows/nodes/runs/${identifier}`, {
      body: { status: 'COMPLETED', result: 'SUCCESS' },
    });
    expect(reported.status).toBe(200);
    await app.app.jobs.drain();
    expect(await world.get(run)).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
  });

  test('has a week for it after its deadline', async () => {
    const name = await flow(
      [form(), hook('reserve', { compensatedBy: 'release' }), step('wait', { type: 'DELAY', seconds: 90 * 86_400 })],
      hook('release'),
    );
    const run = await world.start(name);
    await app.app.jobs.drain();
    const now = app.clock.now();
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update workflow_runs set deadline_at = ${now} where org_id = ${app.organization.id} and id = ${run}`),
    );
    await world.later(90 * 86_400_000);
    expect(calledPaths()).toEqual(['/reserve', '/release']);
    const shown = await world.get(run);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'FAILED', endsAs: 'FAILED' });
    expect(shown.message).toContain('Stopped: it had not ended by');
    expect(Date.parse(shown.deadlineAt)).toBeGreaterThanOrEqual(now.getTime() + 7 * 86_400_000);
  });
});

describe('a run that is cancelled', () => {
  test('undoes what it did, as CANCELLING, and ends as CANCELLED', async () => {
    const thing = unique('thing');
    const name = await world.workflow(
      [form(), { ...upsert(blueprint), compensatedBy: 'remove' }, approval(), hook('after'), removes('remove')],
      [{ sourceIdentifier: 'form', targetIdentifier: 'entity' }, ...approved('entity', 'after')],
    );
    const { run } = await world.waiting(name, { name: thing });
    const answer = await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    expect(answer.body.run).toMatchObject({ status: 'CANCELLING', result: null, endsAs: 'CANCELLED' });
    await app.app.jobs.drain();
    const shown = await world.get(run);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED', endsAs: 'CANCELLED' });
    expect(wayOf(shown)).toEqual(['entity SUCCESS', 'ask CANCELLED', 'remove SUCCESS']);
    expect(await world.entityStatus(blueprint, thing)).toBe(404);
    await world.foldsBack(run);
  });

  test('by force undoes nothing, even where it had begun to', async () => {
    const name = await flow(
      [
        form(),
        hook('first', { compensatedBy: 'back' }),
        hook('reserve', { compensatedBy: 'release' }),
        step('wait', { type: 'DELAY', seconds: 60 }),
      ],
      step('release', { type: 'WEBHOOK', url: `${receiver.url}/release`, synchronized: false }),
      hook('back'),
    );
    const cancel = (run: string, query = '') => app.request('POST', `/v1/workflows/runs/${run}/cancel${query}`);
    const early = await world.start(name);
    await app.app.jobs.drain();
    expect((await cancel(early, '?force=true')).body.run).toMatchObject({ status: 'COMPLETED', endsAs: null });
    const later = await world.start(name);
    await app.app.jobs.drain();
    await cancel(later);
    await app.app.jobs.drain();
    expect(await world.get(later)).toMatchObject({ status: 'CANCELLING', currentNode: 'release' });
    expect((await cancel(later, '?force=true')).body.run).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    await app.app.jobs.drain();
    expect(calledPaths()).toEqual(['/first', '/reserve', '/first', '/reserve', '/release']);
  });
});

describe('steps inside a step', () => {
  const each = (more: object, ...outside: readonly Node[]) =>
    step('each', {
      type: 'MAP',
      items: ['a', 'b', 'c'],
      concurrency: 1,
      body: body(
        [hook('make', { compensatedBy: 'unmake' }, '{{ .outputs.trigger.item }}'), ...((more as never)['after'] ?? [])],
        hook('unmake', {}, 'not {{ .outputs.trigger.item }} of {{ .outputs.trigger.parent.trigger.name }}'),
        ...outside,
      ),
    });
  const said = () => receiver.received.map(({ path, body: text }) => `${path} ${text.replaceAll('"', '')}`);

  test('are undone run by run, the last first, before the steps that came before', async () => {
    const name = await flow([form(), hook('before', { compensatedBy: 'unbefore' }), each({}), stop], hook('unbefore'));
    const shown = await ended(name, { name: 'n' });
    expect(wayOf(shown)).toEqual([
      'before SUCCESS',
      'each SUCCESS',
      'stop SUCCESS',
      'each SUCCESS',
      'unbefore SUCCESS',
    ]);
    expect(said()).toEqual([
      '/before {}',
      '/make a',
      '/make b',
      '/make c',
      '/unmake not c of n',
      '/unmake not b of n',
      '/unmake not a of n',
      '/unbefore {}',
    ]);
    expect(shown.nodeRuns[3]).toMatchObject({ compensates: shown.nodeRuns[1].identifier, children: { total: 3 } });
  });

  test('are undone where one item fails and stops the others, each by its own run', async () => {
    receiver.answer = ({ body: text, path }) => ({ status: path === '/make' && text.includes('c') ? 400 : 200 });
    const shown = await ended(await flow([form(), each({})]), { name: 'n' });
    expect(shown).toMatchObject({ result: 'FAILED', endsAs: 'FAILED' });
    expect(said().slice(3)).toEqual(['/unmake not b of n', '/unmake not a of n']);
  });

  test('are undone when their run is cancelled, before the run above undoes anything', async () => {
    const wait = step('wait', { type: 'DELAY', seconds: 60 });
    const name = await flow(
      [form(), hook('before', { compensatedBy: 'unbefore' }), each({ after: [wait] })],
      hook('unbefore'),
    );
    const run = await world.start(name, { name: 'n' });
    await app.app.jobs.drain();
    await world.later(60_000);
    await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    await app.app.jobs.drain();
    expect(await world.get(run)).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED' });
    const [first, one, other, ...back] = said();
    expect([first, one, other]).toEqual(['/before {}', '/make a', '/make b']);
    expect([...back.slice(0, 2)].sort()).toEqual(['/unmake not a of n', '/unmake not b of n']);
    expect(back.slice(2)).toEqual(['/unbefore {}']);
  });

  test('stay where the step that holds them has a compensation of its own', async () => {
    const name = await flow(
      [form(), { ...each({}), compensatedBy: 'all' }, stop],
      hook('all', {}, '{{ .outputs.each.results | length }}'),
    );
    await ended(name, { name: 'n' });
    expect(said().slice(3)).toEqual(['/all 3']);
  });
});

describe('a re-run', () => {
  test('carries out again what was undone, and undoes nothing that it took over', async () => {
    let isBroken = true;
    receiver.answer = ({ path }) => ({ status: isBroken && path === '/last' ? 400 : 200 });
    const name = await flow(
      [form(), hook('kept'), hook('reserve', { compensatedBy: 'release' }), hook('last')],
      hook('release'),
    );
    const failed = await ended(name);
    expect(calledPaths()).toEqual(['/kept', '/reserve', '/last', '/release']);
    const plan = await app.request('GET', `/v1/workflows/runs/${failed.identifier}/rerun-plan?from=last`);
    const steps = plan.body.plan.steps as { nodeIdentifier: string; becomes: string; reason: string | null }[];
    expect(steps.map(({ nodeIdentifier, becomes, reason }) => [nodeIdentifier, becomes, reason])).toEqual([
      ['kept', 'reused', null],
      ['reserve', 'again', 'compensated'],
      ['last', 'again', null],
    ]);
    isBroken = false;
    const again = await app.request('POST', `/v1/workflows/runs/${failed.identifier}/rerun`, {
      body: { fromNodeIdentifier: 'last', acknowledge: ['reserve', 'last'] },
    });
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    await app.app.jobs.drain();
    expect(await world.get(again.body.run.identifier)).toMatchObject({ result: 'SUCCESS' });
    expect(calledPaths().slice(4)).toEqual(['/reserve', '/last']);
    // it took the first two over from a run that stands, and fails
    isBroken = true;
    const third = await app.request('POST', `/v1/workflows/runs/${again.body.run.identifier}/rerun`, {
      body: { fromNodeIdentifier: 'last', acknowledge: ['last'] },
    });
    await app.app.jobs.drain();
    expect(await world.get(third.body.run.identifier)).toMatchObject({ result: 'FAILED', endsAs: null });
    expect(calledPaths().slice(6)).toEqual(['/last']);
  });
});
