import { describe, expect, test } from 'vitest';
import { checkDefinition } from './check-definition.ts';

const step = (identifier: string, config: object) => ({ identifier, config });
const form = step('form', { type: 'SELF_SERVE_TRIGGER' });
const item = step('item', { type: 'ITEM_TRIGGER' });
const compute = step('values', { type: 'TRANSFORM', expression: '.outputs.trigger.item' });
const leads = (sourceIdentifier: string, targetIdentifier: string) => ({ sourceIdentifier, targetIdentifier });
const body = (...nodes: object[]) => ({ nodes: nodes.length > 0 ? nodes : [item] });
const map = (more: object = {}) => step('each', { type: 'MAP', items: [1], body: body(), ...more });

function faultsOf(node: object, more: object = {}) {
  const { faults } = checkDefinition({
    identifier: 'w',
    nodes: [form, node],
    connections: [leads('form', (node as { identifier: string }).identifier)],
    ...more,
  });
  return faults.map(({ code, path }) => [code, path]);
}
const at = '/nodes/1/config';

test.each([
  ['a map of a body', map()],
  ['a map of a workflow', map({ body: undefined, workflowIdentifier: 'other', inputs: { a: '{{ .item }}' } })],
  ['a map of entities', map({ items: undefined, query: { blueprintIdentifier: 'service' } })],
  ['branches', step('both', { type: 'PARALLEL', branches: { left: body(), right: body() } })],
  ['rounds', step('again', { type: 'REPEAT', body: body(), until: '.done' })],
  ['a run of another workflow', step('other', { type: 'RUN_WORKFLOW', workflowIdentifier: 'other' })],
  ['nodes of the same name in two bodies', step('both', { type: 'PARALLEL', branches: { a: body(), b: body() } })],
])('%s is fine', (_what, node) => {
  expect(faultsOf(node)).toEqual([]);
});

describe('a step that begins runs is refused', () => {
  test.each([
    ['items and a query', map({ query: { blueprintIdentifier: 'x' } }), [['map_without_items', at]]],
    ['neither items nor a query', map({ items: null }), [['map_without_items', at]]],
    ['a body and a workflow', map({ workflowIdentifier: 'x' }), [['map_without_body', at]]],
    ['neither a body nor a workflow', map({ body: null }), [['map_without_body', at]]],
    ['a body with inputs', map({ inputs: {} }), [['map_without_body', `${at}/inputs`]]],
    ['no branches', step('both', { type: 'PARALLEL', branches: {} }), [['branches_number', `${at}/branches`]]],
    [
      'itself',
      step('me', { type: 'RUN_WORKFLOW', workflowIdentifier: 'w' }),
      [['recursion', `${at}/workflowIdentifier`]],
    ],
    ['too many at a time', map({ concurrency: 21 }), [['shape', `${at}/concurrency`]]],
    ['too many items', map({ maxItems: 1001 }), [['shape', `${at}/maxItems`]]],
    [
      'too many rounds',
      step('again', { type: 'REPEAT', body: body(), until: 'true', maxRounds: 101 }),
      [['shape', `${at}/maxRounds`]],
    ],
    ['no expression of its end', step('again', { type: 'REPEAT', body: body() }), [['shape', `${at}/until`]]],
    [
      'a broken expression of its end',
      step('again', { type: 'REPEAT', body: body(), until: '.a |' }),
      [['jq', `${at}/until`]],
    ],
    ['secrets as items', map({ items: '{{ .secrets }}' }), [['secret_would_be_shown', `${at}/items`]]],
  ])('for %s', (_what, node, faults) => {
    expect(faultsOf(node)).toEqual(faults);
  });
});

