import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { reportProof } from '../../../../test/report-proof.ts';
import { rounds } from '../../../../test/rounds.ts';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import type { NodeKinds } from '../nodes/node-kind.ts';
import { advanceRun } from './advance-run.ts';
import { cancelRun } from './cancel-run.ts';
import { carryStart } from './carry-start.ts';
import { commitStart, RunMoved } from './commit-transition.ts';
import { dispatchNode } from './dispatch-node.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { reportNode } from './report-node.ts';
import { respondToNode } from './respond-to-node.ts';
import { findWorkflowRun } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';

const scripts = rounds(4);
const stepsEach = 200;
/** As many replicas work at once. */
const workers = 4;
const runsEach = 5;

let app: TestApp;
let deps: RunsDeps;
let orgId: string;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
  const step = (identifier: string, config: object) => ({ identifier, config });
  const button = (identifier: string) => ({ identifier, label: identifier });
  const nodes = [
    step('form', { type: 'SELF_SERVE_TRIGGER' }),
    step('call', { type: 'WEBHOOK', url: 'http://example.com' }),
    step('ask', {
      type: 'INPUT',
      userInputs: { properties: {}, buttons: [button('yes'), button('no')] },
      outlets: [{ identifier: 'yes', title: 'Yes', evaluationMethod: 'button', numOfResponders: 2 }],
    }),
    step('entity', { type: 'UPSERT_ENTITY', blueprintIdentifier: 'x', mapping: {} }),
    step('pause', { type: 'DELAY', seconds: 1 }),
  ];
  const connections = [
    { sourceIdentifier: 'form', targetIdentifier: 'call' },
    { sourceIdentifier: 'call', targetIdentifier: 'ask' },
    { sourceIdentifier: 'ask', targetIdentifier: 'entity', sourceOutletIdentifier: 'yes' },
    { sourceIdentifier: 'entity', targetIdentifier: 'pause' },
  ];
  const made = await app.request('POST', '/v1/workflows', { body: { identifier: 'flow', nodes, connections } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  deps = {
    database: app.database,
    clock: app.clock,
    unitOfWork: app.app.unitOfWork,
    jobs: app.app.jobs,
    // no events begin these runs
    catalog: undefined as never,
    log: { warn: () => undefined, error: () => undefined },
    kinds: kinds(),
    checkStart: async () => ({ values: {}, authors: [] }),
    checkRerun: async () => undefined,
    checkResponse: async () => ({ values: {} }),
    keptDays: 1,
  };
});
afterAll(() => app.close());

let outcome = 0;
const later = () => new Date(app.clock.now().getTime() + 60_000);

/** Kinds that do what a step may do, without others: the effect is a record of the journal. */
function kinds(): NodeKinds {
  return {
    WEBHOOK: {
      effect: 'outside',
      send: async () => {
        outcome += 1;
        await new Promise((resolve) => setTimeout(resolve, outcome % 3));
        if (outcome % 3 === 0) return { kind: 'ended', result: 'SUCCESS', raw: {} };
        if (outcome % 3 === 1) return { kind: 'waits', for: 'report', dueAt: later() };
        return { kind: 'again', message: 'busy', notBefore: later() };
      },
    },
    INPUT: {
      effect: 'none',
      plan: async () => ({
        kind: 'waits',
        for: 'response',
        dueAt: later(),
        responders: { users: people, roles: [], teams: [], excluded: [] },
      }),
    },
    UPSERT_ENTITY: {
      effect: 'ours',
      carryOut: async (call, settle) => {
        await deps.unitOfWork(call.actor, async (work) => {
          work.record({
            event: 'test.effect',
            action: 'OTHER',
            resourceType: 'run',
            identifier: call.run.id,
            context: { test: 'effect' },
          });
          await settle(work, { kind: 'ended', result: 'SUCCESS', raw: {} });
        });
        return 'settled';
      },
    },
    DELAY: { effect: 'none', plan: async () => ({ kind: 'waits', for: 'time', dueAt: later() }) },
  };
}

const people = ['ada@example.com', 'bo@example.com', 'cy@example.com'];
const person = (id: string): Actor => ({ ...systemActor(orgId), kind: 'person', id, userId: id, roles: ['Member'] });
const signal = new AbortController().signal;

