import { expect, test } from 'vitest';
import { parseArguments } from './command.ts';

const options = {
  name: { type: 'string', description: '' },
  label: { type: 'string', description: '', isRepeatable: true },
  json: { type: 'boolean', description: '' },
} as const;

test('words and options are told apart in any order', () => {
  const input = parseArguments(['a', '--json', '--label', 'x=1', 'b', '--label=y=2', '--name', 'n'], options);
  expect(input.words).toEqual(['a', 'b']);
  expect([input.flag('json'), input.text('name'), input.list('label')]).toEqual([true, 'n', ['x=1', 'y=2']]);
});

test('what is not given reads as nothing', () => {
  const input = parseArguments([], options);
  expect([input.words, input.flag('json'), input.text('name'), input.list('label')]).toEqual([
    [],
    false,
    undefined,
    [],
  ]);
});

test.each([
  [['--jsn'], "Unknown option '--jsn'."],
  [['--name'], "Option '--name <value>' argument missing."],
  [['--json=1'], "Option '--json' does not take an argument."],
])('%j is refused in one sentence', (given, message) => {
  expect(() => parseArguments(given, options)).toThrow(expect.objectContaining({ exitCode: 2, message }));
});
