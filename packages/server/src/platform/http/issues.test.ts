import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toIssues } from './issues.ts';

const said = { error: 'must be an http(s) address' };
const schemas: readonly (readonly [name: string, schema: z.ZodType, wrong: unknown])[] = [
  ['a text', z.string(), 1],
  ['a text with words of its own', z.string(said), 1],
  ['an address with words of its own', z.url({ protocol: /^https?$/, ...said }), 1],
  ['a number', z.int().min(1), 'x'],
  ['a boolean', z.boolean(), 'x'],
  ['a choice', z.enum(['a', 'b']), 'c'],
  ['a constant', z.literal('a'), 'b'],
  ['one of several types', z.union([z.string(), z.number()]), true],
  ['one of several objects', z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]), { type: 'b' }],
  ['any JSON', z.json(), () => 1],
  ['a list', z.array(z.string()), 'x'],
  ['an object', z.object({ inner: z.string() }), 'x'],
  ['a value that is read first', z.preprocess((value) => value, z.string()), 1],
  ['a value that is changed afterwards', z.string().transform(Number), 1],
];
const issuesOf = (schema: z.ZodType, input: unknown, prefix?: string) => {
  const { error } = schema.safeParse(input);
  return error ? toIssues(error, input, prefix) : [];
};

describe.each(schemas)('%s', (_name, schema, wrong) => {
  const object = z.object({ settings: z.object({ it: schema }) });

  test('that is missing is required, also as undefined, in a list, in a union and compiled', () => {
    const missing = { path: '/settings/it', message: 'is required' };
    expect(issuesOf(object, { settings: {} })).toEqual([missing]);
    expect(issuesOf(object, { settings: { it: undefined } })).toEqual([missing]);
    expect(issuesOf(z.compile(object), { settings: {} })).toEqual([missing]);
    expect(issuesOf(z.array(object), [{ settings: {} }], '/list')).toEqual([
      { ...missing, path: '/list/0/settings/it' },
    ]);
    const either = z.union([z.object({ it: schema, x: z.literal(1) }), z.object({ y: z.literal(1) })]);
    expect(issuesOf(z.object({ either }), { either: { x: 1 } })).toEqual([
      { path: '/either/it', message: 'is required' },
    ]);
  });

  test('that is another one is not', () => {
    const [issue, ...more] = issuesOf(object, { settings: { it: wrong } });
    expect(more).toEqual([]);
    expect(issue?.message).not.toBe('is required');
  });
});

test('of objects told apart by a field, the field is named', () => {
  const union = z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]);
  expect(issuesOf(union, {})).toEqual([{ path: '/type', message: 'is required' }]);
  expect(issuesOf(union, { type: 'b' })).toEqual([
    { path: '/type', message: "Invalid discriminator value. Expected 'a'" },
  ]);
});

test('what a rule over several values says of a missing one is told as it is', () => {
  const rule = z.object({ end: z.string().optional() }).check((context) => {
    context.issues.push({ code: 'custom', path: ['end'], message: 'goes with `start`', input: context.value });
  });
  expect(issuesOf(rule, {})).toEqual([{ path: '/end', message: 'goes with `start`' }]);
});
