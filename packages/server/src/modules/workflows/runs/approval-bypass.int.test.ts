import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { rounds } from '../../../../test/rounds.ts';
import { approval, createWorkflowWorld, form, type Node } from '../../../../test/workflow-world.ts';

const graphs = rounds(6);

let app: TestApp;
let actions: ActionWorld;
let world: ReturnType<typeof createWorkflowWorld>;
/** Where effects leave their mark, and what starts runs by an event. */
let marks: string;
let source: string;
/** An action that runs only once it is approved. */
let guarded: string;

beforeAll(async () => {
  app = await createTestApp();
  actions = await createActionWorld(app);
  world = createWorkflowWorld(app);
  marks = await createBlueprint(app.request, 'marks', { properties: {} });
  source = await createBlueprint(app.request, 'source', { properties: {} });
  const inputs = { properties: { n: { type: 'string' } } };
  guarded = await actions.action(actions.hook({ body: '{{ .inputs }}' }), { requiredApproval: true }, inputs);
});
afterAll(async () => {
  await app.close();
  await actions.receiver.close();
});

type Block =
  | 'effect'
  | 'gate'
  | 'compute'
  | 'choice'
  | 'child'
  | 'guarded-child'
  | 'items'
  | 'guarded-items'
  | 'action';
const block = fc.constantFrom<Block>(
  'effect',
  'effect',
  'gate',
  'gate',
  'compute',
  'choice',
  'child',
  'guarded-child',
  'items',
  'guarded-items',
  'action',
);
const gate = fc.constantFrom<Block>('gate', 'gate', 'guarded-child', 'guarded-items', 'action');
/** Each graph has an effect behind an approval, and anything before and between them. */
const graph = fc
  .tuple(fc.array(block, { maxLength: 3 }), gate, fc.array(block, { maxLength: 1 }))
  .map(([before, asked, between]): Block[] => [...before, asked, ...between, 'effect']);
const gates = new Set<Block>(['gate', 'guarded-child', 'guarded-items', 'action']);
const effects = new Set<Block>(['effect', 'child', 'guarded-child', 'items', 'guarded-items', 'action']);

const nameOf = '(.outputs.trigger.name // .outputs.trigger.diff.after.identifier)';
const upsert = (identifier: string, name: string): Node => ({
  identifier,
  config: { type: 'UPSERT_ENTITY', blueprintIdentifier: marks, mapping: { identifier: `{{ ${name} }}` } },
});
const inRow = (nodes: readonly Node[]) =>
  nodes.slice(1).map((node, at) => {
    const from = nodes[at] as Node & { config: { type: string } };
    const outlet = { INPUT: 'yes', CONDITION: 'on' }[from.config.type];
    return {
      sourceIdentifier: from['identifier'],
      targetIdentifier: node['identifier'],
      ...(outlet ? { sourceOutletIdentifier: outlet } : {}),
    };
  });

/** A workflow of these blocks in a row, and whether each of them leaves a mark only after an approval. */
async function build(blocks: readonly Block[]) {
  const nodes: Node[] = [];
  const guardedMarks: string[] = [];
  const freeMarks: string[] = [];
  let isBehind = false;
  for (const [at, kind] of blocks.entries()) {
    const id = `s${at}`;
    const mark = `${nameOf} + "-${id}"`;
    if (kind === 'effect') nodes.push(upsert(id, mark));
    if (kind === 'gate') nodes.push({ ...approval(), identifier: id });
    if (kind === 'compute') nodes.push({ identifier: id, config: { type: 'TRANSFORM', expression: '1' } });
    if (kind === 'choice') {
      const outlets = [{ identifier: 'on', title: 'On', expression: 'true' }];
      nodes.push({ identifier: id, config: { type: 'CONDITION', outlets } });
    }
    if (kind === 'child' || kind === 'guarded-child') {
      const inside = [form(), ...(kind === 'child' ? [] : [approval()]), upsert('entity', '.outputs.trigger.name')];
      const workflowIdentifier = await world.workflow(inside, inRow(inside));
      nodes.push({
        identifier: id,
        config: { type: 'RUN_WORKFLOW', workflowIdentifier, inputs: { name: `{{ ${mark} }}` } },
      });
    }
    if (kind === 'items' || kind === 'guarded-items') {
      const item: Node = { identifier: 'item', config: { type: 'ITEM_TRIGGER' } };
      const inside = [item, ...(kind === 'items' ? [] : [approval()]), upsert('entity', '.outputs.trigger.item')];
      const body = { nodes: inside, connections: inRow(inside) };
      nodes.push({ identifier: id, config: { type: 'MAP', items: `{{ [${mark}] }}`, body } });
    }
    if (kind === 'action') {
      const properties = { n: `{{ ${mark} }}` };
      nodes.push({ identifier: id, config: { type: 'RUN_ACTION', actionIdentifier: guarded, properties } });
    }
    isBehind ||= gates.has(kind);
    if (effects.has(kind)) (isBehind ? guardedMarks : freeMarks).push(id);
  }
  const event: Node = {
    identifier: 'event',
    config: {
      type: 'EVENT_TRIGGER',
      event: { type: 'ENTITY_CREATED', blueprintIdentifier: source },
    },
  };
  const connections = [
    ...inRow([form(), ...nodes]),
    { sourceIdentifier: 'event', targetIdentifier: nodes[0]?.['identifier'] },
  ];
  const flow = await world.workflow([form(), event, ...nodes], connections);
  return { flow, nodes, connections, guardedMarks, freeMarks };
}

