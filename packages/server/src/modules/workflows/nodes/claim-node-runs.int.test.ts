import {
  agentInstallation,
  listNodeRuns as listOperation,
  offeredNodeRun,
} from '@portolan/contract/workflow-node-runs';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';
import type { Actor } from '../../../platform/actor.ts';
import { json } from '../../../platform/db/json.ts';
import { newId } from '../../../platform/ids.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import { advanceRun } from '../runs/advance-run.ts';
import { dispatchNode } from '../runs/dispatch-node.ts';
import { findNodeRun, listNodeRunsOfRun } from '../runs/node-run.store.ts';
import { nodeRunPorts } from '../runs/node-run-ports.ts';
import type { RunsDeps } from '../runs/runs.deps.ts';
import { acknowledgeNodeRun, claimNodeRuns, type NodeRunDeps } from './claim-node-runs.ts';
import { createNodeKinds } from './node-kinds.ts';
import { addNodeRunLogs, findNodeRuns, getNodeRunLogs, reportNodeRun } from './report-node-run.ts';

let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
let deps: NodeRunDeps;
let runsDeps: RunsDeps;
let machine: Actor;
beforeAll(async () => {
  app = await createTestApp();
  world = createNodeWorld(app);
  runsDeps = {
    ...world.deps,
    jobs: app.app.jobs,
    log: { warn: () => undefined, error: () => undefined },
    kinds: createNodeKinds({
      ...world.deps,
      checkStart: async (_actor, _workflow, _node, inputs) => ({ values: inputs, authors: [] }),
    }),
    checkStart: async (_actor, _workflow, _node, inputs) => ({ values: inputs, authors: [] }),
    checkRerun: async () => undefined,
    checkResponse: async (_actor, _node, _nodeRun, inputs) => ({ values: inputs, authors: [] }),
    keptDays: 1,
  };
  deps = { ...world.deps, ...nodeRunPorts(runsDeps) };
  machine = world.callOf({ type: 'STOP' }).actor;
});
afterAll(async () => {
  await world.close();
  await app.close();
});

const integration = (installationId: string, more: object = {}) => ({
  type: 'INTEGRATION_ACTION',
  installationId,
  integrationProvider: 'GITHUB',
  integrationInvocationType: 'dispatch_workflow',
  integrationActionExecutionProperties: { repo: '{{ .outputs.trigger.repo }}' },
  ...more,
});

