import { describe, expect, test } from 'vitest';
import { JqRuntimeError, JqSyntaxError } from '../errors.ts';
import type { JqValue } from '../value/value.ts';
import { analyseTemplate, rewriteTemplate } from './analyse-template.ts';
import { replaceSingleQuotes } from './platform-quotes.ts';
import { renderTemplate } from './render-template.ts';

const context: JqValue = { a: { b: [1, 'x'] }, n: 5, s: 'text', k: 'key', none: null };

describe('rendering', () => {
  test.each<[string, JqValue, JqValue | undefined]>([
    ['a string without blocks', 'plain }', 'plain }'],
    ['one block keeps its type', ' {{ .a.b }} ', [1, 'x']],
    ['null stays null', '{{ .none }}', null],
    ['text concatenates', 'n={{ .n }}, b={{ .a.b }}, s={{ .s }}, {{ .none }}', 'n=5, b=[1,"x"], s=text, null'],
    ['no output prints as undefined', 'v: {{ empty }}', 'v: undefined'],
    ['no output drops a pair', { x: '{{ empty }}', y: 1 }, { y: 1 }],
    ['keys are templates', { '{{ .k }}': 1, '{{ .none }}': 2, '{{ "" }}': 3 }, { key: 1 }],
    ['objects are spread', { z: 0, '{{ spreadValue() }}': '{{ .a }}' }, { z: 0, b: [1, 'x'] }],
    ['other leaves are copied', [1, true, null, { q: '{{ .n }}' }], [1, true, null, { q: 5 }]],
    ['braces in quotes do not count', '{{ "}}" + .s }}', '}}text'],
    ['a failing block is null', 'x{{ .n.q }}', 'xnull'],
    ['an object may end at the braces', '{{ {x: {y: 1}}}}', { x: { y: 1 } }],
    ['single quotes as the platform reads them', "{{ .s == 'text' }}", true],
  ])('%s', (_name, template, expected) => expect(renderTemplate(template, context)).toEqual(expected));

  test('braces that do not match always throw', () => {
    for (const text of ['{{ .a', 'a }} b', '{{ {{ .a }} }}']) {
      expect(() => renderTemplate(text, context)).toThrow(JqSyntaxError);
    }
  });

  test('keys and spread values of the wrong kind throw', () => {
    expect(() => renderTemplate({ '{{ .n }}': 1 }, context)).toThrow(JqRuntimeError);
    expect(() => renderTemplate({ '{{spreadValue()}}': '{{ .n }}' }, context)).toThrow(JqRuntimeError);
  });

  test('failures are told or thrown', () => {
    const failures: string[] = [];
    renderTemplate({ x: ['{{ .n.q }}'] }, context, { onError: ({ path }) => failures.push(path.join('.')) });
    expect(failures).toEqual(['x.0']);
    expect(() => renderTemplate('{{ .n.q }}', context, { isStrict: true })).toThrow(JqRuntimeError);
  });
});

test('analysis and rewriting work block by block', () => {
  const [first] = analyseTemplate({ url: 'https://x/{{ .entity.team[0] }}' });
  expect(first?.block.path).toEqual(['url']);
  expect(first?.analysis.reads.at(-1)?.path).toEqual(['entity', 'team', 0]);
  expect(
    rewriteTemplate('x={{ .relations.teams }}&y={{.title}}', [
      { kind: 'path', from: ['relations', 'teams'], to: ['team'] },
    ]).source,
  ).toBe('x={{ .team }}&y={{.title}}');
});

test('the narrow rule for single quotes, with its holes', () => {
  expect(replaceSingleQuotes(".x == 'y'")).toBe('.x == "y"');
  expect(replaceSingleQuotes("select(.x == 'y')")).toBe('select(.x == "y\')');
  expect(replaceSingleQuotes("'a'+'b'")).toBe('"a\'+\'b"');
});
