import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, entityPath, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

type Node = Readonly<Record<string, unknown>>;

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

const form = (more: object = {}): Node => ({
  identifier: 'form',
  config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { name: { type: 'string' } } }, ...more },
});
const upsert = (blueprint: string, identifier = 'entity'): Node => ({
  identifier,
  config: {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: blueprint,
    mapping: { identifier: '{{ .outputs.trigger.name }}' },
  },
});
const approval = (numOfResponders = 1, more: object = {}): Node => ({
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
const approved = (from = 'form', to = 'entity') => [
  { sourceIdentifier: from, targetIdentifier: 'ask' },
  { sourceIdentifier: 'ask', targetIdentifier: to, sourceOutletIdentifier: 'yes' },
];

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
    select r.rev, r.status, r.result, r.cancel, r.steps, n.node, n.phase, n.result as "nodeResult", n.outlet
    from workflow_runs r left join workflow_node_runs n on n.org_id = r.org_id and n.id = r.at_node_run
    where r.org_id = ${app.organization.id} and r.id = ${run}`);
  const { rev, ...state } = row as { rev: number };
  const folded = { node: null, phase: null, nodeResult: null, outlet: null, ...events.at(-1)?.data };
  expect(folded).toEqual(state);
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: rev + 1 }, (_none, seq) => seq));
}

describe('a run', () => {
  test('goes through a call, a condition and an entity to its end', async () => {
    const blueprint = await createBlueprint(app.request, 'made');
    receiver.answer = () => ({ status: 200, body: '{"env":"production"}' });
    const flow = await workflow(
      [
        form(),
        {
          identifier: 'call',
          config: { type: 'WEBHOOK', url: `${receiver.url}/env`, body: { n: '{{ .outputs.trigger.name }}' } },
        },
        {
          identifier: 'check',
          config: {
            type: 'CONDITION',
            outlets: [
              {
                identifier: 'prod',
                title: 'Production',
                expression: '.outputs.call.response.data.env == "production"',
              },
            ],
          },
        },
        upsert(blueprint),
      ],
      [
        { sourceIdentifier: 'form', targetIdentifier: 'call' },
        { sourceIdentifier: 'call', targetIdentifier: 'check' },
        { sourceIdentifier: 'check', targetIdentifier: 'entity', sourceOutletIdentifier: 'prod' },
      ],
    );
    const name = unique('thing');
    const run = await start(flow, { name });
    await app.app.jobs.drain();
    const shown = await get(run);
    expect(shown, JSON.stringify(shown.nodeRuns)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS', steps: 3 });
    expect(
      shown.nodeRuns.map(({ node, result }: never) => [(node as { identifier: string }).identifier, result]),
    ).toEqual([
      ['call', 'SUCCESS'],
      ['check', 'SUCCESS'],
      ['entity', 'SUCCESS'],
    ]);
    expect(await entityStatus(blueprint, name)).toBe(200);
    const journal = await app.organization.journal();
    expect(journal).toContain(`workflow-run.created ${run}`);
    await foldsBack(run);
  });

  test('is started once by one Idempotency-Key, and refused with other inputs', async () => {
    const blueprint = await createBlueprint(app.request, 'once');
    const flow = await workflow([form(), upsert(blueprint)]);
    const headers = { 'idempotency-key': unique('key') };
    const first = await start(flow, { name: 'a' }, { headers });
    expect(await start(flow, { name: 'a' }, { headers })).toBe(first);
    const other = await app.request('POST', `/v1/workflows/${flow}/runs`, { body: { inputs: { name: 'b' } }, headers });
    expect(other).toMatchObject({ status: 409, body: { error: 'idempotency_key_reused' } });
    const listed = await app.request('GET', `/v1/workflows/runs?workflow=${flow}`);
    expect(listed.body.runs.map(({ identifier }: { identifier: string }) => identifier)).toEqual([first]);
  });

  test('lists page by page without a gap, and refuses a cursor that is none', async () => {
    const flow = await workflow([form(), upsert(await createBlueprint(app.request, 'paged'))]);
    const started: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) started.push(await start(flow));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await app.request('GET', `/v1/workflows/runs?workflow=${flow}&limit=2${cursor}`);
      seen.push(...page.body.runs.map(({ identifier }: { identifier: string }) => identifier));
      cursor = page.body.nextCursor ? `&cursor=${page.body.nextCursor}` : '';
    } while (cursor);
    expect(seen).toEqual([...started].reverse());
    expect((await app.request('GET', '/v1/workflows/runs?cursor=nonsense')).status).toBe(422);
    await app.app.jobs.drain();
  });

  test('waits for time and goes on when it has passed, with no job meanwhile', async () => {
    const blueprint = await createBlueprint(app.request, 'later');
    const flow = await workflow([
      form(),
      { identifier: 'wait', config: { type: 'DELAY', seconds: 3600 } },
      upsert(blueprint),
    ]);
    const run = await start(flow);
    await app.app.jobs.drain();
    expect(await get(run)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'time', currentNode: 'wait' });
    const jobs = await app.database.rows(
      sql`select name from jobs where org_id = ${app.organization.id} and state <> 'dead'`,
    );
    expect(jobs).toEqual([]);
    await later(3_600_000);
    expect(await get(run)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
    await foldsBack(run);
  });

  test('tries a call again under the same key, and fails with the reason in the end', async () => {
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 503, body: '{"sorry":true}' });
    const flow = await workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/no` } },
    ]);
    const run = await start(flow);
    for (let turn = 0; turn < 8; turn += 1) {
      await later(400_000);
    }
    expect(await get(run)).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    const keys = new Set(receiver.received.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect(receiver.received).toHaveLength(4);
    receiver.answer = () => ({ status: 200 });
    await foldsBack(run);
  });
});

