import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MappedPart, planWrites } from './plan-writes.ts';

const part = (
  blueprint: string,
  type: 'create' | 'delete',
  bodies: readonly Record<string, unknown>[],
): MappedPart => ({
  mapping: { blueprint, operation: type, entity: { identifier: '.id' } },
  mapped: {
    reason: null,
    isFiltered: false,
    isFailed: false,
    skipped: 0,
    issues: [],
    items: bodies.map((body, item) => ({ item, body })),
  },
});
const shown = (parts: readonly MappedPart[]) =>
  planWrites(parts).map(({ type, blueprint, items }) => [
    type,
    blueprint,
    ...items.map(({ item }) => item.body['identifier']),
  ]);

test('entities of many events share a write of their blueprint', () => {
  const events = ['a', 'b', 'c'].flatMap((identifier) => [
    part('service', 'create', [{ identifier }]),
    part('pull', 'create', [{ identifier: `${identifier}-1` }]),
  ]);
  expect(shown(events)).toEqual([
    ['create', 'service', 'a', 'b', 'c'],
    ['create', 'pull', 'a-1', 'b-1', 'c-1'],
  ]);
});

test('one write names an entity once, and a hundred at most', () => {
  expect(shown(['a', 'b', 'a', 'c'].map((identifier) => part('s', 'create', [{ identifier }])))).toEqual([
    ['create', 's', 'a', 'b'],
    ['create', 's', 'a', 'c'],
  ]);
  const many = part(
    's',
    'create',
    Array.from({ length: 250 }, (_, at) => ({ identifier: `e${at}` })),
  );
  expect(planWrites([many]).map(({ items }) => items.length)).toEqual([100, 100, 50]);
});

test('nothing moves across what is deleted or described', () => {
  const described = { identifier: 'd', relations: { of: { combinator: 'and', rules: [] } } };
  expect(
    shown([
      part('s', 'create', [{ identifier: 'a' }]),
      part('t', 'delete', [{ identifier: 'a' }]),
      part('s', 'create', [{ identifier: 'b' }]),
      part('t', 'create', [described]),
      part('s', 'create', [{ identifier: 'c' }]),
    ]),
  ).toEqual([
    ['create', 's', 'a'],
    ['delete', 't', 'a'],
    ['create', 's', 'b'],
    ['create', 't', 'd'],
    ['create', 's', 'c'],
  ]);
});

test('of one blueprint nothing is lost, doubled or out of order', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const event = fc
    .tuple(fc.constantFrom('s', 't'), fc.constantFrom('create' as const, 'delete' as const), fc.array(name))
    .map(([blueprint, type, names]) =>
      part(
        blueprint,
        type,
        names.map((identifier) => ({ identifier })),
      ),
    );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const writes = planWrites(events);
      for (const blueprint of ['s', 't']) {
        const asked = events
          .filter(({ mapping }) => mapping.blueprint === blueprint)
          .flatMap(({ mapping, mapped }) => mapped.items.map(({ body }) => [mapping.operation, body['identifier']]));
        const written = writes
          .filter((write) => write.blueprint === blueprint)
          .flatMap(({ type, items }) => items.map(({ item }) => [type, item.body['identifier']]));
        expect(written).toEqual(asked);
      }
    }),
  );
});
