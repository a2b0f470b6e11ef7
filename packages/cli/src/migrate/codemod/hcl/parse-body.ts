import { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseTemplate } from './parse-template.ts';
import { constantText } from './read-syntax.ts';
import type { Attribute, Block, Body, Name } from './syntax.ts';

/** Parses an HCL file. @throws HclSyntaxError */
export function parseHcl(source: string): Body {
  const cursor = new Cursor(source);
  const entries: (Attribute | Block)[] = [];
  for (cursor.skipLines(); !cursor.isAtEnd(); cursor.skipLines()) entries.push(parseEntry(cursor, entries));
  return { entries, start: 0, end: source.length };
}

function parseEntry(cursor: Cursor, others: readonly (Attribute | Block)[]): Attribute | Block {
  const name = cursor.expectName();
  const entry = cursor.peek() === '=' ? parseAttribute(cursor, name) : parseBlock(cursor, name);
  if (!cursor.takeLineEnd() && !cursor.isAtEnd()) cursor.fail('The line is expected to end here.');
  const isTwice = ({ kind, name: { text } }: Attribute | Block): boolean => kind === 'attribute' && text === name.text;
  if (entry.kind === 'attribute' && others.some(isTwice))
    cursor.fail(`"${name.text}" is set a second time.`, name.start);
  return entry;
}

function parseAttribute(cursor: Cursor, name: Name): Attribute {
  cursor.expect('=');
  const value = parseExpression(cursor);
  return { kind: 'attribute', name, value, start: name.start, end: value.end };
}

function parseBlock(cursor: Cursor, name: Name): Block {
  const labels: Name[] = [];
  while (cursor.peek() !== '{') labels.push(parseLabel(cursor));
  const start = cursor.at;
  cursor.expect('{');
  const entries = cursor.inside(true, () => parseBlockBody(cursor));
  cursor.expect('}');
  const body = { entries, start, end: cursor.at };
  return { kind: 'block', name, labels, body, start: name.start, end: cursor.at };
}

function parseLabel(cursor: Cursor): Name {
  const name = cursor.takeName();
  if (name !== undefined) return name;
  if (cursor.peek() !== '"') cursor.fail('"=" or "{" is expected here.');
  const template = parseTemplate(cursor, parseExpression);
  const text = constantText(template);
  if (text === undefined) cursor.fail('A label takes no templates.', template.start);
  return { text, start: template.start, end: template.end };
}

/** A block on one line holds at most one attribute. */
function parseBlockBody(cursor: Cursor): (Attribute | Block)[] {
  if (!cursor.takeLineEnd()) return cursor.peek() === '}' ? [] : [parseAttribute(cursor, cursor.expectName())];
  const entries: (Attribute | Block)[] = [];
  for (cursor.skipLines(); cursor.peek() !== '}'; cursor.skipLines()) entries.push(parseEntry(cursor, entries));
  return entries;
}
