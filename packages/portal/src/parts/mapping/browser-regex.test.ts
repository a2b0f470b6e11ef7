import { compile } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
import { expect, test } from 'vitest';
import { browserRegexEngine } from './browser-regex.ts';

test.each([
  ['[match("(?<!-)(?<word>\\\\w+)"; "g") | .captures[0].string]', 'one -two three'],
  ['[match("(a)(?=b)|(c)"; "g") | .captures]', 'ab c'],
  ['gsub("(?<x>\\\\w)(?=\\\\d)"; "<\\(.x)>")', 'a1b2😀3'],
  ['test("^(?!delete_)\\\\w+$")', 'list_things'],
  ['[match("(?=x)"; "g") | .offset]', '😀xx'],
])('%s is the same as on the server', (expression, input) => {
  const [ours, theirs] = [browserRegexEngine, nodeRegexEngine].map((regex) =>
    compile(expression, { regex }).run(input),
  );
  expect(ours).toEqual(theirs);
});

test('a match that took too long is refused', () => {
  const program = compile('test("(?=a)(a+)+$")', { regex: browserRegexEngine });
  expect(() => program.run(`${'a'.repeat(21)}!`)).toThrow('regexTime');
});