describe('a body is checked by the rules of workflows, each fault at its place', () => {
  const inside = `${at}/body`;
  test.each([
    ['no trigger', map({ body: body(compute) }), [['no_trigger', `${inside}/nodes`]]],
    [
      'two triggers',
      map({ body: body(item, step('more', { type: 'ITEM_TRIGGER' })) }),
      [['second_item_trigger', `${inside}/nodes/1`]],
    ],
    ['a form', map({ body: body(item, form) }), [['trigger_misplaced', `${inside}/nodes/1/config/type`]]],
    [
      'nodes of one name',
      map({ body: body(item, compute, compute) }),
      [['duplicate_node', `${inside}/nodes/2/identifier`]],
    ],
    [
      'an unknown type',
      map({ body: body(item, step('x', { type: 'NONE' })) }),
      [['shape', `${inside}/nodes/1/config/type`]],
    ],
    [
      'a missing key',
      map({ body: body(item, step('x', { type: 'WEBHOOK' })) }),
      [['shape', `${inside}/nodes/1/config/url`]],
    ],
    [
      'a delay without a time',
      map({ body: body(item, step('x', { type: 'DELAY' })) }),
      [['delay_without_time', `${inside}/nodes/1/config`]],
    ],
    [
      'an expression',
      map({ body: body(item, step('x', { type: 'TRANSFORM', expression: '.a |' })) }),
      [['jq', `${inside}/nodes/1/config/expression`]],
    ],
    [
      'a secret that is shown',
      map({ body: body(item, step('x', { type: 'TRANSFORM', expression: '.secrets.a' })) }),
      [['secret_would_be_shown', `${inside}/nodes/1/config/expression`]],
    ],
    [
      'a circle',
      map({
        body: {
          nodes: [item, compute, { ...compute, identifier: 'b' }],
          connections: [leads('item', 'values'), leads('values', 'b'), leads('b', 'values')],
        },
      }),
      [['cycle', `${inside}/connections/2`]],
    ],
    [
      'a connection out of it',
      map({ body: { nodes: [item], connections: [leads('item', 'form')] } }),
      [['unknown_node', `${inside}/connections/0/targetIdentifier`]],
    ],
    ['no nodes', map({ body: { nodes: [] } }), [['shape', `${inside}/nodes`]]],
    [
      'a branch',
      step('both', { type: 'PARALLEL', branches: { 'a/b': body(compute) } }),
      [['no_trigger', `${at}/branches/a~1b/nodes`]],
    ],
  ])('%s', (_what, node, faults) => {
    expect(faultsOf(node)).toEqual(faults);
  });

  test('an item trigger outside a body is refused', () => {
    expect(faultsOf(step('x', { type: 'STOP' }), { nodes: [form, item], connections: [] })).toEqual([
      ['trigger_misplaced', '/nodes/1/config/type'],
    ]);
  });

  test('bodies stand in one another so deep, and no deeper', () => {
    const nested = (depth: number): object => map(depth === 0 ? {} : { body: body(item, nested(depth - 1)) });
    expect(faultsOf(nested(4))).toEqual([]);
    expect(faultsOf(nested(5)).map(([code]) => code)).toEqual(['nested_too_deep']);
    expect(faultsOf(nested(200)).length).toBeLessThan(10);
  });

  test('a workflow has so many nodes, those in bodies counted', () => {
    const many = (count: number) =>
      body(item, ...Array.from({ length: count }, (_, n) => ({ ...compute, identifier: `n${n}` })));
    const branches = (count: number) =>
      step('both', { type: 'PARALLEL', branches: { a: many(count), b: many(count) } });
    expect(faultsOf(branches(40))).toEqual([]);
    expect(faultsOf(branches(60))).toEqual([['too_large', '/nodes']]);
  });

  test('reads of what does not stand in it are warned of at their place', () => {
    const reading = step('x', { type: 'TRANSFORM', expression: '[.outputs.form, .outputs.trigger.parent.form]' });
    const { warnings } = checkDefinition({
      identifier: 'w',
      nodes: [form, map({ body: { nodes: [item, reading], connections: [leads('item', 'x')] } })],
      connections: [leads('form', 'each')],
    });
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ['unknown_output', '/nodes/1/config/body/nodes/1/config/expression'],
    ]);
  });
});
