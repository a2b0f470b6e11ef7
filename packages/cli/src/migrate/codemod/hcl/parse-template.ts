import type { Cursor } from './cursor.ts';
import type { Expression, InsertedPart, Template, TemplatePart, TextPart } from './syntax.ts';

const opening = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** Passed as an argument, since expressions and templates contain each other. */
type ParseExpression = (cursor: Cursor) => Expression;

/** A quoted template or a heredoc. */
export function parseTemplate(cursor: Cursor, parse: ParseExpression): Template {
  return cursor.deeper(() => {
    cursor.skipBlank();
    const { at: start } = cursor;
    const form = cursor.source[start] === '"' ? 'quoted' : 'heredoc';
    const parts = form === 'quoted' ? parseQuoted(cursor, parse) : parseHeredoc(cursor, parse);
    checkDirectives(cursor, parts);
    return { kind: 'template', form, parts, start, end: cursor.at };
  });
}

function parseQuoted(cursor: Cursor, parse: ParseExpression): TemplatePart[] {
  const { source } = cursor;
  const open = cursor.at++;
  const parts: TemplatePart[] = [];
  for (;;) {
    const start = cursor.at;
    let value = '';
    while (cursor.at < source.length && source[cursor.at] !== '"' && !isInserted(cursor)) {
      const char = source[cursor.at]!;
      if (char === '\n' || char === '\r') cursor.fail('A text in quotes ends on its line.', open);
      value += char === '\\' ? takeEscape(cursor) : takePlain(cursor);
    }
    if (cursor.at > start) parts.push({ kind: 'text', value, start, end: cursor.at });
    if (cursor.at >= source.length) cursor.fail('The text has no closing quote.', open);
    if (source[cursor.at] === '"') break;
    parts.push(parseInserted(cursor, parse));
  }
  cursor.at++;
  return parts;
}

function parseHeredoc(cursor: Cursor, parse: ParseExpression): TemplatePart[] {
  const { source } = cursor;
  const open = cursor.at;
  opening.lastIndex = open;
  const head = opening.exec(source);
  if (head === null) cursor.fail('A value is expected here.');
  const marker = head[1]!;
  cursor.at += head[0].length;
  const parts: TemplatePart[] = [];
  let text: TextPart | undefined;
  let isLineStart = true;
  for (;;) {
    const line = source.indexOf('\n', cursor.at);
    if (isLineStart && line >= 0 && source.slice(cursor.at, line).trim() === marker) {
      if (text !== undefined) parts.push(text);
      cursor.at = source[line - 1] === '\r' ? line - 1 : line;
      return parts;
    }
    if (cursor.at >= source.length) cursor.fail(`The text has no line "${marker}" that ends it.`, open);
    const start: number = cursor.at;
    if (isInserted(cursor)) {
      if (text !== undefined) parts.push(text);
      text = undefined;
      parts.push(parseInserted(cursor, parse));
      isLineStart = false;
      continue;
    }
    const value: string = takePlain(cursor);
    text = { kind: 'text', value: (text?.value ?? '') + value, start: text?.start ?? start, end: cursor.at };
    isLineStart = value === '\n';
  }
}

const isInserted = ({ source, at }: Cursor): boolean =>
  (source[at] === '$' || source[at] === '%') && source[at + 1] === '{';

/** One character; `$${` and `%%{` are escapes for `${` and `%{`. */
function takePlain(cursor: Cursor): string {
  const { source, at } = cursor;
  const isEscaped = /^(?:\$\$\{|%%\{)/.test(source.slice(at, at + 3));
  cursor.at += isEscaped ? 3 : 1;
  return isEscaped ? source.slice(at + 1, at + 3) : source[at]!;
}

function takeEscape(cursor: Cursor): string {
  const { source, at } = cursor;
  const plain = escapes[source[at + 1]!];
  if (plain !== undefined) {
    cursor.at += 2;
    return plain;
  }
  const code = /^\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(source.slice(at, at + 10));
  const point = Number.parseInt(code?.[1] ?? code?.[2] ?? '', 16);
  if (code === null || point > 0x10ffff) cursor.fail('This escape is not known.');
  cursor.at += code[0].length;
  return String.fromCodePoint(point);
}

function parseInserted(cursor: Cursor, parse: ParseExpression): InsertedPart {
  const start = cursor.at;
  const isDirective = cursor.source[start] === '%';
  cursor.at += cursor.source[start + 2] === '~' ? 3 : 2;
  return cursor.inside(false, (): InsertedPart => {
    const inner = isDirective
      ? parseDirective(cursor, parse)
      : { kind: 'interpolation' as const, expression: parse(cursor), names: [] };
    if (!cursor.take('~}')) cursor.expect('}');
    return { ...inner, start, end: cursor.at };
  });
}

function parseDirective(cursor: Cursor, parse: ParseExpression): Omit<InsertedPart, 'start' | 'end'> {
  const keyword = cursor.expectName();
  switch (keyword.text) {
    case 'if':
      return { kind: 'if', expression: parse(cursor), names: [] };
    case 'for': {
      const names = [cursor.expectName()];
      if (cursor.take(',')) names.push(cursor.expectName());
      cursor.expectWord('in');
      return { kind: 'for', expression: parse(cursor), names };
    }
    case 'else':
    case 'endif':
    case 'endfor':
      return { kind: keyword.text, names: [] };
    default:
      return cursor.fail(`"${keyword.text}" is no directive.`, keyword.start);
  }
}

/** Checks that every `if` and `for` has its end, and that `else` occurs at most once and only in an `if`. */
function checkDirectives(cursor: Cursor, parts: readonly TemplatePart[]): void {
  const open: { kind: 'if' | 'for' | 'else'; start: number }[] = [];
  for (const { kind, start } of parts) {
    const around = open.at(-1)?.kind;
    const isExpected =
      kind === 'else' ? around === 'if' : kind === 'endif' ? around === 'if' || around === 'else' : around === 'for';
    if (kind === 'if' || kind === 'for') open.push({ kind, start });
    else if (kind === 'else' || kind === 'endif' || kind === 'endfor') {
      if (!isExpected) cursor.fail(`"${kind}" has nothing before it that it belongs to.`, start);
      open.pop();
      if (kind === 'else') open.push({ kind, start });
    }
  }
  if (open.length > 0) cursor.fail('This directive has no end.', open.at(-1)!.start);
}