describe('a form in a run', () => {
  test('lets nothing behind it happen before enough people have pressed its button', async () => {
    const blueprint = await createBlueprint(app.request, 'guarded');
    const [ada, bo] = [await person('ada'), await person('bo')];
    const tokens = [await app.organization.personToken(ada), await app.organization.personToken(bo)] as const;
    const flow = await workflow(
      [form(), approval(2, { responders: { users: [ada, bo] } }), upsert(blueprint)],
      approved(),
    );
    const name = unique('thing');
    const { run, nodeRun } = await waiting(flow, { name });
    const stranger = await app.organization.personToken(await person('eve'));
    expect((await respond(nodeRun, stranger)).status).toBe(404);
    expect((await respond(nodeRun, app.organization.token)).status).toBe(403);
    expect((await respond(nodeRun, tokens[0])).status).toBe(200);
    expect(await respond(nodeRun, tokens[0])).toMatchObject({ status: 409, body: { error: 'already_responded' } });
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(404);
    expect((await respond(nodeRun, tokens[1], 'maybe')).status).toBe(422);
    expect((await respond(nodeRun, tokens[1], 'yes', { why: 'it is fine' })).status).toBe(200);
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(200);
    const shown = await get(run);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
    expect(shown.variables.outputs.ask).toMatchObject({
      selectedOutlet: { identifier: 'yes' },
      responses: [
        { submitterInfo: { submittedBy: ada } },
        { inputs: { why: 'it is fine' }, submitterInfo: { submittedBy: bo } },
      ],
    });
    await foldsBack(run);
  });

  test('is carried by both people who press at the same moment', async () => {
    const blueprint = await createBlueprint(app.request, 'both');
    const people = [await person('ada'), await person('bo')];
    const flow = await workflow(
      [form(), approval(2, { responders: { users: people } }), upsert(blueprint)],
      approved(),
    );
    const name = unique('thing');
    const { nodeRun } = await waiting(flow, { name });
    const tokens = await Promise.all(people.map((each) => app.organization.personToken(each)));
    const answers = await Promise.all([...tokens, ...tokens].map((token) => respond(nodeRun, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(200);
  });

  test('fails once no button can reach its number, and nothing behind it happens', async () => {
    const blueprint = await createBlueprint(app.request, 'split');
    const people = [await person('ada'), await person('bo')];
    const outlets = ['yes', 'no'].map((identifier) => ({ identifier, title: identifier, numOfResponders: 2 }));
    const flow = await workflow(
      [form(), approval(2, { outlets, responders: { users: people } }), upsert(blueprint)],
      approved(),
    );
    const name = unique('thing');
    const { run, nodeRun } = await waiting(flow, { name });
    for (const [index, button] of ['yes', 'no'].entries()) {
      const token = await app.organization.personToken(people[index] as string);
      expect((await respond(nodeRun, token, button)).status).toBe(200);
    }
    await app.app.jobs.drain();
    const shown = await get(run);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    expect(shown.nodeRuns.at(-1).message).toMatch(/no button can reach its number/i);
    expect(await entityStatus(blueprint, name)).toBe(404);
  });

  test('expires: it fails, or goes the way that its author named', async () => {
    const blueprint = await createBlueprint(app.request, 'expired');
    const plain = await workflow([form(), approval(), upsert(blueprint)], approved());
    const named = await workflow(
      [form(), approval(1, { onExpire: { outletIdentifier: 'no' } }), upsert(blueprint)],
      approved(),
    );
    const name = unique('thing');
    const runs = [(await waiting(plain, { name })).run, (await waiting(named, { name })).run];
    await later(31 * 86_400_000);
    expect(await get(runs[0] as string)).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    expect(await get(runs[1] as string)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
    expect(await entityStatus(blueprint, name)).toBe(404);
  });
});

describe('cancelling', () => {
  test('ends a wait at once, and what comes later changes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'stopped');
    const ada = await person('ada');
    const token = await app.organization.personToken(ada);
    const flow = await workflow([form(), approval(1, { responders: { users: [ada] } }), upsert(blueprint)], approved());
    const name = unique('thing');
    const { run, nodeRun } = await waiting(flow, { name });
    const refused = await app.request('POST', `/v1/workflows/runs/${run}/cancel`, { token });
    expect(refused.status).toBe(403);
    const cancelled = await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    expect(cancelled.body.run).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED' });
    expect(await respond(nodeRun, token)).toMatchObject({ status: 409, body: { error: 'node_run_ended' } });
    const again = await app.request('POST', `/v1/workflows/runs/${run}/cancel?force=true`);
    expect(again).toMatchObject({ status: 409, body: { error: 'workflow_run_ended' } });
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(404);
    await foldsBack(run);
  });

  test('by force fails the open step, and a report on it is refused', async () => {
    const flow = await workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/later`, synchronized: false } },
    ]);
    const run = await start(flow);
    await app.app.jobs.drain();
    const open = await get(run);
    expect(open, JSON.stringify(open.nodeRuns)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'report' });
    const forced = await app.request('POST', `/v1/workflows/runs/${run}/cancel?force=true`);
    expect(forced.body.run).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    const nodeRun = open.nodeRuns[0].identifier;
    const late = await app.request('PATCH', `/v1/workflows/nodes/runs/${nodeRun}`, {
      body: { status: 'COMPLETED', result: 'SUCCESS' },
    });
    expect(late).toMatchObject({ status: 409, body: { error: 'node_run_ended' } });
    await foldsBack(run);
  });
});

describe('a report', () => {
  test('ends a step that waits for it, and is accepted again if it says the same', async () => {
    const blueprint = await createBlueprint(app.request, 'reported');
    const flow = await workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/async`, synchronized: false } },
      upsert(blueprint),
    ]);
    const name = unique('thing');
    const run = await start(flow, { name });
    await app.app.jobs.drain();
    const nodeRun = (await get(run)).nodeRuns[0].identifier;
    const report = (body: object) => app.request('PATCH', `/v1/workflows/nodes/runs/${nodeRun}`, { body });
    expect((await report({ status: 'IN_PROGRESS', externalRunId: 'x-1', output: { at: 'half' } })).status).toBe(200);
    const end = { status: 'COMPLETED', result: 'SUCCESS', output: { at: 'end' } };
    expect((await report(end)).status).toBe(200);
    expect((await report(end)).status).toBe(200);
    expect((await report({ ...end, result: 'FAILED' })).status).toBe(409);
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(200);
    expect((await get(run)).variables.outputs.call).toEqual({ at: 'end' });
    await foldsBack(run);
  });
});

