import { describe, expect, test } from 'vitest';
import { bodyAt, faultsIn, listBodies, withBody } from './bodies.ts';
import type { Definition, WorkflowNode } from './definition.ts';
import { renameNode } from './edits.ts';

const item: WorkflowNode = { identifier: 'item', config: { type: 'ITEM_TRIGGER' } };
const call: WorkflowNode = { identifier: 'call', config: { type: 'WEBHOOK', url: '{{ .outputs.call }}' } };
const inner = {
  nodes: [item, call],
  connections: [{ sourceIdentifier: 'item', targetIdentifier: 'call' }],
  note: 'kept',
};
const both: WorkflowNode = {
  identifier: 'both',
  config: { type: 'PARALLEL', branches: { 'a/b': inner, other: { nodes: [item] } } },
};
const definition: Definition = {
  identifier: 'w',
  nodes: [
    call,
    { identifier: 'each', config: { type: 'MAP', items: [1], body: { nodes: [item, both], connections: [] } } },
  ],
  connections: [],
};

describe('bodies of steps', () => {
  test('are found by their way, at every depth', () => {
    expect(listBodies(definition.nodes[1] as WorkflowNode)).toEqual([
      { way: ['each'], branch: undefined, at: '/config/body', steps: 1 },
    ]);
    expect(listBodies(both, ['each']).map(({ way, at, steps }) => [way.join(' '), at, steps])).toEqual([
      ['each both a/b', '/config/branches/a~1b', 1],
      ['each both other', '/config/branches/other', 0],
    ]);
    expect(bodyAt(definition, ['each', 'both', 'a/b'])?.nodes).toEqual([item, call]);
    expect(bodyAt(definition, ['each', 'both', 'other'])?.connections).toEqual([]);
    expect(bodyAt(definition, ['each', 'gone'])).toBeUndefined();
    expect(bodyAt(definition, [])).toBe(definition);
  });

  test('are put back at their place, with what else is written there', () => {
    const way = ['each', 'both', 'a/b'];
    const body = bodyAt(definition, way) as Definition;
    const changed = withBody(definition, way, { ...body, nodes: [item] });
    expect(bodyAt(changed, way)?.nodes).toEqual([item]);
    expect(JSON.stringify(changed)).toContain('"note":"kept"');
    expect(withBody(changed, way, body)).toEqual(definition);
  });

  test('have the faults that stand in them, with their places there', () => {
    const at = '/nodes/1/config/body/nodes/1/config/branches/a~1b';
    const faults = [
      { path: `${at}/nodes/1/config/url`, message: 'no address' },
      { path: '/nodes/0/config/url', message: 'elsewhere' },
    ];
    expect(faultsIn(definition, ['each', 'both', 'a/b'], faults)).toEqual([
      { path: '/nodes/1/config/url', message: 'no address' },
    ]);
  });

  test('keep their own names where a step outside is renamed', () => {
    const renamed = renameNode(definition, 'call', 'ring');
    expect(renamed.nodes[0]?.config['url']).toBe('{{ .outputs.ring }}');
    expect(bodyAt(renamed, ['each', 'both', 'a/b'])?.nodes[1]).toEqual(call);
  });
});
