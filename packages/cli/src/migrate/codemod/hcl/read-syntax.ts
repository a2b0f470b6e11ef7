import type { Attribute, Block, Body, Expression, Name, ObjectEntry } from './syntax.ts';

/** The text of a template without interpolations. */
export function constantText(expression: Expression): string | undefined {
  if (expression.kind !== 'template') return undefined;
  return expression.parts.every(({ kind }) => kind === 'text')
    ? expression.parts.map((part) => ('value' in part ? part.value : '')).join('')
    : undefined;
}

/** A constant key; a bare name is its own text. */
export function keyText({ key }: ObjectEntry): string | undefined {
  if (key.kind === 'variable') return key.name;
  return key.kind === 'literal' ? String(key.value) : constantText(key);
}

export function findAttribute(body: Body, name: string): Attribute | undefined {
  return body.entries.find((entry): entry is Attribute => entry.kind === 'attribute' && entry.name.text === name);
}

export function listBlocks(body: Body, name: string): Block[] {
  return body.entries.filter((entry): entry is Block => entry.kind === 'block' && entry.name.text === name);
}

export function listChildren(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'template':
      return node.parts.flatMap((part) => ('expression' in part && part.expression ? [part.expression] : []));
    case 'access':
      return [node.from, ...node.steps.flatMap((step) => (step.kind === 'index' ? [step.key] : []))];
    case 'call':
      return node.arguments;
    case 'tuple':
      return node.items;
    case 'object':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'for':
      return [node.collection, node.key, node.value, node.condition].filter((each) => each !== undefined);
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.then, node.otherwise];
    case 'group':
      return [node.body];
  }
}

/** Yields the expressions of a body and its blocks, parents before children. */
export function* walkExpressions(part: Body | Expression): Generator<Expression> {
  if ('entries' in part && !('kind' in part)) {
    for (const entry of part.entries) yield* walkExpressions(entry.kind === 'attribute' ? entry.value : entry.body);
    return;
  }
  yield part as Expression;
  for (const child of listChildren(part as Expression)) yield* walkExpressions(child);
}

/** The leading names of an access such as `a.b.c`, up to the first step that is not a name. */
export function listNames(expression: Expression): readonly Name[] {
  if (expression.kind === 'variable') return [{ text: expression.name, start: expression.start, end: expression.end }];
  if (expression.kind !== 'access' || expression.from.kind !== 'variable') return [];
  const names: Name[] = [...listNames(expression.from)];
  for (const step of expression.steps) {
    if (step.kind !== 'attribute') break;
    names.push(step.name);
  }
  return names;
}
