import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { createRandomWorkflows, type Definition, randomFrom } from '../../../../test/random-workflows.ts';
import { reportProof } from '../../../../test/report-proof.ts';
import { rounds } from '../../../../test/rounds.ts';
import { findRepeatable, judge, readFamily } from '../../../../test/workflow-oracle.ts';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import { mapKind } from '../nodes/kinds/map.ts';
import { parallelKind } from '../nodes/kinds/parallel.ts';
import { repeatKind } from '../nodes/kinds/repeat.ts';
import { runWorkflowKind } from '../nodes/kinds/run-workflow.ts';
import type { NodeKinds } from '../nodes/node-kind.ts';
import { advanceRun } from './advance-run.ts';
import { cancelRun } from './cancel-run.ts';
import { carryStart } from './carry-start.ts';
import { commitStart, RunMoved } from './commit-transition.ts';
import { dispatchNode } from './dispatch-node.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { repeatCompensations } from './repeat-compensations.ts';
import { reportNode } from './report-node.ts';
import { respondToNode } from './respond-to-node.ts';
import type { RunsDeps } from './runs.deps.ts';
import { stopOpenChildren } from './stop-run.ts';

/** How many runs, each with all those below it, are taken through an order of their own. */
const interleavings = rounds(60);
/** Runs of one random workflow at a time. */
const runsEach = 5;
/** As many replicas work at once. */
const workers = 3;
const turnsMax = 4_000;
const crashPart = 0.04;
const cancelPart = 0.08;
/** How often at most a family is asked to compensate again. */
const repeatsMax = 2;

let app: TestApp;
let orgId: string;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
});
afterAll(() => app.close());

/** A process that dies; its job is taken up by another. */
class Crash extends Error {}

/** What came to pass in all interleavings, for a report. */
const tally = { deaths: 0, written: 0, sent: 0, repeats: 0 };