/** A run that waits at its one step for a report. */
async function waiting(config: object, more: object = {}, inputs: object = { repo: 'cart' }) {
  const identifier = unique('flow');
  const definition = {
    identifier,
    nodes: [
      {
        identifier: 'form',
        config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { repo: { type: 'string' } } } },
      },
      { identifier: 'step', ...more, config },
    ],
    connections: [{ sourceIdentifier: 'form', targetIdentifier: 'step' }],
  };
  const created = await app.request('POST', '/v1/workflows', { body: definition });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  const orgId = app.organization.id;
  const workflow = await findCurrent(app.database, orgId, identifier);
  if (!workflow) throw new Error('no workflow');
  const runId = newId('wfr_');
  const now = app.clock.now();
  const deadline = new Date(now.getTime() + 90 * 86_400_000);
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into workflow_runs (org_id, id, workflow_key, workflow_identifier, version, status, rev, trigger_node, trigger,
        depth, root_id, steps, bytes, authority, text_authors, created_by, created_by_kind, deadline_at, created_at, updated_at)
      values (${orgId}, ${runId}, ${workflow.key}, ${identifier}, ${workflow.version}, 'IN_PROGRESS', 1, 'form',
        ${json(inputs)}, 0, ${runId}, 0, 0, ${json(workflow.authority)}, ${[]}, ${app.organization.clientId}, 'machine',
        ${deadline}, ${now}, ${now})`),
  );
  const { signal } = new AbortController();
  const go = () => advanceRun(runsDeps, { orgId, runId, signal, isLastTry: true });
  await go();
  const [nodeRun] = await listNodeRunsOfRun(app.database, orgId, runId);
  if (!nodeRun) throw new Error('no node run');
  await dispatchNode(runsDeps, { orgId, nodeRunId: nodeRun.id, signal, isLastTry: true });
  return { id: nodeRun.id, runId, uid: `${workflow.id}:step`, identifier, go };
}

const claim = (installationId: string, more: object = {}, actor: Actor = machine) =>
  claimNodeRuns(deps, actor, { installationId, limit: 10, visibilityTimeoutMs: 60_000, ...more });
const read = async (id: string) => {
  const nodeRun = await findNodeRun(app.database, app.organization.id, id);
  if (!nodeRun) throw new Error(`no node run ${id}`);
  return nodeRun;
};

describe('node runs are claimed', () => {
  test('each by one of ten who ask at once, as Ocean reads them, and again when a claim has ended', async () => {
    const installation = unique('gh');
    const all: Awaited<ReturnType<typeof waiting>>[] = [];
    for (let count = 0; count < 4; count += 1) all.push(await waiting(integration(installation)));
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(installation, { limit: 3 })));
    const taken = claims.flat();
    expect(taken.map(({ identifier }) => identifier).sort()).toEqual(all.map(({ id }) => id).sort());
    for (const nodeRun of taken) expect(() => offeredNodeRun.parse(nodeRun)).not.toThrow();
    expect(taken.find(({ identifier }) => identifier === all[0]?.id)).toMatchObject({
      nodeUid: all[0]?.uid,
      status: 'IN_PROGRESS',
      config: { ...integration(installation), integrationActionExecutionProperties: { repo: 'cart' } },
      output: {},
    });
    app.clock.advance(59_999);
    expect(await claim(installation)).toEqual([]);
    app.clock.advance(1);
    const uids = all.slice(1).map(({ uid }) => uid);
    expect((await claim(installation, { exclude: uids })).map(({ nodeUid }) => nodeUid)).toEqual([all[0]?.uid]);
    expect(await claim(installation, { limit: 1_000 })).toHaveLength(3);
  });

  test('and acknowledged by one of ten, who alone executes them', async () => {
    const installation = unique('gh');
    const { id } = await waiting(integration(installation));
    await claim(installation, { visibilityTimeoutMs: 1 });
    const acks = await Promise.allSettled(Array.from({ length: 10 }, () => acknowledgeNodeRun(deps, machine, id)));
    expect(acks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(acks.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code)).toEqual(
      Array(9).fill('run_acknowledged'),
    );
    app.clock.advance(600_000);
    expect(await claim(installation)).toEqual([]);
    expect((await read(id)).acknowledgedAt).not.toBeNull();
  });

  test('not by people, members, others than the installation they are bound to, or other organizations', async () => {
    const installation = unique('gh');
    const { id } = await waiting(integration(installation));
    const refused = { code: 'missing_permissions' };
    await expect(claim(installation, {}, { ...machine, kind: 'person' })).rejects.toMatchObject(refused);
    await expect(claim(installation, {}, { ...machine, roles: ['Member'] })).rejects.toMatchObject(refused);
    const bound = { ...machine, boundTo: unique('other') };
    await expect(claim(installation, {}, bound)).rejects.toMatchObject(refused);
    await expect(acknowledgeNodeRun(deps, bound, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reportNodeRun(deps, bound, id, { status: 'COMPLETED', result: 'SUCCESS' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const foreign = { ...machine, orgId: (await app.createOrganization()).id };
    expect(await claim(installation, {}, foreign)).toEqual([]);
    const unknown = await acknowledgeNodeRun(deps, foreign, 'wfnr_none').catch((error: Error) => error.message);
    const other = await acknowledgeNodeRun(deps, foreign, id).catch((error: Error) => error.message);
    expect(other).toBe((unknown as string).replace('wfnr_none', id));
    await expect(
      reportNodeRun(deps, { ...machine, kind: 'person', roles: ['Member'] }, id, {
        status: 'COMPLETED',
        result: 'SUCCESS',
      }),
    ).rejects.toMatchObject(refused);
    expect((await read(id)).phase).toBe('WAIT_REPORT');
  });

  test('with their secrets, which nothing stores, and the record says who was given which', async () => {
    const installation = unique('gh');
    const secretName = unique('token');
    await world.secret(secretName, 'canary-at-a-claim');
    const properties = { token: `{{ .secrets["${secretName}"] }}` };
    const { id, runId } = await waiting(
      integration(installation, { integrationActionExecutionProperties: properties }),
    );
    const without = { ...machine, scopes: ['execute:actions'] };
    expect(await claim(installation, { visibilityTimeoutMs: 1 }, without)).toEqual([]);
    app.clock.advance(1);
    const [claimed] = await claim(installation, {}, { ...without, boundTo: installation });
    expect(claimed?.config?.['integrationActionExecutionProperties']).toEqual({ token: 'canary-at-a-claim' });
    expect(JSON.stringify(await read(id))).not.toContain('canary');
    const { audits } = (await app.request('GET', '/v1/audit-log?limit=1000')).body;
    const record = audits.find((each: { message?: string }) => each.message?.includes(secretName));
    expect(JSON.stringify(record)).toContain(runId);
    expect(JSON.stringify(audits)).not.toContain('canary-at-a-claim');
  });

  test('without one that cannot be rendered any more: it fails, and the others of its page are given', async () => {
    const installation = unique('gh');
    const secretName = unique('repo');
    await world.secret(secretName, '{"repo":"cart"}');
    const properties = { repo: `{{ .secrets["${secretName}"] | fromjson | .repo }}` };
    const bad = await waiting(integration(installation, { integrationActionExecutionProperties: properties }));
    const good = await waiting(integration(installation));
    await app.request('PATCH', `/v1/organization/secrets/${secretName}`, { body: { secretValue: 'no-json-canary' } });
    expect((await claim(installation)).map(({ identifier }) => identifier)).toEqual([good.id]);
    expect(await read(bad.id)).toMatchObject({ phase: 'ENDED', result: 'FAILED' });
    expect(JSON.stringify(await read(bad.id))).not.toContain('canary');
  });

  test('by the agent with every field that it reads', async () => {
    const { id } = await waiting({
      type: 'WEBHOOK',
      url: 'http://inside.example/{{ .outputs.trigger.repo }}',
      agent: true,
    });
    const claimed = (await claim(agentInstallation)).find(({ identifier }) => identifier === id);
    expect(claimed?.config).toMatchObject({
      type: 'WEBHOOK',
      url: 'http://inside.example/cart',
      method: 'POST',
      headers: {},
      agent: true,
      synchronized: true,
    });
  });
});

describe('node runs are reported on', () => {
  test('as Ocean does: begun, found after a restart, logged and ended, with what it gave', async () => {
    const installation = unique('gh');
    const { id, runId, go } = await waiting(integration(installation), {
      variables: { url: '{{ .result.workflowRunUrl }}' },
      links: ['{{ .result.workflowRunUrl }}'],
    });
    const externalRunId = unique('gh_');
    const output = { workflowRunUrl: 'https://ci.example/1' };
    const links = ['https://ci.example/1', 'javascript:alert(1)'];
    await reportNodeRun(deps, machine, id, { status: 'IN_PROGRESS', externalRunId, output, links });
    const [found] = await findNodeRuns(deps, machine, externalRunId, true);
    expect(listOperation.answer.parse({ ok: true, nodeRuns: [found] })).toBeDefined();
    expect(found).toMatchObject({
      identifier: id,
      status: 'IN_PROGRESS',
      output,
      links: ['https://ci.example/1'],
      config: { type: 'INTEGRATION_ACTION', installationId: installation },
    });
    await addNodeRunLogs(deps, machine, id, [{ level: 'WARN', message: 'slow' }]);
    await reportNodeRun(deps, machine, id, { status: 'COMPLETED', result: 'SUCCESS', output: found?.output });
    expect(await read(id)).toMatchObject({
      phase: 'ENDED',
      result: 'SUCCESS',
      raw: output,
      output: { url: 'https://ci.example/1' },
    });
    // the same again is fine, another end is not, and logs may come late
    await reportNodeRun(deps, machine, id, { status: 'COMPLETED', result: 'SUCCESS', output });
    await expect(reportNodeRun(deps, machine, id, { status: 'COMPLETED', result: 'FAILED' })).rejects.toMatchObject({
      code: 'node_run_ended',
    });
    await addNodeRunLogs(deps, machine, id, [{ level: 'INFO', message: 'bye' }]);
    const lines = (await getNodeRunLogs(deps, machine, id)).map(({ level, message }) => `${level} ${message}`);
    expect(lines).toEqual(['WARN slow', 'INFO bye']);
    await go();
    const [only] = await listNodeRunsOfRun(app.database, app.organization.id, runId);
    expect(only?.id).toBe(id);
  });

  test('and what the executor repeats of its secrets is masked', async () => {
    const secretName = unique('token');
    await world.secret(secretName, 'canary-in-a-report');
    const properties = { token: `{{ .secrets["${secretName}"] }}` };
    const { id } = await waiting(integration(unique('gh'), { integrationActionExecutionProperties: properties }));
    const told = 'it was canary-in-a-report';
    const echo = { level: 'ERROR', message: told, tags: { told } } as const;
    await addNodeRunLogs(deps, machine, id, [echo]);
    await reportNodeRun(deps, machine, id, {
      status: 'COMPLETED',
      result: 'FAILED',
      output: { told },
      links: [`https://ci.example/${encodeURIComponent(told)}`],
      externalRunId: told,
      logs: [echo],
    });
    const stored = JSON.stringify([await read(id), await getNodeRunLogs(deps, machine, id)]);
    expect(stored).toContain('******');
    expect(stored).not.toContain('canary');
  });

  test('with more than is kept fails, and says that the step is done', async () => {
    const { id } = await waiting(integration(unique('gh')));
    const output = { big: 'x'.repeat(300_000) };
    await reportNodeRun(deps, machine, id, { status: 'COMPLETED', result: 'SUCCESS', output });
    expect(await read(id)).toMatchObject({ result: 'FAILED', message: expect.stringContaining('are kept') });
  });

  test('never for a form: only people answer it', async () => {
    const userInputs = { properties: {}, buttons: [{ identifier: 'yes', label: 'Yes' }] };
    const outlets = [{ identifier: 'yes', evaluationMethod: 'button', numOfResponders: 1 }];
    const { id } = await waiting({ type: 'INPUT', userInputs, outlets });
    await expect(reportNodeRun(deps, machine, id, { status: 'COMPLETED', result: 'SUCCESS' })).rejects.toMatchObject({
      code: 'node_run_ended',
    });
    expect((await read(id)).phase).toBe('WAIT_RESPONSE');
  });
});
