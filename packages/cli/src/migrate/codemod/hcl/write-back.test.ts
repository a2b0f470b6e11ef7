// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL look like those of JavaScript
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HclSyntaxError } from './cursor.ts';
import { parseHcl } from './parse-body.ts';
import { walkExpressions } from './read-syntax.ts';
import type { Body, Expression, Name, Span } from './syntax.ts';

/** The direct child spans of a node; both steps of `a.0.1` have the same one. */
function partsOf(node: Span): readonly Span[] {
  const isSpan = (value: unknown): value is Span => Object.hasOwn(Object(value), 'start');
  const parts = Object.values(node).flat().filter(isSpan);
  return parts.sort((a, b) => a.start - b.start).filter(({ start }, at) => start !== parts[at - 1]?.start);
}

/** Prints the tree: names from the tree, and source text only between the parts. */
function written(source: string, node: Span & Partial<Name>): string {
  if (node.text !== undefined && source[node.start] !== '"') return node.text;
  let text = '';
  let at = node.start;
  for (const part of partsOf(node)) {
    text += source.slice(at, part.start) + written(source, part);
    at = part.end;
  }
  return text + source.slice(at, node.end);
}

/** The kinds of an expression and its descendants. */
const shapeOf = (expression: Expression): string => [...walkExpressions(expression)].map(({ kind }) => kind).join(' ');

/** The text of an expression, parsed as the only item of a list. */
function readAlone(text: string): string | undefined {
  const value = read(`a = [\n${text}\n]\n`)?.entries[0];
  if (value?.kind !== 'attribute' || value.value.kind !== 'tuple') return undefined;
  return value.value.items.map(shapeOf).join(', ');
}

function read(source: string): Body | undefined {
  try {
    return parseHcl(source);
  } catch (error) {
    if (error instanceof HclSyntaxError) return undefined;
    throw error;
  }
}

const name = fc.constantFrom('a', 'port_team', 'x-y', 'é', 'for');
const gap = fc.constantFrom('', ' ', '\t', ' /* } */ ');
const comment = fc.constantFrom('', ' # {', ' // "', '\n\n# ${\n');
const value = fc.letrec<{ value: string }>((tie) => {
  const inner = tie('value');
  const list = fc.array(inner, { maxLength: 3 });
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'var.b.c', '1.5e3', 'null', '"é\\n$${x}"', 'd[*].e', 'f.*.g', '<<-EOT\n  x ${a}\n  EOT\n'),
      fc
        .tuple(list, gap)
        .map(([items, space]) => `[${items.map((each) => `${space}${each}`).join(`${space},`)}${space}]`),
      list.map((items) => `{${items.map((each, at) => `\n  k${at} = ${each}`).join('')}\n}`),
      list.map((items) => `merge(${items.join(', ')})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} == ${b} ? ${c} : !a)`),
      fc.tuple(inner, inner).map(([a, b]) => `{ for k, v in ${a} : k => ${b} if v != null }`),
      fc.tuple(inner, gap).map(([a, space]) => `"x\${${space}${a}${space}}%{ if b }y%{ else }z%{ endif }"`),
    ),
  };
}).value;
const attribute = fc
  .tuple(name, gap, value, comment)
  .map(([key, space, text, end]) => `${key}${space}=${space}${text}${end}`);
const body = fc.letrec<{ body: string }>((tie) => ({
  body: fc
    .array(
      fc.oneof(
        { maxDepth: 2 },
        attribute,
        fc
          .tuple(name, name, gap, tie('body'))
          .map(([a, b, space, inside]) => `${a} "${b}"${space} ${b}${space}{\n${inside}}`),
      ),
      { maxLength: 4 },
    )
    .map((entries) => entries.map((each) => `${each}\n`).join('')),
})).body;
const file = fc
  .tuple(body, fc.boolean(), fc.constantFrom('', '\uFEFF'))
  .map(([text, isWindows, mark]) => mark + (isWindows ? text.replaceAll('\n', '\r\n') : text));
/** A file with a piece removed or doubled: most are invalid HCL, the rest have odd shapes. */
const damaged = fc.tuple(file, fc.nat(), fc.nat(12), fc.boolean()).map(([text, at, length, isDoubled]) => {
  const from = at % (text.length + 1);
  const piece = text.slice(from, from + length);
  return text.slice(0, from) + (isDoubled ? piece + piece : '') + text.slice(from + length);
});

test('a file that is read and written unchanged is the same byte for byte, and each part is read alone as it is inside', () => {
  let known = 0;
  fc.assert(
    fc.property(fc.oneof(file, damaged), (source) => {
      const tree = read(source);
      if (!tree) return;
      known += tree.entries.length > 0 ? 1 : 0;
      expect(written(source, tree)).toBe(source);
      for (const expression of walkExpressions(tree)) {
        const text = source.slice(expression.start, expression.end);
        expect(readAlone(text), text).toBe(shapeOf(expression));
      }
    }),
    { numRuns: 1000 },
  );
  expect(known).toBeGreaterThan(200);
});
