import { expect, test } from 'vitest';
import { checkDefinition } from './check-definition.ts';

const step = (identifier: string, config: object, more: object = {}) => ({ identifier, config, ...more });
const form = step('form', { type: 'SELF_SERVE_TRIGGER' });
const hook = (identifier: string, compensatedBy?: string, body: unknown = {}) =>
  step(identifier, { type: 'WEBHOOK', url: 'https://a.example', body }, compensatedBy ? { compensatedBy } : {});
const leads = (sourceIdentifier: string, targetIdentifier: string) => ({ sourceIdentifier, targetIdentifier });

function check(nodes: readonly object[], connections: readonly object[] = [leads('form', 'make')]) {
  const { faults, warnings } = checkDefinition({ identifier: 'w', nodes: [form, ...nodes], connections });
  return {
    faults: faults.map(({ code, path }) => [code, path]),
    warnings,
    messages: faults.map((each) => each.message),
  };
}

test('a step outside the graph may undo one, and reads what that one gave and what came before', () => {
  const reads = (name: string) => [hook('make', 'undo'), hook('undo', undefined, `{{ .outputs.${name}.response }}`)];
  expect(check(reads('make'))).toEqual({ faults: [], warnings: [], messages: [] });
  expect(check(reads('undo')).warnings).toMatchObject([{ code: 'unknown_output' }]);
  const after = [...reads('after'), hook('after')];
  expect(check(after, [leads('form', 'make'), leads('make', 'after')]).warnings).toMatchObject([
    { code: 'unknown_output', path: '/nodes/2/config/body' },
  ]);
});

test.each([
  ['nobody knows', [hook('make', 'gone')], [['unknown_node', '/nodes/1/compensatedBy']]],
  [
    'is a trigger',
    [hook('make', 'tick'), step('tick', { type: 'SCHEDULE_TRIGGER', cron: '@daily' })],
    [['compensation_unusable', '/nodes/1/compensatedBy']],
  ],
  [
    'changes nothing',
    [hook('make', 'wait'), step('wait', { type: 'DELAY', seconds: 1 })],
    [['compensation_unusable', '/nodes/1/compensatedBy']],
  ],
])('a compensation that %s is refused', (_what, nodes, faults) => {
  expect(check(nodes).faults).toEqual(faults);
});

test('a step that changes nothing has nothing to undo', () => {
  const wait = step('make', { type: 'DELAY', seconds: 1 }, { compensatedBy: 'undo' });
  expect(check([wait, hook('undo')]).faults).toEqual([['compensation_not_allowed', '/nodes/1/compensatedBy']]);
});

test('a compensation undoes one step, outside the graph', () => {
  const shared = check(
    [hook('make', 'undo'), hook('other', 'undo'), hook('undo')],
    [leads('form', 'make'), leads('make', 'other')],
  );
  expect(shared.faults).toEqual([['compensation_shared', '/nodes/2/compensatedBy']]);
  const connected = check([hook('make', 'undo'), hook('undo')], [leads('form', 'make'), leads('make', 'undo')]);
  expect(connected.faults).toEqual([['compensation_connected', '/connections/1/targetIdentifier']]);
});

test('undoing comes to an end: circles are refused by node and way', () => {
  const chain = check([hook('make', 'undo'), hook('undo', 'redo'), hook('redo')]);
  expect(chain.faults).toEqual([['compensation_loop', '/nodes/1/compensatedBy']]);
  expect(chain.messages[0]).toContain('"undo" names "redo" to undo it');
  const circle = check([hook('make', 'undo'), hook('undo', 'make')]);
  expect(circle.messages).toContain('leads back: make → undo → make');
  expect(check([hook('make', 'make')]).messages).toContain('leads back: make → make');
});

test('bodies have compensations of their own, and their faults stand at their places', () => {
  const item = step('item', { type: 'ITEM_TRIGGER' });
  const inside = { nodes: [item, hook('a', 'b'), hook('b', 'a')], connections: [leads('item', 'a')] };
  const { faults } = check([step('make', { type: 'MAP', items: [1], body: inside })]);
  expect(faults).toContainEqual(['compensation_loop', '/nodes/1/config/body/nodes/1/compensatedBy']);
});
