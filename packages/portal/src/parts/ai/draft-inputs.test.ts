import { expect, test } from 'vitest';
import { changedKeys, listDraftFields, readText } from './draft-inputs.ts';

test('the form of the action comes first, then what the draft holds beside it', () => {
  const trigger = {
    userInputs: {
      properties: { name: { type: 'string', title: 'Name' }, key: { type: 'string', encryption: 'aes256-gcm' } },
      required: ['name'],
    },
  };
  expect(listDraftFields(trigger, { more: [1], name: 'x' })).toEqual([
    { key: 'name', title: 'Name', type: 'string', isSecret: false, isRequired: true },
    { key: 'key', title: 'key', type: 'string', isSecret: true, isRequired: false },
    { key: 'more', title: 'more', type: 'array', isSecret: false, isRequired: false },
  ]);
  expect(listDraftFields(undefined, {})).toEqual([]);
});

test.each([
  ['', 'number', undefined],
  ['5', 'string', '5'],
  ['5', 'number', 5],
  ['false', 'boolean', false],
  ['["a"]', 'array', ['a']],
  ['{"a":1}', 'object', { a: 1 }],
])('%j as %s', (text, type, value) => {
  expect(readText(text, type)).toEqual(value);
});

test.each([
  ['five', 'number'],
  ['"5"', 'number'],
  ['{}', 'array'],
  ['1', 'object'],
  ['null', 'boolean'],
])('%j is no %s', (text, type) => {
  expect(() => readText(text, type)).toThrow(SyntaxError);
});

test('what differs is named, also where it is gone', () => {
  const inputs = (properties: Record<string, unknown>) => ({ entity: null, properties, inputsHash: '' });
  expect([...changedKeys(inputs({ a: [1], b: 1, c: 1 }), inputs({ a: [1], b: 2 }))]).toEqual(['b', 'c']);
});
