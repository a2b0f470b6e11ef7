import { expect, test } from 'vitest';
import { runJqCommand } from './command.ts';

test('each output is a line of compact JSON', () => {
  expect(runJqCommand(['.[] | {a: .}'], '[1, "x"]\n')).toEqual({
    stdout: '{"a":1}\n{"a":"x"}\n',
    stderr: '',
    exitCode: 0,
  });
});

test("order of keys and the text of numbers are jq's", () => {
  expect(runJqCommand(['.'], '{"b":1e-7,"1":2}').stdout).toBe('{"b":1e-07,"1":2}\n');
});

test.each([
  [['.a |'], '{}', 3, 'column 5'],
  [['nope'], '{}', 3, 'nope/0 is not defined at line 1, column 1'],
  [['.a.b'], '{"a":1}', 5, 'Cannot index number with string "b"'],
  [['"x" * 1e9'], '{}', 5, 'stringLength'],
  [['halt'], '{}', 3, 'halt is refused'],
  [['.'], '{', 2, 'the input is not JSON'],
  [['.'], ' ', 2, 'the input is empty'],
] as const)('%j fails with one line', (argv, stdin, exitCode, message) => {
  const result = runJqCommand(argv, stdin);
  expect(result.exitCode).toBe(exitCode);
  expect(result.stderr).toContain(message);
  expect(result.stderr.match(/\n/g)).toHaveLength(1);
});

test('outputs before an error are kept', () => {
  expect(runJqCommand(['1, error("no")'], 'null')).toEqual({ stdout: '1\n', stderr: 'jq: error: no\n', exitCode: 5 });
});

test('--explain needs no input', () => {
  expect(runJqCommand(['--explain', '.team | length'], '').stdout).toBe(
    'reads  .  (whether it is there)\nreads  .team  (keys or length)\n',
  );
});

test('wrong arguments print the usage', () => {
  expect(runJqCommand([], '').exitCode).toBe(2);
  expect(runJqCommand(['.', '.'], '').stderr).toContain('usage:');
});