const command = fc.record({
  run: fc.nat(runsEach - 1),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constant('advance' as const) },
    { weight: 4, arbitrary: fc.constant('dispatch' as const) },
    { weight: 3, arbitrary: fc.constant('respond' as const) },
    { weight: 2, arbitrary: fc.constantFrom('progress' as const, 'report' as const) },
    { weight: 2, arbitrary: fc.constant('due' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cancel' as const, 'force' as const) },
  ),
  // cancellations would otherwise end every run early
  chance: fc.nat(9),
  who: fc.nat(people.length - 1),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut({ what, who, chance }: Command, runId: string): Promise<void> {
  const run = await findWorkflowRun(app.database, orgId, runId);
  const nodeRunId = run?.atNodeRun ?? 'wfnr_none';
  const admin = systemActor(orgId);
  switch (what) {
    case 'advance':
      return advanceRun(deps, { orgId, runId, signal, isLastTry: false });
    case 'dispatch':
      return dispatchNode(deps, { orgId, nodeRunId, signal, isLastTry: false });
    case 'respond': {
      const response = { button: chance === 0 ? 'no' : 'yes', inputs: {} };
      await respondToNode(deps, person(people[who] as string), nodeRunId, response);
      return;
    }
    case 'progress':
    case 'report':
      await reportNode(
        deps,
        admin,
        nodeRunId,
        what === 'report' ? { status: 'COMPLETED', result: 'SUCCESS' } : { output: {} },
      );
      return;
    case 'due':
      if (chance > 5) return;
      await app.database.transaction((tx) =>
        tx.execute(sql`update workflow_node_runs set due_at = null where org_id = ${orgId} and id = ${nodeRunId}`),
      );
      return;
    case 'cancel':
    case 'force':
      if (chance < 2) await cancelRun(deps, admin, runId, what === 'force');
  }
}

/** Whoever comes too late is told so; nothing else may go wrong. */
async function tried(each: Command, runId: string): Promise<void> {
  try {
    await carryOut(each, runId);
  } catch (error) {
    if (error instanceof RunMoved) return;
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}

test(
  'in every order of four workers the events of a run fold back to its row, and nothing happens twice or unasked',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: stepsEach, maxLength: stepsEach }), async (commands) => {
        const ids = await beginRuns();
        const lanes = Array.from({ length: workers }, (_none, lane) =>
          commands.filter((_each, index) => index % workers === lane),
        );
        await Promise.all(
          lanes.map(async (lane) => {
            for (const each of lane) await tried(each, ids[each.run] as string);
          }),
        );
        for (const id of ids) await expectSound(id);
      }),
      { numRuns: scripts, endOnFailure: true },
    );
    reportProof(`${scripts} series of ${stepsEach} stimuli in ${workers} lanes, ${scripts * runsEach} runs; no fault`);
  },
  Math.max(240_000, scripts * 3_000),
);

async function beginRuns(): Promise<string[]> {
  const workflow = await findCurrent(app.database, orgId, 'flow');
  if (!workflow) throw new Error('there is no workflow');
  return Promise.all(
    Array.from({ length: runsEach }, async (_none, index) => {
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
      const carried = index % 2 === 0 ? await carryStart(deps, actor, run, workflow) : undefined;
      await app.app.unitOfWork(actor, async (work) => {
        if (carried) await commitStart(deps, work, run, carried);
        else await storeNewRun(work, run);
      });
      return run.id;
    }),
  );
}

async function expectSound(id: string): Promise<void> {
  const found = await app.database.first<{
    row: Record<string, unknown> & { rev: number };
    last: Record<string, unknown>;
    seqs: number[];
    open: number;
    entities: number;
    effects: number;
    approvals: number;
    outlet: string | null;
  }>(sql`
    select jsonb_build_object('rev', r.rev, 'status', r.status, 'result', r.result, 'cancel', r.cancel, 'steps', r.steps,
        'node', n.node, 'phase', n.phase, 'nodeResult', n.result, 'outlet', n.outlet) as row,
      (select e.data from workflow_run_events e where e.org_id = r.org_id and e.run_id = r.id order by e.seq desc limit 1) as last,
      array(select e.seq from workflow_run_events e where e.org_id = r.org_id and e.run_id = r.id order by e.seq) as seqs,
      (select count(*)::int from workflow_node_runs o where o.org_id = r.org_id and o.run_id = r.id and o.phase <> 'ENDED') as open,
      (select count(*)::int from workflow_node_runs o
        where o.org_id = r.org_id and o.run_id = r.id and o.node = 'entity' and o.result = 'SUCCESS') as entities,
      (select count(*)::int from journal j where j.org_id = r.org_id and j.event = 'test.effect' and j.identifier = r.id) as effects,
      (select count(*)::int from workflow_node_runs o
        join workflow_responses p on p.org_id = o.org_id and p.node_run_id = o.id
        where o.org_id = r.org_id and o.run_id = r.id and p.button = 'yes') as approvals,
      (select o.outlet from workflow_node_runs o
        where o.org_id = r.org_id and o.run_id = r.id and o.node = 'ask') as outlet
    from workflow_runs r left join workflow_node_runs n on n.org_id = r.org_id and n.id = r.at_node_run
    where r.org_id = ${orgId} and r.id = ${id}`);
  if (!found) throw new Error('the run is gone');
  const { rev, ...row } = found.row;
  expect({ node: null, phase: null, nodeResult: null, outlet: null, ...found.last }).toEqual(row);
  expect(found.seqs).toEqual(Array.from({ length: rev + 1 }, (_none, seq) => seq));
  expect(found.open).toBeLessThanOrEqual(row['status'] === 'COMPLETED' ? 0 : 1);
  expect(found.effects).toBe(found.entities);
  expect(found.effects).toBeLessThanOrEqual(1);
  if (found.effects > 0) expect(found).toMatchObject({ outlet: 'yes', approvals: 2 });
}
