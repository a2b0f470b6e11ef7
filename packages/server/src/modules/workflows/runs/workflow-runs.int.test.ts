import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import {
  approval,
  approved,
  createWorkflowWorld,
  form,
  upsert,
  type WorkflowWorld,
} from '../../../../test/workflow-world.ts';

let app: TestApp;
let receiver: Receiver;
let workflow: WorkflowWorld['workflow'];
let start: WorkflowWorld['start'];
let get: WorkflowWorld['get'];
let person: WorkflowWorld['person'];
let waiting: WorkflowWorld['waiting'];
let respond: WorkflowWorld['respond'];
let entityStatus: WorkflowWorld['entityStatus'];
let later: WorkflowWorld['later'];
let foldsBack: WorkflowWorld['foldsBack'];
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  ({ workflow, start, get, person, waiting, respond, entityStatus, later, foldsBack } = createWorkflowWorld(app));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

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

  test('is started by eight statements: the version, its hold, pauses, run, job, record, and two around them', async () => {
    const flow = await workflow([form(), upsert(await createBlueprint(app.request, 'counted'))]);
    expect(await app.countStatements(() => start(flow))).toBe(8);
    await app.app.jobs.drain();
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
