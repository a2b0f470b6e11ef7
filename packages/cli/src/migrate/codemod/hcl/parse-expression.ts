import type { Cursor } from './cursor.ts';
import { parseTemplate } from './parse-template.ts';
import type { AccessStep, Call, Expression, ForExpression, ObjectEntry } from './syntax.ts';

/** By precedence, lowest first. */
const operators: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

export function parseExpression(cursor: Cursor): Expression {
  return cursor.deeper(() => {
    const condition = parseBinary(cursor, 0);
    if (!cursor.take('?')) return condition;
    const then = parseExpression(cursor);
    cursor.expect(':');
    const otherwise = parseExpression(cursor);
    return { kind: 'conditional', condition, then, otherwise, start: condition.start, end: otherwise.end };
  });
}

function parseBinary(cursor: Cursor, level: number): Expression {
  if (level === operators.length) return parseOperand(cursor);
  let left = parseBinary(cursor, level + 1);
  for (;;) {
    const operator = cursor.peek();
    if (!operators[level]!.includes(operator)) return left;
    cursor.expect(operator);
    const right = parseBinary(cursor, level + 1);
    left = { kind: 'binary', operator, left, right, start: left.start, end: right.end };
  }
}

function parseOperand(cursor: Cursor): Expression {
  const sign = cursor.peek();
  const start = cursor.at;
  if (sign === '-' || sign === '!') {
    cursor.expect(sign);
    const operand = cursor.deeper(() => parseOperand(cursor));
    return { kind: 'unary', operand, start, end: operand.end };
  }
  const from = parseTerm(cursor, sign);
  const steps: AccessStep[] = [];
  let isInSplat = false;
  for (let next = cursor.peek(); next === '.' || next === '['; next = cursor.peek()) {
    const read = next === '.' ? parseDot(cursor) : [parseIndex(cursor)];
    const isSplat = read[0]!.kind === 'splat';
    if (next === '.' && isSplat && isInSplat) cursor.fail('One ".*" takes no other after it.', read[0]!.start);
    isInSplat = next === '.' && (isSplat || isInSplat);
    steps.push(...read);
  }
  return steps.length === 0 ? from : { kind: 'access', from, steps, start, end: steps.at(-1)!.end };
}

function parseTerm(cursor: Cursor, sign: string): Expression {
  const start = cursor.at;
  if (sign === '"' || sign === '<<') return parseTemplate(cursor, parseExpression);
  if (sign === '[') return parseTuple(cursor);
  if (sign === '{') return parseObject(cursor);
  if (sign === '(') {
    cursor.expect('(');
    const body = cursor.inside(false, () => {
      const inner = parseExpression(cursor);
      cursor.expect(')');
      return inner;
    });
    return { kind: 'group', body, start, end: cursor.at };
  }
  const digits = cursor.takeNumber();
  if (digits !== undefined) {
    if (!/^\d+(\.\d+)?([eE][+-]?\d+)?$/.test(digits)) cursor.fail(`${digits} is no number.`, start);
    return { kind: 'literal', value: Number(digits), start, end: cursor.at };
  }
  const name = cursor.takeName();
  if (name === undefined) cursor.fail('A value is expected here.');
  const next = cursor.peek();
  if (next === '(' || next === '::') return parseCall(cursor, name.text, start);
  const span = { start, end: name.end };
  if (name.text === 'true' || name.text === 'false') return { kind: 'literal', value: name.text === 'true', ...span };
  return name.text === 'null'
    ? { kind: 'literal', value: null, ...span }
    : { kind: 'variable', name: name.text, ...span };
}

function parseCall(cursor: Cursor, first: string, start: number): Call {
  let text = first;
  while (cursor.take('::')) text += `::${cursor.expectName().text}`;
  const name = { text, start, end: cursor.at };
  cursor.expect('(');
  return cursor.inside(false, () => {
    const given: Expression[] = [];
    let isExpanded = false;
    while (!cursor.take(')')) {
      given.push(parseExpression(cursor));
      isExpanded = cursor.take('...');
      if (isExpanded || !cursor.take(',')) {
        cursor.expect(')');
        break;
      }
    }
    return { kind: 'call', name, arguments: given, isExpanded, start, end: cursor.at };
  });
}

/** `.name`, `.*`, and the older `.0` for an index. */
function parseDot(cursor: Cursor): AccessStep[] {
  const start = cursor.at;
  cursor.expect('.');
  if (cursor.take('*')) return [{ kind: 'splat', start, end: cursor.at }];
  const digits = cursor.takeNumber();
  if (digits === undefined) {
    const name = cursor.expectName();
    return [{ kind: 'attribute', name, start, end: name.end }];
  }
  const end = cursor.at;
  return digits.split('.').map((each) => {
    if (!/^\d+$/.test(each)) cursor.fail(`${digits} is no index.`, start);
    return { kind: 'index', key: { kind: 'literal', value: Number(each), start, end }, start, end };
  });
}

function parseIndex(cursor: Cursor): AccessStep {
  const start = cursor.at;
  cursor.expect('[');
  return cursor.inside(false, () => {
    if (cursor.take('*')) {
      cursor.expect(']');
      return { kind: 'splat', start, end: cursor.at };
    }
    const key = parseExpression(cursor);
    cursor.expect(']');
    return { kind: 'index', key, start, end: cursor.at };
  });
}

function parseTuple(cursor: Cursor): Expression {
  const start = cursor.at;
  cursor.expect('[');
  return cursor.inside(false, () => {
    if (cursor.peekName() === 'for') return parseFor(cursor, start, ']');
    const items: Expression[] = [];
    while (!cursor.take(']')) {
      items.push(parseExpression(cursor));
      if (!cursor.take(',')) {
        cursor.expect(']');
        break;
      }
    }
    return { kind: 'tuple', items, start, end: cursor.at };
  });
}

function parseObject(cursor: Cursor): Expression {
  const start = cursor.at;
  cursor.expect('{');
  const isFor = cursor.inside(false, () => cursor.peekName() === 'for');
  if (isFor) return cursor.inside(false, () => parseFor(cursor, start, '}'));
  return cursor.inside(true, () => {
    const entries: ObjectEntry[] = [];
    for (;;) {
      cursor.skipLines();
      if (cursor.take('}')) break;
      const key = parseExpression(cursor);
      if (!cursor.take('=')) cursor.expect(':');
      const value = parseExpression(cursor);
      entries.push({ key, value, start: key.start, end: value.end });
      if (cursor.take('}')) break;
      if (!cursor.take(',') && !cursor.takeLineEnd()) cursor.fail('A comma, a line end or "}" is expected here.');
    }
    return { kind: 'object', entries, start, end: cursor.at };
  });
}

function parseFor(cursor: Cursor, start: number, close: ']' | '}'): ForExpression {
  cursor.expectName();
  const names = [cursor.expectName()];
  if (cursor.take(',')) names.push(cursor.expectName());
  cursor.expectWord('in');
  const collection = parseExpression(cursor);
  cursor.expect(':');
  const first = parseExpression(cursor);
  let value = first;
  if (close === '}') {
    cursor.expect('=>');
    value = parseExpression(cursor);
    cursor.take('...');
  }
  const hasCondition = cursor.peekName() === 'if';
  if (hasCondition) cursor.expectName();
  const condition = hasCondition ? parseExpression(cursor) : undefined;
  cursor.expect(close);
  return {
    kind: 'for',
    names,
    collection,
    ...(close === '}' ? { key: first } : {}),
    value,
    ...(condition === undefined ? {} : { condition }),
    start,
    end: cursor.at,
  };
}