/** Every mark that was left, with what began it. */
async function left(): Promise<string[]> {
  const entities = await app.database.rows<{ identifier: string }>(sql`
    select e.identifier from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    where e.org_id = ${app.organization.id} and b.identifier = ${marks}`);
  const called = actions.receiver.received.map(({ body }) => String(JSON.parse(body).n));
  return [...entities.map(({ identifier }) => identifier), ...called].sort();
}

async function runsOf(flow: string): Promise<{ identifier: string; nodeRuns: { identifier: string }[] }[]> {
  const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}&limit=200`)).body;
  return Promise.all(runs.map(({ identifier }: { identifier: string }) => world.get(identifier)));
}

const mcp = (name: string, args: object) =>
  app.request('POST', '/v1/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });

/** Starts a workflow in every way there is, and tries every way around what then waits. Nobody approves anything. */
async function attack({ flow, nodes, connections }: Awaited<ReturnType<typeof build>>): Promise<string[]> {
  const names = ['api', 'tool', 'named', 'event', 'test'].map((each) => unique(each));
  const [api, tool, named, event, tested] = names as [string, string, string, string, string];
  await world.start(flow, { name: api }, { body: { inputs: { name: api }, nodeIdentifier: 'form' } });
  await mcp(`run_${flow}`, { name: tool });
  await mcp('trigger_run', { workflowIdentifier: flow, nodeIdentifier: 'form', inputs: { name: named } });
  await createEntity(app.request, source, { identifier: event });
  const pinned = Object.fromEntries(nodes.map(({ identifier }) => [identifier, { output: {}, outlet: 'yes' }]));
  const definition = { identifier: flow, nodes: [form(), ...nodes], connections: connections.slice(0, -1) };
  const went = await app.request('POST', '/v1/workflows/test', {
    body: { definition, trigger: 'form', sample: { name: tested }, pinned },
  });
  expect(went.status, JSON.stringify(went.body)).toBe(200);
  await app.app.jobs.drain();
  const mallory = await app.organization.personToken(await world.person('mallory'));
  for (const run of await runsOf(flow)) {
    for (const { identifier } of run.nodeRuns) {
      const path = `/v1/workflows/nodes/runs/${identifier}`;
      // programs report on steps, and neither they nor whoever is not asked press buttons
      await app.request('PATCH', path, { body: { status: 'COMPLETED', result: 'SUCCESS', output: {} } });
      await app.request('POST', `${path}/responses`, { body: { buttonIdentifier: 'yes' } });
      await app.request('POST', `${path}/responses`, { token: mallory, body: { buttonIdentifier: 'yes' } });
    }
    for (const node of nodes) {
      const body = { fromNodeIdentifier: node['identifier'], acknowledge: nodes.map((each) => each['identifier']) };
      await app.request('POST', `/v1/workflows/runs/${run.identifier}/rerun`, { body });
    }
    await app.app.jobs.drain();
  }
  return names;
}

test('nothing behind an approval happens without it, whatever the graph and however it is started', async () => {
  let behind = 0;
  let free = 0;
  await fc.assert(
    fc.asyncProperty(graph, async (blocks) => {
      const built = await build(blocks);
      const names = await attack(built);
      const found = await left();
      const ofThis = found.filter((mark) => names.some((name) => mark.startsWith(`${name}-`)));
      const wrong = ofThis.filter((mark) => built.guardedMarks.includes(mark.slice(mark.lastIndexOf('-') + 1)));
      expect(wrong).toEqual([]);
      // a test leaves nothing at all
      expect(ofThis.filter((mark) => mark.startsWith(names.at(-1) as string))).toEqual([]);
      // and what stands before the first approval happened in every other way, so that the search means something
      const expected = names.slice(0, -1).flatMap((name) => built.freeMarks.map((id) => `${name}-${id}`));
      expect(ofThis).toEqual([...expected].sort());
      behind += built.guardedMarks.length;
      free += built.freeMarks.length;
      // nothing of this graph starts with the next one's events
      await app.request('DELETE', `/v1/workflows/${built.flow}`);
    }),
    { numRuns: graphs },
  );
  expect(behind).toBeGreaterThanOrEqual(graphs);
  expect(free).toBeGreaterThan(0);
}, 240_000);
