import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { TestApp } from './build-test-app.ts';
import { entityPath, unique } from './catalog-fixtures.ts';

export type Node = Readonly<Record<string, unknown>>;

export const form = (more: object = {}): Node => ({
  identifier: 'form',
  config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { name: { type: 'string' } } }, ...more },
});
export const upsert = (blueprint: string, identifier = 'entity'): Node => ({
  identifier,
  config: {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: blueprint,
    mapping: { identifier: '{{ .outputs.trigger.name }}' },
  },
});
export const approval = (numOfResponders = 1, more: object = {}): Node => ({
  identifier: 'ask',
  config: {
    type: 'INPUT',
    userInputs: {
      properties: { why: { type: 'string' } },
      buttons: [
        { identifier: 'yes', label: 'Yes' },
        { identifier: 'no', label: 'No' },
      ],
    },
    outlets: [
      { identifier: 'yes', title: 'Yes', evaluationMethod: 'button', numOfResponders },
      { identifier: 'no', title: 'No', evaluationMethod: 'button', numOfResponders: 1 },
    ],
    ...more,
  },
});
export const approved = (from = 'form', to = 'entity') => [
  { sourceIdentifier: from, targetIdentifier: 'ask' },
  { sourceIdentifier: 'ask', targetIdentifier: to, sourceOutletIdentifier: 'yes' },
];

export type WorkflowWorld = ReturnType<typeof createWorkflowWorld>;

/** What tests of runs ask of the application. */
export function createWorkflowWorld(app: TestApp) {
  /** Stores a workflow of these nodes, one after another where no connections are given, and answers its identifier. */
  async function workflow(nodes: readonly Node[], connections?: readonly object[], more: object = {}): Promise<string> {
    const identifier = unique('flow');
    const inRow = nodes.slice(1).map((node, index) => ({
      sourceIdentifier: nodes[index]?.['identifier'],
      targetIdentifier: node['identifier'],
    }));
    const body = { identifier, nodes, connections: connections ?? inRow, ...more };
    const created = await app.request('POST', '/v1/workflows', { body });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    return identifier;
  }

  async function start(flow: string, inputs: object = { name: unique('thing') }, options: object = {}) {
    const answer = await app.request('POST', `/v1/workflows/${flow}/runs`, { body: { inputs }, ...options });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.run.identifier as string;
  }

  async function get(run: string) {
    return (await app.request('GET', `/v1/workflows/runs/${run}`)).body.run;
  }

  async function person(name: string, role: 'Admin' | 'Member' = 'Member'): Promise<string> {
    const address = `${unique(name)}@example.com`;
    const made = await app.request('POST', '/v1/blueprints/_user/entities', {
      body: {
        identifier: address,
        title: name,
        properties: { status: 'Active', port_role: role, port_type: 'Standard' },
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return address;
  }

  async function waiting(flow: string, inputs?: object) {
    const run = await start(flow, inputs);
    await app.app.jobs.drain();
    const shown = await get(run);
    const asked = shown.nodeRuns.find(({ nodeConfigType }: { nodeConfigType: string }) => nodeConfigType === 'INPUT');
    expect(asked, JSON.stringify(shown)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'response' });
    return { run, nodeRun: asked.identifier as string };
  }

  const respond = (nodeRun: string, token: string, buttonIdentifier = 'yes', inputs: object = {}) =>
    app.request('POST', `/v1/workflows/nodes/runs/${nodeRun}/responses`, { token, body: { buttonIdentifier, inputs } });

  const entityStatus = async (blueprint: string, entity: string) =>
    (await app.request('GET', entityPath(blueprint, entity))).status;

  /** As if so much time had passed for all that waits; tokens of the tests would not live as long. */
  async function later(milliseconds: number): Promise<void> {
    const { id } = app.organization;
    await app.database.transaction(async (tx) => {
      await tx.execute(sql`
        update workflow_node_runs set due_at = due_at - ${milliseconds}::bigint * interval '1 millisecond' where org_id = ${id}`);
      await tx.execute(sql`
        update workflow_triggers set next_run_at = next_run_at - ${milliseconds}::bigint * interval '1 millisecond'
        where org_id = ${id}`);
    });
    for (let turn = 0; turn < 2; turn += 1) {
      app.clock.advance(1_000);
      await app.app.jobs.drain();
    }
  }

  /** What the events of a run say that its row must hold. */
  async function foldsBack(run: string): Promise<void> {
    const events = await app.database.rows<{ seq: number; data: Record<string, unknown> }>(sql`
      select seq, data from workflow_run_events where org_id = ${app.organization.id} and run_id = ${run} order by seq`);
    const row = await app.database.first<Record<string, unknown>>(sql`
      select r.rev, r.status, r.result, r.cancel, r.ends_as as "endsAs", r.steps, n.node, n.phase, n.result as "nodeResult", n.outlet
      from workflow_runs r left join workflow_node_runs n on n.org_id = r.org_id and n.id = r.at_node_run
      where r.org_id = ${app.organization.id} and r.id = ${run}`);
    const { rev, ...state } = row as { rev: number };
    const folded = { endsAs: null, node: null, phase: null, nodeResult: null, outlet: null, ...events.at(-1)?.data };
    expect(folded).toEqual(state);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: rev + 1 }, (_none, seq) => seq));
  }

  return { workflow, start, get, person, waiting, respond, entityStatus, later, foldsBack };
}