interface Job {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

const signal = new AbortController().signal;
const person = (): Actor => ({
  ...systemActor(orgId),
  kind: 'person',
  id: 'ada@example.com',
  userId: 'ada@example.com',
  roles: ['Admin'],
});
const later = () => new Date(app.clock.now().getTime() + 60_000);

/** A world in which processes die at commits and calls, and jobs come in any order, some twice. */
function createWorld(random: () => number) {
  const queue: Job[] = [];
  const written = new Map<string, number>();
  const sent = new Map<string, number>();
  let isCalm = false;
  let busy = 0;
  let sleeping: (() => void)[] = [];
  const dies = () => {
    if (isCalm || random() >= crashPart) return;
    tally.deaths += 1;
    throw new Crash();
  };
  const push = ({ name, input }: Job) => {
    if (!queue.some((each) => each.name === name && JSON.stringify(each.input) === JSON.stringify(input))) {
      queue.push({ name, input });
    }
  };
  const unitOfWork: UnitOfWork = async (actor, body) => {
    dies();
    const value = await app.app.unitOfWork(actor, (work) =>
      body({
        ...work,
        enqueue: async ({ name }, input) => work.tx.afterCommit(() => push({ name, input: input as Job['input'] })),
      }),
    );
    dies();
    return value;
  };
  const jobs: RunsDeps['jobs'] = {
    enqueue: async (tx, _org, { name }, input) => tx.afterCommit(() => push({ name, input: input as Job['input'] })),
    enqueueAll: async (tx, { name }, inputs) =>
      tx.afterCommit(() => {
        for (const { input } of inputs) push({ name, input: input as Job['input'] });
      }),
  };
  const checkStart: RunsDeps['checkStart'] = async () => ({ values: {}, authors: [] });
  const childDeps = { database: app.database, catalog: undefined as never, checkStart };
  const kinds: NodeKinds = {
    MAP: mapKind(childDeps),
    PARALLEL: parallelKind(childDeps),
    REPEAT: repeatKind(childDeps),
    RUN_WORKFLOW: runWorkflowKind(childDeps),
    WEBHOOK: {
      effect: 'outside',
      send: async ({ nodeRun }) => {
        dies();
        sent.set(nodeRun.id, (sent.get(nodeRun.id) ?? 0) + 1);
        dies();
        const luck = random();
        if (luck < 0.55) return { kind: 'ended', result: 'SUCCESS', raw: {} };
        if (luck < 0.75) return { kind: 'waits', for: 'report', dueAt: later() };
        if (luck < 0.9) return { kind: 'again', message: 'busy', notBefore: later() };
        return { kind: 'ended', result: 'FAILED', message: 'refused' };
      },
    },
    UPSERT_ENTITY: {
      effect: 'ours',
      carryOut: async (call, settle) => {
        await unitOfWork(call.actor, async (work) => {
          work.tx.afterCommit(() => written.set(call.nodeRun.id, (written.get(call.nodeRun.id) ?? 0) + 1));
          await settle(work, { kind: 'ended', result: 'SUCCESS', raw: {} });
        });
        return 'settled';
      },
    },
    INPUT: {
      effect: 'none',
      plan: async () => ({
        kind: 'waits',
        for: 'response',
        dueAt: later(),
        responders: { users: ['ada@example.com'], roles: [], teams: [], excluded: [] },
      }),
    },
    DELAY: { effect: 'none', computes: true, plan: async () => ({ kind: 'waits', for: 'time', dueAt: later() }) },
    WAIT_FOR_EVENT: { effect: 'none', plan: async () => ({ kind: 'waits', for: 'report', dueAt: later() }) },
    STOP: {
      effect: 'none',
      computes: true,
      plan: async () => ({ kind: 'ended', result: 'SUCCESS', raw: {}, endsRun: 'FAILED' }),
    },
  };
  const deps: RunsDeps = {
    // no events begin these runs
    catalog: undefined as never,
    database: app.database,
    clock: app.clock,
    unitOfWork,
    jobs,
    log: { warn: () => undefined, error: () => undefined },
    kinds,
    checkStart,
    checkRerun: async () => undefined,
    checkResponse: async () => ({ values: {} }),
    keptDays: 1,
  };

  async function carryOut({ name, input }: Job): Promise<void> {
    const at = { orgId, signal, isLastTry: false };
    const { runId = '', nodeRunId = '' } = input;
    if (name === 'workflows.advance') return advanceRun(deps, { ...at, runId });
    if (name === 'workflows.dispatch-node') return dispatchNode(deps, { ...at, nodeRunId });
    if (name === 'workflows.stop-children') return stopOpenChildren(deps, { orgId, nodeRunId, signal });
    throw new Error(`nobody expected ${name}`);
  }

  return {
    queue,
    push,
    effects: { written, sent },
    deps,
    /** Whether processes die from now on. */
    setCalm: (calm: boolean) => {
      isCalm = calm;
    },
    isBusy: () => busy > 0,
    /** Until a job that is being carried out is over. */
    changed: () => new Promise<void>((resolve) => sleeping.push(resolve)),
    /** Takes a job up, and gives it back if whoever carries it out dies. */
    async work(): Promise<boolean> {
      const [job] = queue.splice(Math.floor(random() * queue.length), 1);
      if (!job) return false;
      const isGivenTwice = !isCalm && random() < 0.03;
      if (isGivenTwice) push(job);
      busy += 1;
      try {
        await carryOut(job);
      } catch (error) {
        if (
          !(error instanceof Crash || error instanceof RunMoved) &&
          !(error instanceof AppError && error.status < 500)
        ) {
          throw error;
        }
        push(job);
      } finally {
        busy -= 1;
        for (const wake of sleeping) wake();
        sleeping = [];
      }
      return true;
    },
  };
}

type World = ReturnType<typeof createWorld>;

interface Waiting {
  readonly id: string;
  readonly runId: string;
  readonly phase: string;
}

/** What people, programs and time do to a run that waits, and to any of the family's; false if nothing waits. */
async function disturb(world: World, random: () => number, rootId: string, mayCancel: boolean): Promise<boolean> {
  const { deps } = world;
  const waiting = await app.database.rows<Waiting>(sql`
    select n.id, n.run_id as "runId", n.phase from workflow_node_runs n
    join workflow_runs r on r.org_id = n.org_id and r.id = n.run_id
    where r.org_id = ${orgId} and r.root_id = ${rootId} and n.phase in ('WAIT_RESPONSE', 'WAIT_REPORT', 'WAIT_TIME', 'RETRY_AT')`);
  if (mayCancel && random() < cancelPart) {
    const runs = await app.database.rows<{ id: string }>(sql`
      select id from workflow_runs where org_id = ${orgId} and root_id = ${rootId} and status <> 'COMPLETED' order by id`);
    const run = runs[Math.floor(random() * runs.length)];
    if (run) await cancelRun(deps, systemActor(orgId), run.id, random() < 0.25);
    return run !== undefined;
  }
  const one = waiting[Math.floor(random() * waiting.length)];
  if (!one) return false;
  const isDue = one.phase === 'WAIT_TIME' || one.phase === 'RETRY_AT' || random() < 0.1;
  if (isDue) {
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update workflow_node_runs set due_at = null
        where org_id = ${orgId} and id = ${one.id} and due_at is not null and phase <> 'ENDED'`),
    );
    world.push({ name: 'workflows.advance', input: { runId: one.runId } });
  } else if (one.phase === 'WAIT_RESPONSE') {
    await respondToNode(deps, person(), one.id, { button: random() < 0.85 ? 'yes' : 'no', inputs: {} });
  } else {
    const isEnd = random() < 0.8;
    const result = random() < 0.85 ? ('SUCCESS' as const) : ('FAILED' as const);
    await reportNode(deps, systemActor(orgId), one.id, isEnd ? { status: 'COMPLETED', result } : { output: {} });
  }
  return true;
}

/** Whoever comes too late is told so, and a process may die; nothing else may go wrong. */
async function tolerating(done: Promise<boolean>): Promise<boolean> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Crash || error instanceof RunMoved) return true;
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return true;
  }
}

async function begin(world: World, random: () => number, identifier: string): Promise<string> {
  const workflow = await findCurrent(app.database, orgId, identifier);
  if (!workflow) throw new Error('there is no workflow');
  const run = newWorkflowRun(workflow, {
    triggerNode: 'form',
    trigger: {},
    now: app.clock.now(),
    createdBy: 'portolan',
    createdByKind: 'system',
    depth: 0,
    causedBy: null,
    textAuthors: [],
  });
  const actor = systemActor(orgId);
  const carried = random() < 0.5 ? await carryStart(world.deps, actor, run, workflow) : undefined;
  await app.app.unitOfWork(actor, async (given) => {
    const enqueue = async ({ name }: { name: string }, input: unknown) =>
      given.tx.afterCommit(() => world.push({ name, input: input as Job['input'] }));
    const work = { ...given, enqueue, beside: () => work } as Work;
    if (carried) await commitStart(world.deps, work, run, carried);
    else await storeNewRun(work, run);
  });
  return run.id;
}

async function take(seed: number, names: readonly string[], definitions: Readonly<Record<string, Definition>>) {
  const random = randomFrom(seed);
  const world = createWorld(random);
  const [first = ''] = names;
  const rootId = await begin(world, random, first);
  /** Brings the family to rest, and says what is wrong then. */
  const settle = async (mayCancel: boolean): Promise<string[]> => {
    world.setCalm(false);
    let turns = 0;
    const lane = async (): Promise<void> => {
      while (turns < turnsMax) {
        turns += 1;
        // most orders are over long before; what is left is brought to rest without deaths
        if (turns > turnsMax / 4) world.setCalm(true);
        if (random() < 0.75 && (await world.work())) continue;
        const mayStill = mayCancel && turns < turnsMax / 4;
        if (await tolerating(disturb(world, random, rootId, mayStill))) continue;
        if (world.queue.length > 0) continue;
        // asking again and again what waits would be most of what an order costs
        if (world.isBusy()) await world.changed();
        else if (world.queue.length === 0) return;
      }
    };
    await Promise.all(Array.from({ length: workers }, lane));
    world.setCalm(true);
    while (await world.work());
    const faults = judge(await readFamily(app.database, orgId, rootId), definitions, world.effects);
    return [...faults, ...(await findGaps(rootId))];
  };
  const faults = await settle(random() < 0.5);
  for (let repeats = 0; repeats < repeatsMax && faults.length === 0; repeats += 1) {
    const before = await readFamily(app.database, orgId, rootId);
    const runId = findRepeatable(before);
    if (runId === undefined) break;
    tally.repeats += 1;
    const isAcknowledged = await repeatCompensations(world.deps, systemActor(orgId), runId, undefined).then(
      () => true,
      (error: unknown) => {
        // nobody heard of it; whether it was stored shows in what follows
        if (error instanceof Crash) return false;
        throw error;
      },
    );
    faults.push(...(await settle(false)));
    const { runs, steps } = await readFamily(app.database, orgId, rootId);
    const after = new Map(runs.map((run) => [run.id, run.result]));
    const others = before.runs.filter(({ id, result }) => after.get(id) !== result);
    faults.push(...others.map(({ id, result }) => `${id} had ended as ${result} and ends as ${after.get(id)}`));
    const failed = before.steps.filter(
      ({ run, compensates, isGivenUp, result }) =>
        run === runId && compensates !== null && !isGivenUp && result !== 'SUCCESS',
    );
    const kept = failed.filter(({ id }) => !steps.some((step) => step.id === id && step.isGivenUp));
    if (isAcknowledged) faults.push(...kept.map(({ id }) => `${id} was to be carried out again, and was not`));
  }
  for (const count of world.effects.written.values()) tally.written += count;
  for (const count of world.effects.sent.values()) tally.sent += count;
  return faults;
}

async function findGaps(rootId: string): Promise<string[]> {
  const gaps = await app.database.rows<{ run: string }>(sql`
    select r.id as run from workflow_runs r where r.org_id = ${orgId} and r.root_id = ${rootId}
      and r.rev + 1 <> (select count(*) from workflow_run_events e where e.org_id = r.org_id and e.run_id = r.id)`);
  return gaps.map(({ run }) => `${run}: its events have gaps`);
}

/** What all interleavings together came to. */
async function reportAll(taken: number): Promise<void> {
  const { runs, steps, undone } = (await app.database.first<Record<'runs' | 'steps' | 'undone', number>>(sql`
    select (select count(*)::int from workflow_runs where org_id = ${orgId}) as runs, count(*)::int as steps,
      (count(*) filter (where compensates is not null))::int as undone
    from workflow_node_runs where org_id = ${orgId}`)) ?? { runs: 0, steps: 0, undone: 0 };
  reportProof(
    `${taken} interleavings: ${runs} runs with ${steps} steps, of which ${undone} undo others; ${tally.deaths} deaths, ` +
      `${tally.written} effects written, ${tally.sent} calls sent, ${tally.repeats} times asked to compensate again; no fault`,
  );
}

async function save(identifier: string, definition: Definition): Promise<void> {
  const made = await app.request('POST', '/v1/workflows', { body: { identifier, ...definition } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
}

test(
  'in every order of workers that die, runs inside runs do nothing unasked and nothing twice, and lose and leave nothing',
  async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 }), async (seed) => {
        const workflows = createRandomWorkflows(randomFrom(seed));
        const [outer, inner] = [unique('outer'), unique('inner')];
        const definitions = { [inner]: workflows.workflow(), [outer]: workflows.workflow(inner) };
        await save(inner, definitions[inner] as Definition);
        await save(outer, definitions[outer] as Definition);
        // side by side, each an order of its own
        const found = await Promise.all(
          Array.from({ length: runsEach }, (_none, index) => take(seed + index, [outer, inner], definitions)),
        );
        expect(found.flat(), JSON.stringify({ seed, definitions })).toEqual([]);
        taken += runsEach;
        if (taken % 500 < runsEach) await reportAll(taken);
      }),
      { numRuns: Math.ceil(interleavings / runsEach), endOnFailure: true },
    );
    await reportAll(taken);
  },
  Math.max(240_000, interleavings * 3_000),
);
