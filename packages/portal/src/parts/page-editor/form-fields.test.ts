import { expect, test } from 'vitest';
import { answered, type FormField, listItems, listOfItems, missingIn } from './form-fields.ts';
import { widgetKind, widgetKinds } from './widget-kinds.ts';

function findField(type: string, key: string): FormField & { kind: 'list' } {
  const field = widgetKind({ type })?.fields.find((each) => each.key === key);
  if (field?.kind !== 'list') throw new Error(`${type} has no list ${key}`);
  return field;
}
const tables = findField('table-entities-explorer-by-direction', 'blueprintConfig');

test('a list that is kept as an object keeps the names of its items, and what the form does not know of them', () => {
  const widget = {
    blueprintConfig: {
      '$downstream-b': { targetBlueprint: 'pod', tabIndex: 1, relationPath: ['x'] },
      '$upstream-a': { targetBlueprint: 'team', tabIndex: 0 },
      broken: 'not a table',
    },
  };
  const items = listItems(tables, widget);
  expect(items.map(({ targetBlueprint }) => targetBlueprint)).toEqual(['team', 'pod']);
  const swapped = listOfItems(tables, items.toReversed().with(1, { ...items[0], title: 'Teams' }));
  expect(swapped).toEqual({
    '$downstream-b': { targetBlueprint: 'pod', tabIndex: 0, relationPath: ['x'] },
    '$upstream-a': { targetBlueprint: 'team', tabIndex: 1, title: 'Teams' },
  });
  expect(Object.keys(swapped as object)).toEqual(['$downstream-b', '$upstream-a']);
});

test('a new item of an object gets a name that none has', () => {
  const begun = listItems(tables, { blueprintConfig: { $custom_2: { targetBlueprint: 'a', tabIndex: 0 } } });
  const three = listOfItems(tables, [...begun, { targetBlueprint: 'b' }, { targetBlueprint: 'c' }]);
  expect(Object.keys(three as object)).toHaveLength(3);
  expect(three).toMatchObject({ $custom_2: { targetBlueprint: 'a' } });
});

test('what is missing in an item is said with its place', () => {
  const [message] = missingIn([tables], { blueprintConfig: { a: { title: 'No blueprint' } } }).values();
  expect(message).toBe('1: Blueprint is required');
});

test('another blueprint of a table takes the old rules along', () => {
  const [, blueprint] = tables.fields;
  if (!blueprint) throw new Error('no question about the blueprint');
  const before = {
    targetBlueprint: 'a',
    dataset: { combinator: 'and', rules: [{ property: 'x', operator: 'isEmpty' }] },
  };
  expect(answered(tables.fields, before, blueprint, 'b')).toEqual({
    targetBlueprint: 'b',
    dataset: { combinator: 'and', rules: [] },
  });
});

test('every kind has a form, and no two are one', () => {
  expect(new Set(widgetKinds.map(({ type }) => type)).size).toBe(widgetKinds.length);
  expect(widgetKind({ type: 'run-info' })?.fields.map(({ key }) => key)).toEqual(['runId']);
});
