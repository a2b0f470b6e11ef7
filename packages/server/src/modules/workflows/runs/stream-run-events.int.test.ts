import { createEventDecoder, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import { agentInstallation } from '@portolan/contract/workflow-node-runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint } from '../../../../test/catalog-fixtures.ts';
import {
  approval,
  approved,
  createWorkflowWorld,
  form,
  upsert,
  type WorkflowWorld,
} from '../../../../test/workflow-world.ts';

let app: TestApp;
let address: string;
let world: WorkflowWorld;
beforeAll(async () => {
  app = await createTestApp();
  address = await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  world = createWorkflowWorld(app);
});
afterAll(() => app.close());

interface Told extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly event: string;
}

async function follow(run: string, headers: Readonly<Record<string, string>> = {}, token = app.organization.token) {
  const leave = new AbortController();
  const answer = await fetch(`${address}/v1/workflows/runs/${run}/events`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: leave.signal,
  });
  const chunks = answer.body?.getReader();
  const decoder = createEventDecoder();
  const waiting: ServerSentEvent[] = [];
  const next = async () => {
    while (waiting.length === 0) {
      const part = await chunks?.read();
      if (!part || part.done) return undefined;
      waiting.push(...decoder.push(part.value));
    }
    const event = waiting.shift() as ServerSentEvent;
    const told: Told = { ...JSON.parse(event.data), id: event.id ?? '', event: event.event };
    return told;
  };
  return { status: answer.status, next, leave: () => leave.abort() };
}

async function toEnd(stream: Awaited<ReturnType<typeof follow>>) {
  const seen: Told[] = [];
  for (let event = await stream.next(); event; event = await stream.next()) seen.push(event);
  return seen;
}

async function waitingRun() {
  const blueprint = await createBlueprint(app.request, 'followed');
  const ada = await world.person('ada');
  const flow = await world.workflow(
    [form(), approval(1, { responders: { users: [ada] } }), upsert(blueprint)],
    approved(),
  );
  return { ...(await world.waiting(flow)), token: await app.organization.personToken(ada) };
}

describe('the stream of a run', () => {
  test('tells every event in order, live, and ends with the run', async () => {
    const { run, nodeRun, token } = await waitingRun();
    const stream = await follow(run);
    expect(await stream.next()).toMatchObject({ id: `${run}:0`, event: 'transition', kind: 'run.started' });
    expect(await stream.next()).toMatchObject({ id: `${run}:1`, kind: 'node.waits', nodeIdentifier: 'ask' });
    const rest = toEnd(stream);
    await world.respond(nodeRun, token);
    await app.app.jobs.drain();
    const seen = await rest;
    expect(seen.map((each) => each['sequence'] ?? each.event)).toEqual([2, 3, 4, 'end']);
    expect(seen.at(-1)).toMatchObject({ id: `${run}:4`, reason: 'run-ended' });
    expect(seen.at(-2)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
  });

  test('goes on after the last event that a reader has, and has nothing more to tell at the end', async () => {
    const { run, nodeRun, token } = await waitingRun();
    await world.respond(nodeRun, token);
    await app.app.jobs.drain();
    const resumed = await toEnd(await follow(run, { 'last-event-id': `${run}:2` }));
    expect(resumed.map((each) => each['sequence'] ?? each.event)).toEqual([3, 4, 'end']);
    expect((await follow(run, { 'last-event-id': `${run}:4` })).status).toBe(204);
  });

  test('has no gap where an executor acknowledged', async () => {
    const flow = await world.workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: 'http://agent.test', agent: true, synchronized: false } },
    ]);
    const run = await world.start(flow);
    await app.app.jobs.drain();
    const claim = await app.request('POST', '/v1/workflows/runs/claim-pending', {
      body: { installationId: agentInstallation, limit: 10 },
    });
    const nodeRunIdentifier = claim.body.nodeRuns.find(
      (each: { workflowRunIdentifier: string }) => each.workflowRunIdentifier === run,
    )?.identifier;
    expect(nodeRunIdentifier, JSON.stringify(claim.body)).toBeDefined();
    const acknowledged = await app.request('PATCH', '/v1/workflows/runs/ack', { body: { nodeRunIdentifier } });
    expect(acknowledged.status, JSON.stringify(acknowledged.body)).toBe(200);
    await world.foldsBack(run);
    await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    const seen = await toEnd(await follow(run));
    const numbers = seen.flatMap((each) => (each.event === 'transition' ? [each['sequence']] : []));
    expect(numbers).toEqual(numbers.map((_each, index) => index));
    expect(seen.map((each) => each['kind'])).toContain('node.acknowledged');
    await world.foldsBack(run);
  });

  test('is refused for an event of another run, for one that was not sent yet, and to strangers', async () => {
    const { run } = await waitingRun();
    expect((await follow(run, { 'last-event-id': 'wfr_other:1' })).status).toBe(422);
    expect((await follow(run, { 'last-event-id': `${run}:99` })).status).toBe(422);
    expect((await follow(run, { 'last-event-id': 'x' })).status).toBe(422);
    expect((await follow('wfr_nobody')).status).toBe(404);
    const token = await app.organization.personToken(await world.person('cy'));
    expect((await follow(run, {}, token)).status).toBe(404);
  });
});
