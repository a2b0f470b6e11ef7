import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { approval, createWorkflowWorld, form, type Node, type WorkflowWorld } from '../../../../test/workflow-world.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly workflowRun?: string;
}

let app: TestApp;
let world: WorkflowWorld;
let receiver: Receiver;
let lines: Line[];
beforeAll(async () => {
  const write = (line: string): void => void lines.push(JSON.parse(line));
  lines = [];
  app = await createTestApp({ log: pino({ level: 'warn' }, { write }) as unknown as FastifyBaseLogger });
  world = createWorkflowWorld(app);
  receiver = await startReceiver();
  // the database never keeps that a step of such a name succeeded
  await execute(sql`
    create function refuse_steps() returns trigger language plpgsql as $refuse$
    begin
      if new.node like 'refused%' and new.result = 'SUCCESS' then raise exception 'refused by the database'; end if;
      return new;
    end $refuse$`);
  // nor a run that a trigger of such a name starts
  await execute(sql`
    create function refuse_runs() returns trigger language plpgsql as $refuse$
    begin raise exception 'refused by the database'; end $refuse$`);
  await execute(sql`
    create trigger refuse_runs before insert on workflow_runs
    for each row when (new.trigger_node = 'refused') execute function refuse_runs()`);
  await execute(sql`
    create trigger refuse_steps before insert or update on workflow_node_runs
    for each row execute function refuse_steps()`);
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});
beforeEach(() => {
  lines = [];
  receiver.received.length = 0;
});

const execute = (statement: Sql) => app.database.transaction((tx) => tx.execute(statement));
const step = (identifier: string, config: object, more: object = {}): Node => ({ identifier, config, ...more });
const computes = (identifier: string, more: object = {}) =>
  step(identifier, { type: 'TRANSFORM', expression: '{n: 1}' }, more);
const hook = (identifier: string, more: object = {}) =>
  step(identifier, { type: 'WEBHOOK', url: `${receiver.url}/${identifier}`, retry: { attempts: 1 } }, more);
