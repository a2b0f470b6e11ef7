import type { TestApp } from './build-test-app.ts';
import { createWorkflowWorld, type Node } from './workflow-world.ts';

export const step = (identifier: string, config: object, more: object = {}): Node => ({ identifier, config, ...more });
export const item = step('item', { type: 'ITEM_TRIGGER' });
export const compute = (expression: string) => step('values', { type: 'TRANSFORM', expression });
export const map = (items: unknown, inside: object, more: object = {}) =>
  step('each', { type: 'MAP', items, body: inside, ...more });
export const upsertItem = (blueprint: string): Node =>
  step('entity', {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: blueprint,
    mapping: { identifier: '{{ .outputs.trigger.item }}' },
  });

/** A body of these nodes, one after another. */
export function body(...nodes: readonly Node[]) {
  const all = [item, ...nodes];
  const connections = nodes.map((node, index) => ({
    sourceIdentifier: all[index]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));
  return { nodes: all, connections };
}

export const findStep = (shown: { nodeRuns: { node: { identifier: string } }[] }, name: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
  shown.nodeRuns.find(({ node }) => node.identifier === name) as any;

export type ChildRunsWorld = ReturnType<typeof createChildRunsWorld>;

/** What tests of runs with children ask of the application, beside what all tests of runs ask. */
export function createChildRunsWorld(app: TestApp) {
  const world = createWorkflowWorld(app);

  /** What a run of these nodes shows once nothing is left to do. */
  async function run(nodes: readonly Node[], inputs?: object) {
    const id = await world.start(await world.workflow(nodes), inputs);
    await app.app.jobs.drain();
    return world.get(id);
  }

  const children = async (parent: string) =>
    (await app.request('GET', `/v1/workflows/runs?parent=${parent}`)).body.runs as {
      identifier: string;
      status: string;
      result: string | null;
    }[];

  return { ...world, run, children };
}