describe('triggers', () => {
  test('an event starts one run of each workflow that listens and whose condition holds', async () => {
    const [source, mirror] = [
      await createBlueprint(app.request, 'source'),
      await createBlueprint(app.request, 'mirror'),
    ];
    const listening = (expressions: string[]): Node => ({
      identifier: 'event',
      config: {
        type: 'EVENT_TRIGGER',
        event: { type: 'ENTITY_CREATED', blueprintIdentifier: source },
        condition: { type: 'JQ', expressions, combinator: 'and' },
      },
    });
    const copy: Node = {
      identifier: 'copy',
      config: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: mirror,
        mapping: { identifier: '{{ .outputs.trigger.context.entityIdentifier }}' },
      },
    };
    const all = await workflow([listening([]), copy]);
    const some = await workflow([listening(['.context.entityIdentifier | endswith("7")']), copy]);
    for (const identifier of ['a7', 'b8']) {
      await app.request('POST', `/v1/blueprints/${source}/entities`, { body: { identifier } });
    }
    await app.app.jobs.drain();
    const count = async (flow: string) =>
      (await app.request('GET', `/v1/workflows/runs?workflow=${flow}&result=SUCCESS`)).body.runs.length;
    expect([await count(all), await count(some)]).toEqual([2, 1]);
    expect([await entityStatus(mirror, 'a7'), await entityStatus(mirror, 'b8')]).toEqual([200, 200]);
  });

  test('a workflow whose entity starts it again is stopped after a chain of runs', async () => {
    const blueprint = await createBlueprint(app.request, 'loop');
    const flow = await workflow([
      {
        identifier: 'event',
        config: { type: 'EVENT_TRIGGER', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint } },
      },
      {
        identifier: 'again',
        config: {
          type: 'UPSERT_ENTITY',
          blueprintIdentifier: blueprint,
          mapping: {
            title: '{{ .workflowRun.identifier }}',
            identifier: '{{ .outputs.trigger.context.entityIdentifier }}',
          },
        },
      },
    ]);
    await app.request('POST', `/v1/blueprints/${blueprint}/entities`, { body: { identifier: 'a' } });
    await app.app.jobs.drain();
    const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body;
    expect(runs).toHaveLength(21);
    expect(runs[0]).toMatchObject({ result: 'FAILED', message: expect.stringContaining('looks like a loop') });
  });

  test('a workflow and an automation that start each other are stopped too', async () => {
    const [one, other] = [await createBlueprint(app.request, 'there'), await createBlueprint(app.request, 'back')];
    const write = (blueprint: string, run: string, event: string) => ({
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: `{{ ${event}.context.entityIdentifier }}`, title: `{{ ${run} }}` },
    });
    const listening = (blueprint: string) => ({ type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint });
    const flow = await workflow([
      { identifier: 'event', config: { type: 'EVENT_TRIGGER', event: listening(one) } },
      { identifier: 'write', config: write(other, '.workflowRun.identifier', '.outputs.trigger') },
    ]);
    const body = {
      identifier: unique('back'),
      trigger: { type: 'automation', event: listening(other) },
      invocationMethod: write(one, '.event.diff.after.title', '.event'),
    };
    const automation = await app.request('POST', '/v1/actions', { body });
    expect(automation.status, JSON.stringify(automation.body)).toBe(201);
    await app.request('POST', `/v1/blueprints/${one}/entities`, { body: { identifier: 'a' } });
    for (let turn = 0; turn < 50; turn += 1) {
      app.clock.advance(10);
      await app.app.jobs.drain();
    }
    const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body;
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.length).toBeLessThanOrEqual(11);
  });

  test('a schedule starts one run for each tick, and one for all that were missed', async () => {
    const blueprint = await createBlueprint(app.request, 'ticked');
    const flow = await workflow([
      { identifier: 'tick', config: { type: 'SCHEDULE_TRIGGER', cron: '0 * * * *' } },
      {
        identifier: 'entity',
        config: { type: 'UPSERT_ENTITY', blueprintIdentifier: blueprint, mapping: { identifier: 'ticked' } },
      },
    ]);
    const runs = async () => (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs;
    await app.app.jobs.drain();
    expect(await runs()).toEqual([]);
    await later(3_600_000);
    expect(await runs()).toHaveLength(1);
    await later(5 * 3_600_000);
    const all = await runs();
    expect(all).toHaveLength(2);
    expect((await get(all[0].identifier)).variables.outputs.trigger).toMatchObject({ missed: expect.any(Number) });
    await app.request('DELETE', `/v1/workflows/${flow}`);
  });
});
