import { expect, test } from 'vitest';
import { listTemplates, mayReadAt } from './expression-reads.ts';

const place = ['trigger', 'by'];
const facts = new Set(['email']);

test.each([
  '.',
  '.trigger',
  '.trigger.by',
  '.trigger.by.name',
  '.trigger | .by | .name',
  '.trigger.by | tostring',
  '. as {trigger: {by: $who}} | $who',
  '.["tri" + "gger"].by.name',
  '.trigger[.key]',
  '[..]',
  'to_entries',
  'getpath(["trigger", "by", "name"])',
  'tojson',
  'not an expression (',
])('%s may read it', (expression) => {
  expect(mayReadAt(expression, place, facts)).toBe(true);
});

test.each(['.trigger.by.email', '.trigger.at', '.inputs.trigger.by', '"trigger"'])(
  '%s does not read it, or only its facts',
  (expression) => {
    expect(mayReadAt(expression, place, facts)).toBe(false);
  },
);

test('templates stand in keys too, and braces that do not match hide them', () => {
  expect(listTemplates({ '{{ .a }}': ['x {{ .b }}'] })).toEqual([' .a ', ' .b ']);
  expect(listTemplates('x {{ .a')).toBeUndefined();
});
