import { expect, test } from 'vitest';
import { describeArguments } from './describe-arguments.ts';

const properties = {
  text: { type: 'string' },
  limit: { type: 'integer' },
  state: { type: 'string', enum: ['open', 'done'] },
  deep: { type: 'boolean' },
};
const of = (given: Record<string, unknown>, isReadOnly = true, inputSchema: Record<string, unknown> = { properties }) =>
  describeArguments(
    { isReadOnly, definition: { description: '', inputSchema: { type: 'object', ...inputSchema } } },
    given,
  );

test.each<[string, Record<string, unknown>, string]>([
  ['a text', { text: 'open' }, 'text'],
  ['an empty text', { text: '' }, 'closed'],
  ['a value of a list', { state: 'open' }, 'closed'],
  ['none of the list', { state: 'secret' }, 'text'],
  ['a small number', { limit: 20 }, 'closed'],
  ['a large number', { limit: 93_077 }, 'text'],
  ['a broken number', { limit: 0.93077 }, 'text'],
  ['a number where a text belongs', { text: 7 }, 'text'],
  ['a yes', { deep: true }, 'closed'],
  ['a list where a number belongs', { limit: [1, 2] }, 'text'],
])('%s is %j: %s', (_what, given, form) => {
  expect(of(given).map((each) => each.form)).toEqual([form]);
});

test('a name that is not declared is a part of the value, and is not repeated', () => {
  expect(of({ '9f3-k77': true })).toEqual([{ key: '(undeclared)', value: { '9f3-k77': true }, form: 'text' }]);
  expect(of({ constructor: true })[0]?.form).toBe('text');
  expect(of({ text: true }, true, {})[0]?.form).toBe('text');
});

test('of a tool that writes, every value has to be asked for', () => {
  expect(of({ limit: 20, more: 1 }, false)).toEqual([
    { key: 'limit', value: 20, form: 'text' },
    { key: 'more', value: 1, form: 'text' },
  ]);
});
