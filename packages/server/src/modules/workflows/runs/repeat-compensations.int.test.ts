import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { besideTransaction } from '../../../../test/beside-transaction.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { onlyOn } from '../../../../test/database.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { createWorkflowWorld, form, type Node, type WorkflowWorld } from '../../../../test/workflow-world.ts';
import { giveUpPlaces } from './compensations.store.ts';

let app: TestApp;
let world: WorkflowWorld;
let receiver: Receiver;
/** What the receiver answers, by the path of the call; all else succeeds. */
let statuses: Record<string, number>;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  world = createWorkflowWorld(app);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  statuses = {};
  receiver.answer = ({ path }) => ({ status: statuses[path] ?? 200, body: '{}' });
});
// what a test leaves undone would call the receiver in the next one
afterEach(() => app.app.jobs.drain());

const step = (identifier: string, config: object, more: object = {}): Node => ({ identifier, config, ...more });
const hook = (identifier: string, more: object = {}, body: unknown = {}) =>
  step(identifier, { type: 'WEBHOOK', url: `${receiver.url}/${identifier}`, body, retry: { attempts: 1 } }, more);
const stop = step('stop', { type: 'STOP', result: 'FAILED' });
const inRow = (nodes: readonly Node[]) =>
  nodes.slice(1).map((node, index) => ({
    sourceIdentifier: nodes[index]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));

/** Three steps in a row, each undone by one of its own, and a failure. */
const three = (trigger: object = {}, more: object = {}) => {
  const way = [form(trigger), ...['a', 'b', 'c'].map((name) => hook(name, { compensatedBy: `un${name}` })), stop];
  return world.workflow([...way, hook('una'), hook('unb'), hook('unc')], inRow(way), more);
};

interface Shown {
  readonly identifier: string;
  readonly message: string | null;
  readonly failedCompensations: readonly string[];
  readonly nodeRuns: readonly {
    readonly identifier: string;
    readonly node: { readonly identifier: string };
    readonly result: string;
    readonly repeated: boolean;
    readonly compensates: string | null;
  }[];
}

async function ended(name: string, inputs?: object, options: object = {}): Promise<Shown> {
  const run = await world.start(name, inputs, options);
  await app.app.jobs.drain();
  return world.get(run);
}

const ask = (run: string, body: object = {}, token?: string) =>
  app.request('POST', `/v1/workflows/runs/${run}/repeat-compensations`, {
    body,
    ...(token === undefined ? {} : { token }),
  });

async function repeated(run: string, body: object = {}): Promise<Shown> {
  const answer = await ask(run, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await app.app.jobs.drain();
  await world.foldsBack(run);
  return world.get(run);
}

const paths = () => receiver.received.map(({ path }) => path);
const keyAt = (path: string) =>
  receiver.received.filter((call) => call.path === path).map(({ headers }) => headers['idempotency-key']);
const wayBack = ({ nodeRuns }: Shown) =>
  nodeRuns
    .filter(({ compensates }) => compensates !== null)
    .map(({ node, result, repeated: isRepeated }) => `${node.identifier} ${result}${isRepeated ? ' repeated' : ''}`);
const recordsAbout = (run: string) =>
  app.database.rows<{ event: string; message: string | null }>(sql`
    select event, message from journal
    where org_id = ${app.organization.id} and resource_type = 'workflowRun' and identifier = ${run} order by key`);

describe('compensations that failed', () => {
  test('are carried out again alone, in their order, and the run ends as it had', async () => {
    statuses = { '/una': 400, '/unc': 503 };
    const failed = await ended(await three());
    expect(wayBack(failed)).toEqual(['unc FAILED', 'unb SUCCESS', 'una FAILED']);
    expect(failed.message).toContain('Not undone, because its compensation failed: "a", "c"');
    expect(failed.failedCompensations).toHaveLength(2);
    statuses = {};
    receiver.received.length = 0;
    const answer = await ask(failed.identifier);
    expect(answer.body.run).toMatchObject({ status: 'IN_PROGRESS', result: null, endsAs: 'FAILED' });
    expect(answer.body.run.failedCompensations).toEqual([]);
    await app.app.jobs.drain();
    const shown = await world.get(failed.identifier);
    expect(paths()).toEqual(['/unc', '/una']);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'FAILED', failedCompensations: [] });
    expect(shown.message ?? '').not.toContain('Not undone');
    expect(wayBack(shown)).toEqual([
      'unc FAILED repeated',
      'unb SUCCESS',
      'una FAILED repeated',
      'unc SUCCESS',
      'una SUCCESS',
    ]);
    await world.foldsBack(failed.identifier);
    const records = await recordsAbout(failed.identifier);
    expect(records.filter(({ event }) => event === 'workflow-run.compensations-repeated')).toMatchObject([
      { message: expect.stringContaining('"unc", "una"') },
    ]);
  });

  test('keep their key where the effect may have happened, and get another where it was refused', async () => {
    statuses = { '/una': 400, '/unc': 503 };
    const failed = await ended(await three());
    await repeated(failed.identifier);
    statuses = {};
    await repeated(failed.identifier);
    const [unclear, again, third] = keyAt('/unc');
    expect([again, third]).toEqual([unclear, unclear]);
    expect(new Set(keyAt('/una')).size).toBe(3);
  });

  test('are chosen one by one, and a repeated request does nothing', async () => {
    statuses = { '/una': 400, '/unc': 400 };
    const failed = await ended(await three());
    const [first, second] = failed.failedCompensations;
    statuses = { '/unc': 400 };
    const one = { nodeRunIdentifiers: [second] };
    const shown = await repeated(failed.identifier, one);
    expect(wayBack(shown).slice(3)).toEqual(['una SUCCESS']);
    expect(shown.failedCompensations).toEqual([first]);
    expect(shown.message).toContain('failed: "c"');
    const replayed = await ask(failed.identifier, one);
    expect([replayed.status, replayed.body.error]).toEqual([422, 'invalid_request']);
    expect(replayed.body.details).toMatchObject([{ path: '/nodeRunIdentifiers/0' }]);
    expect((await world.get(failed.identifier)).status).toBe('COMPLETED');
  });

  test('of a cancelled run are repeated as CANCELLING, and by force not at all', async () => {
    const way = [form(), hook('a', { compensatedBy: 'una' }), step('wait', { type: 'DELAY', seconds: 60 })];
    const name = await world.workflow([...way, hook('una')], inRow(way));
    statuses = { '/una': 400 };
    const run = await world.start(name);
    await app.app.jobs.drain();
    await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    await app.app.jobs.drain();
    expect(await world.get(run)).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED' });
    expect((await ask(run)).body.run).toMatchObject({ status: 'CANCELLING', endsAs: 'CANCELLED' });
    await app.app.jobs.drain();
    const shown = await world.get(run);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED' });
    expect(shown.failedCompensations).toHaveLength(1);
    expect((await ask(run)).status).toBe(200);
    const forced = await app.request('POST', `/v1/workflows/runs/${run}/cancel?force=true`);
    expect(forced.body.run).toMatchObject({ status: 'COMPLETED', result: 'FAILED', failedCompensations: [] });
    const refused = await ask(run);
    expect([refused.status, refused.body.error]).toEqual([409, 'nothing_to_compensate']);
  });

  test('inside a step are repeated where they failed, run by run', async () => {
    const body = [step('item', { type: 'ITEM_TRIGGER' }), hook('make', { compensatedBy: 'unmake' })];
    const unmake = step('unmake', {
      type: 'WEBHOOK',
      url: `${receiver.url}/unmake-{{ .outputs.trigger.item }}`,
      retry: { attempts: 1 },
    });
    const each = step('each', {
      type: 'MAP',
      items: ['x', 'y'],
      concurrency: 1,
      body: { nodes: [...body, unmake], connections: inRow(body) },
    });
    const way = [form(), hook('a', { compensatedBy: 'una' }), each, stop];
    statuses = { '/unmake-y': 400 };
    const failed = await ended(await world.workflow([...way, hook('una')], inRow(way)));
    expect(wayBack(failed)).toEqual(['each FAILED', 'una SUCCESS']);
    statuses = {};
    receiver.received.length = 0;
    const shown = await repeated(failed.identifier);
    expect(paths()).toEqual(['/unmake-y']);
    expect(wayBack(shown).at(-1)).toBe('each SUCCESS');
    const { runs } = (await app.request('GET', `/v1/workflows/runs?parent=${failed.identifier}`)).body;
    const undoing = runs.filter(({ endsAs }: { endsAs: string | null }) => endsAs === 'SUCCESS');
    expect(undoing.map(({ result }: { result: string }) => result).sort()).toEqual(['FAILED', 'SUCCESS', 'SUCCESS']);
    // a run that undoes a part is repeated by the whole
    const part = await ask(undoing.find(({ result }: { result: string }) => result === 'FAILED').identifier);
    expect([part.status, part.body.error]).toEqual([409, 'nothing_to_compensate']);
  });

  test('are left alone by what listens to ends of runs: a run has ended once', async () => {
    statuses = { '/una': 400 };
    const flow = await three();
    const follows = await world.workflow([
      step('ended', { type: 'RUN_TRIGGER', event: { type: 'WORKFLOW_RUN_ENDED', workflowIdentifier: flow } }),
      step('done', { type: 'TRANSFORM', expression: '1' }),
    ]);
    const failed = await ended(flow);
    await repeated(failed.identifier);
    expect((await app.request('GET', `/v1/workflows/runs?workflow=${follows}`)).body.runs).toHaveLength(1);
  });
});