const inRow = (nodes: readonly Node[]) =>
  nodes.slice(1).map((node, index) => ({
    sourceIdentifier: nodes[index]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));
const body = (node: Node) => {
  const nodes = [step('item', { type: 'ITEM_TRIGGER' }), node];
  return { nodes, connections: inRow(nodes) };
};

/** As long as jobs are tried again before what fails is taken as lasting. */
async function passTries(): Promise<void> {
  await app.app.jobs.drain();
  for (let tries = 0; tries < 5; tries += 1) {
    app.clock.advance(20_000);
    await app.app.jobs.drain();
  }
}

async function ended(run: string) {
  const shown = await world.get(run);
  expect(shown, JSON.stringify(shown)).toMatchObject({ status: 'COMPLETED' });
  await world.foldsBack(run);
  const waiting = await app.database.rows(sql`
    select name from jobs where org_id = ${app.organization.id} and input::text like ${`%${run}%`}`);
  expect(waiting).toEqual([]);
  return shown;
}

const givenUp = () => lines.filter(({ msg }) => msg.includes('was given up'));
const stopped = (where: string) =>
  `Stopped: ${where}. The database refused what was to be stored; the log of Portolan says why (internal_error)`;

describe('what the database never keeps fails the run', () => {
  test('of a step that computes, and what the start could not store was left to the job', async () => {
    const run = await world.start(await world.workflow([form(), computes('before'), computes('refused')]));
    expect(await world.get(run)).toMatchObject({ status: 'IN_PROGRESS', steps: 0 });
    expect(lines).toMatchObject([{ level: 40, workflowRun: run, msg: expect.stringContaining('left to its job') }]);
    await passTries();
    const message = stopped('the step "refused" could not be carried out');
    expect(await ended(run)).toMatchObject({ result: 'FAILED', steps: 1, message });
    expect(givenUp()).toMatchObject([{ level: 50, workflowRun: run, node: 'before' }]);
  });

  test('of a call, what was done before it is undone, and the failed step has a code', async () => {
    const way = [form(), hook('made', { compensatedBy: 'unmade' }), hook('refused')];
    const run = await world.start(await world.workflow([...way, hook('unmade')], inRow(way)));
    await passTries();
    const shown = await ended(run);
    expect(shown).toMatchObject({ result: 'FAILED', message: stopped('the step "refused" could not go on') });
    expect(shown.nodeRuns.map(({ node, result }: never) => [(node as Node)['identifier'], result])).toEqual([
      ['made', 'SUCCESS'],
      ['refused', 'FAILED'],
      ['unmade', 'SUCCESS'],
    ]);
    expect(shown.nodeRuns[1].output).toMatchObject({ error: { code: 'internal_error' } });
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/made', '/refused', '/unmade']));
  });

  test('of a call, but for one whose failure lets the run go on', async () => {
    const goesOn = step('refused', { type: 'WEBHOOK', url: `${receiver.url}/on`, onFailure: 'continue' });
    const run = await world.start(await world.workflow([form(), goesOn, computes('after')]));
    await passTries();
    const shown = await ended(run);
    expect(shown).toMatchObject({ result: 'SUCCESS', message: '1 step failed' });
    expect(shown.nodeRuns).toMatchObject([
      { node: { identifier: 'refused' }, result: 'FAILED', output: { error: { code: 'internal_error' } } },
      { node: { identifier: 'after' }, result: 'SUCCESS' },
    ]);
    expect(lines.filter(({ level }) => level === 50)).toMatchObject([
      { workflowRun: run, msg: expect.stringContaining('a step of a workflow was given up') },
    ]);
  });

  test('of a wait that is over, and of runs that a step began', async () => {
    const waits = await world.start(
      await world.workflow([form(), step('refused-wait', { type: 'DELAY', seconds: 60 })]),
    );
    const each = step('refused-each', { type: 'MAP', items: [1], body: body(computes('one')) });
    const begins = await world.start(await world.workflow([form(), each]));
    await app.app.jobs.drain();
    await world.later(120_000);
    await passTries();
    expect(await ended(waits)).toMatchObject({ message: stopped('the step "refused-wait" could not go on') });
    expect(await ended(begins)).toMatchObject({ message: stopped('the step "refused-each" could not go on') });
  });

  test('of what undoes, and says so beside why it went back', async () => {
    const way = [
      form(),
      hook('made', { compensatedBy: 'refused-undo' }),
      step('end', { type: 'STOP', result: 'FAILED' }),
    ];
    const run = await world.start(await world.workflow([...way, hook('refused-undo')], inRow(way)));
    await passTries();
    const shown = await ended(run);
    expect(shown).toMatchObject({ result: 'FAILED', failedCompensations: [expect.any(String)] });
    expect(shown.message).toContain(stopped('the step "refused-undo" could not go on'));
  });
});

describe('a run ends', () => {
  test('whose definition cannot be read any more', async () => {
    const flow = await world.workflow([form(), step('wait', { type: 'DELAY', seconds: 60 }), computes('after')]);
    const run = await world.start(flow);
    await app.app.jobs.drain();
    await execute(sql`
      update workflow_versions set definition = '{"nodes": 5}' where org_id = ${app.organization.id}
        and workflow_key = (select workflow_key from workflow_runs where org_id = ${app.organization.id} and id = ${run})`);
    await world.later(120_000);
    await passTries();
    const row = await app.database.first(sql`
      select status, result, message from workflow_runs where org_id = ${app.organization.id} and id = ${run}`);
    expect(row).toMatchObject({
      result: 'FAILED',
      message: expect.stringContaining('Something failed inside Portolan; its log says what (internal_error)'),
    });
  });

  test('whose tries were all used up by processes that died', async () => {
    const run = await world.start(await world.workflow([form(), hook('call')]));
    await execute(sql`update jobs set attempt = 49 where org_id = ${app.organization.id}`);
    await app.app.jobs.drain();
    expect(receiver.received).toEqual([]);
    expect(await ended(run)).toMatchObject({
      result: 'FAILED',
      message:
        'Stopped: the step "call" could not go on. It was tried 49 times, and each try was cut off or failed (internal_error)',
    });
  });
});

test('an event that can start no run, or end no wait, holds up no other', async () => {
  const blueprint = await createBlueprint(app.request, 'watched');
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
  await world.workflow([step('refused', { type: 'EVENT_TRIGGER', event }), computes('one')]);
  const started = await world.workflow([step('begin', { type: 'EVENT_TRIGGER', event }), computes('one')]);
  const waitFor = (identifier: string) => world.workflow([form(), step(identifier, { type: 'WAIT_FOR_EVENT', event })]);
  const refused = await world.start(await waitFor('refused-event'));
  const waits = await world.start(await waitFor('event'));
  await app.app.jobs.drain();
  await createEntity(app.request, blueprint, { identifier: 'came' });
  await passTries();
  expect(await ended(waits)).toMatchObject({ result: 'SUCCESS' });
  expect((await ended(refused)).nodeRuns[0].output).toMatchObject({ error: { code: 'internal_error' } });
  const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${started}`)).body;
  expect(runs).toMatchObject([{ result: 'SUCCESS' }]);
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    { msg: 'an event starts no workflow, because it cannot be taken', target: expect.stringMatching(/refused$/) },
  ]);
});

describe('the sweep', () => {
  const sweep = async (): Promise<void> => {
    await execute(sql`
      update workflow_runs set updated_at = updated_at - interval '1 hour' where org_id = ${app.organization.id}`);
    await execute(sql`update job_schedules set next_run_at = ${app.clock.now()} where name = 'workflows.sweep'`);
    await app.app.jobs.drain();
  };
  const jobsAbout = (id: string) =>
    app.database.rows(sql`
      select name, attempt from jobs where org_id = ${app.organization.id} and input::text like ${`%${id}%`}`);

  test('sends on a run whose job was lost, and leaves one alone whose job is tried again', async () => {
    const lost = await world.start(await world.workflow([form(), hook('lost')]));
    await execute(sql`delete from jobs where org_id = ${app.organization.id}`);
    const tried = await world.start(await world.workflow([form(), hook('refused')]));
    const { nodeRuns } = await world.get(tried);
    await app.app.jobs.drain();
    const before = await jobsAbout(nodeRuns[0].identifier);
    expect(before).toMatchObject([{ name: 'workflows.dispatch-node', attempt: 1 }]);
    await sweep();
    expect(await ended(lost)).toMatchObject({ result: 'SUCCESS' });
    expect(await jobsAbout(nodeRuns[0].identifier)).toEqual(before);
    expect(lines.find(({ msg }) => msg.includes('stood still'))).toMatchObject({ runs: 1, first: lost });
    await passTries();
  });

  test('stops runs that no step waits for, once the tries to stop them are used up', async () => {
    const each = step('each', { type: 'MAP', items: [1, 2], body: body(approval()) });
    const run = await world.start(await world.workflow([form(), each]));
    await app.app.jobs.drain();
    await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    await execute(sql`
      delete from jobs where org_id = ${app.organization.id} and name = 'workflows.stop-children'`);
    const results = async () =>
      (await app.request('GET', `/v1/workflows/runs?parent=${run}`)).body.runs.map(
        ({ status, result }: { status: string; result: string }) => result ?? status,
      );
    await app.app.jobs.drain();
    expect(await results()).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
    await sweep();
    expect(await results()).toEqual(['CANCELLED', 'CANCELLED']);
    expect(lines).toMatchObject([{ msg: 'runs that no step waits for went on and are stopped' }]);
    lines = [];
    await sweep();
    expect(lines).toEqual([]);
  });

  test('leaves a child to its step until its turn has come', async () => {
    const each = step('each', { type: 'MAP', items: [1, 2], concurrency: 1, body: body(approval()) });
    const run = await world.start(await world.workflow([form(), each]));
    await app.app.jobs.drain();
    const open = async () =>
      (await app.request('GET', `/v1/workflows/runs?parent=${run}`)).body.runs.filter(
        ({ steps }: { steps: number }) => steps > 0,
      ).length;
    expect(await open()).toBe(1);
    await sweep();
    expect(await open()).toBe(1);
    expect(lines).toEqual([]);
  });
});
