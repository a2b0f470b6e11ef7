import { expect, test } from 'vitest';
import { nodeRegexEngine } from '../node-regex-engine.ts';
import { mappingEvaluator } from './evaluate-expression.ts';
import { type EventMapping, mappingsOfResource, unreadableExpressions } from './event-mapping.ts';
import { mapEvent } from './map-event.ts';

const context = {
  evaluate: mappingEvaluator(nodeRegexEngine),
  now: new Date('2026-03-02T09:00:00Z'),
  isOver: async () => false,
};
const map = (mapping: EventMapping, event: Parameters<typeof mapEvent>[1]) => mapEvent(mapping, event, context);

test('an expression that fails clears its value and says where it stands', async () => {
  const mapped = await map({ entity: { identifier: '.id', properties: { a: { b: ['.x | error'] } } } }, { id: 1 });
  expect(mapped.items).toEqual([{ item: 0, body: { identifier: '1', properties: { a: { b: [null] } } } }]);
  expect(mapped.issues).toMatchObject([{ item: 0, path: ['entity', 'properties', 'a', 'b', 0] }]);
});

test('what runs for ever is stopped and told, and the rest goes on', async () => {
  const entity = { identifier: '.id', title: '[range(1e9)] | length', properties: { a: '.id' } };
  const { items, issues } = await map({ entity }, { id: 'x' });
  expect(items[0]?.body).toEqual({ identifier: 'x', title: null, properties: { a: 'x' } });
  expect(issues).toMatchObject([{ path: ['entity', 'title'], message: expect.stringContaining('limit reached') }]);
});

test('the filter is asked of each item where it speaks of it, by the name that items have', async () => {
  const mapping = {
    filter: '.part.size > 1',
    itemsToParse: '.parts',
    itemsToParseName: 'part',
    entity: { identifier: '.part.id' },
  };
  const mapped = await map(mapping, {
    parts: [
      { id: 'a', size: 1 },
      { id: 'b', size: 2 },
    ],
  });
  expect(mapped).toMatchObject({ skipped: 1, items: [{ item: 1, body: { identifier: 'b' } }] });
  expect(await map({ ...mapping, itemsToParse: '.nothing' }, {})).toMatchObject({
    isFailed: true,
    path: ['itemsToParse'],
  });
});

test('a blueprint that comes to nothing names no entity', async () => {
  const [resource] = mappingsOfResource({
    selector: { query: 'true' },
    port: { entity: { mappings: { identifier: '.id', blueprint: '.kind' } } },
  });
  const mapped = await map(resource!.mapping, { id: 'a' });
  expect(mapped).toMatchObject({ items: [], skipped: 1, issues: [{ path: ['entity', 'blueprint'] }] });
  expect(resource!.placeOf(['entity', 'blueprint'])).toEqual(['port', 'entity', 'mappings', 'blueprint']);
  expect(resource!.placeOf(['filter'])).toEqual(['selector', 'query']);
});

test('words of a query are no expressions, keys that are called so are', () => {
  const query = { combinator: 'and', rules: [{ property: '$team', operator: '=', value: '.a |' }] };
  const found = unreadableExpressions({ entity: { identifier: query, properties: { operator: '=' } } });
  expect(found.map(({ path }) => path.join('.'))).toEqual([
    'entity.identifier.rules.0.value',
    'entity.properties.operator',
  ]);
});

test('all properties may be one expression, and null and absence stay apart', async () => {
  const entity = { identifier: '.id', properties: '.properties', relations: 'if has("r") then .r else empty end' };
  const bodyOf = async (event: Parameters<typeof mapEvent>[1]) => (await map({ entity }, event)).items[0]?.body;
  expect(await bodyOf({ id: 'a', properties: { tier: null, x: 1 } })).toEqual({
    identifier: 'a',
    properties: { tier: null, x: 1 },
  });
  expect(await bodyOf({ id: 'a', properties: {}, r: null })).toEqual({
    identifier: 'a',
    properties: {},
    relations: null,
  });
});