describe('whoever repeats compensations', () => {
  test('may start the workflow: others who see the run are refused, and strangers find none', async () => {
    statuses = { '/una': 400 };
    const [ada, eve] = [await world.person('ada'), await world.person('eve')];
    const token = await app.organization.personToken(ada);
    const other = await app.organization.personToken(eve);
    const flow = await three({ permissions: { users: [ada] } });
    const { identifier } = await ended(flow, undefined, { token });
    const hidden = await ask(identifier, {}, other);
    const unknown = await ask('wfr_unknown', {}, other);
    expect([hidden.status, hidden.body.error]).toEqual([404, 'not_found']);
    expect(hidden.body.message.replace(identifier, 'wfr_unknown')).toBe(unknown.body.message);
    const open = await ended(await three({ permissions: { users: [ada] } }, { allowAnyoneToViewRuns: true }));
    const refused = await ask(open.identifier, {}, other);
    expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
    expect((await world.get(open.identifier)).status).toBe('COMPLETED');
    const foreign = await ask(identifier, { nodeRunIdentifiers: ['wfnr_unknown'] }, token);
    expect([foreign.status, foreign.body.error]).toEqual([422, 'invalid_request']);
    expect((await ask(identifier, {}, token)).status).toBe(200);
  });

  test('is exactly one where two ask at once, and is told of a run that has not ended or has nothing failed', async () => {
    statuses = { '/una': 400 };
    const { identifier } = await ended(await three());
    receiver.received.length = 0;
    const both = await Promise.all([ask(identifier), ask(identifier)]);
    const answers = both.map(({ status, body }) => (status === 200 ? 'repeated' : body.error));
    expect(answers.sort()).toEqual(['repeated', 'workflow_run_open']);
    await app.app.jobs.drain();
    expect(paths()).toEqual(['/una']);
    statuses = {};
    await repeated(identifier);
    const well = await ask(identifier);
    expect([well.status, well.body.error, well.body.message]).toEqual([
      409,
      'nothing_to_compensate',
      `Nothing that the run "${identifier}" had to undo failed`,
    ]);
    expect((await ask(identifier, { nodeRunIdentifiers: [] })).status).toBe(422);
    const gone = unique('wfr');
    expect((await ask(gone)).status).toBe(404);
  });
});

onlyOn('postgres', 'two transactions are open at once', () => {
  test('are not refused as repeated before to whoever names them while the run goes back', async () => {
    statuses = { '/una': 400 };
    const { identifier, failedCompensations } = await ended(await three());
    const late = await besideTransaction(
      app.database,
      {
        begin: (tx) => tx.execute(sql`lock table workflow_node_runs in access exclusive mode /* all organizations */`),
        end: async (tx) => {
          await tx.execute(sql`
            update workflow_runs set rev = rev + 1, status = 'IN_PROGRESS', completed_at = null
            where org_id = ${app.organization.id} and id = ${identifier}`);
          await giveUpPlaces(tx, app.organization.id, identifier, failedCompensations);
        },
      },
      () => ask(identifier, { nodeRunIdentifiers: failedCompensations }),
    );
    expect([late.status, late.body.error]).toEqual([409, 'workflow_run_open']);
  });
});
