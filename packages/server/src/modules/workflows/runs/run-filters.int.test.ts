import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import {
  approval,
  approved,
  createWorkflowWorld,
  type Node,
  upsert,
  type WorkflowWorld,
} from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: WorkflowWorld;
beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
});
afterAll(() => app.close());

async function found(query: string): Promise<readonly string[]> {
  const answer = await app.request('GET', `/v1/workflows/runs?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.runs.map(({ identifier }: { identifier: string }) => identifier);
}

test('runs are found by entity, kind of trigger, who started them and what they wait for', async () => {
  const [service, other] = [await createBlueprint(app.request, 'service'), await createBlueprint(app.request, 'other')];
  const onEvent: Node = {
    identifier: 'event',
    config: { type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: service } },
  };
  const end: Node = { identifier: 'end', config: { type: 'STOP', result: 'SUCCESS' } };
  const byEvent = await world.workflow([onEvent, end]);
  const asking: Node = {
    identifier: 'form',
    config: {
      type: 'SELF_SERVE_TRIGGER',
      userInputs: {
        properties: {
          name: { type: 'string' },
          service: { type: 'string', format: 'entity', blueprint: service },
        },
      },
    },
  };
  const byForm = await world.workflow([asking, approval(), upsert(other)], approved());
  const [cart, shop] = [unique('cart'), unique('shop')];
  for (const identifier of [cart, shop]) {
    await app.request('POST', `/v1/blueprints/${service}/entities`, { body: { identifier } });
  }
  await app.app.jobs.drain();
  const [ofShop, ofCart] = await found(`workflow=${byEvent}`);
  const { run: ofForm, nodeRun } = await world.waiting(byForm, { name: 'a', service: cart });

  const mine = `workflow=${byForm}&`;
  expect(await found(`blueprint=${service}&entity=${cart}`)).toEqual([ofForm, ofCart]);
  expect(await found(`blueprint=${service}`)).toEqual([ofForm, ofShop, ofCart]);
  expect(await found(`blueprint=${other}&entity=${cart}`)).toEqual([]);
  expect(await found(`blueprint=${service}&trigger=EVENT_TRIGGER`)).toEqual([ofShop, ofCart]);
  expect(await found(`blueprint=${service}&trigger=SELF_SERVE_TRIGGER,SCHEDULE_TRIGGER`)).toEqual([ofForm]);
  expect(await found(`blueprint=${service}&started_by=system`)).toEqual([ofShop, ofCart]);
  expect(await found(`blueprint=${service}&started_by=machine,person`)).toEqual([ofForm]);
  expect(await found(`${mine}waiting=response`)).toEqual([ofForm]);
  expect(await found(`${mine}waiting=report,time`)).toEqual([]);
  expect((await world.get(ofForm)).entity).toEqual({ blueprint: service, identifier: cart });

  const token = await app.organization.personToken(await world.person('ada', 'Admin'));
  expect((await world.respond(nodeRun, token, 'no')).status).toBe(200);
  await app.app.jobs.drain();
  expect(await found(`${mine}waiting=response`)).toEqual([]);
  const again = await app.request('POST', `/v1/workflows/runs/${ofForm}/rerun`, { body: {} });
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect(await found(`rerun_of=${ofForm}`)).toEqual([again.body.run.identifier]);
});

test('among several entities of a form, a run is found by the one that its form is offered for', async () => {
  const service = await createBlueprint(app.request, 'service');
  const input = { type: 'string', format: 'entity', blueprint: service };
  const offered: Node = {
    identifier: 'form',
    config: {
      type: 'SELF_SERVE_TRIGGER',
      userInputs: { properties: { from: input, to: input } },
      contexts: [{ on: 'ENTITY', userInput: 'to' }],
    },
  };
  const [from, to] = [unique('from'), unique('to')];
  for (const identifier of [from, to]) {
    await app.request('POST', `/v1/blueprints/${service}/entities`, { body: { identifier } });
  }
  const flow = await world.workflow([offered, { identifier: 'end', config: { type: 'STOP', result: 'SUCCESS' } }]);
  const run = await world.start(flow, { from, to });
  await app.app.jobs.drain();
  expect(await found(`blueprint=${service}&entity=${to}`)).toEqual([run]);
  expect(await found(`blueprint=${service}&entity=${from}`)).toEqual([]);
});

test('every filter that cannot be read is told of', async () => {
  const answer = await app.request('GET', '/v1/workflows/runs?waiting=tea&trigger=WEBHOOK&started_by=nobody');
  expect(answer.status).toBe(422);
  expect(answer.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
    '{query}/started_by',
    '{query}/trigger',
    '{query}/waiting',
  ]);
});
