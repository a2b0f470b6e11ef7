import { type Expression, inspect, JqError, type Pattern } from '@portolan/jq';
import { visitWithParent } from './expression-sites.ts';

interface SpanEdit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/**
 * An equivalent program in which each read of a relation or of a user's team names is an explicit path that can be
 * rewritten; undefined if there is nothing to unfold.
 */
export function unfoldExpression(source: string): string | undefined {
  let text = source;
  // forms may be nested: each round unfolds one
  for (let round = 0; round < 10; round++) {
    const edits = firstUnfolding(text);
    if (edits === undefined) break;
    text = spliced(text, edits);
  }
  return text === source ? undefined : text;
}

function firstUnfolding(source: string): readonly SpanEdit[] | undefined {
  let found: readonly SpanEdit[] | undefined;
  try {
    const { expression } = inspect(source);
    visitWithParent(expression, (node) => {
      found ??= unfoldBinding(source, expression, node) ?? unfoldPipe(source, node);
    });
  } catch (error) {
    // the unfolded program is over the length limit
    if (error instanceof JqError) return undefined;
    throw error;
  }
  return found;
}

/** `X.relations as $r | … $r.a` is `X as $r | … $r.relations.a`; `X as {relations: {a: $o}} | …` is `X.relations.a as $o | …`. */
function unfoldBinding(source: string, root: Expression, node: Expression): SpanEdit[] | undefined {
  if (node.kind !== 'bind' || node.patterns.length !== 1) return undefined;
  const pattern = node.patterns[0] as Pattern;
  const taken = takenFrom(pattern);
  if (taken) {
    const steps = taken.keys
      .map((key) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
      .join('');
    const isPlain = node.source.kind === 'identity';
    const after = isPlain ? steps : `${sourceText(source, node.source)} | ${steps}`;
    return [
      { start: node.source.start, end: node.source.end, after: isPlain ? after : `(${after})` },
      { start: pattern.start, end: pattern.end, after: `$${taken.variable}` },
    ];
  }
  if (pattern.kind !== 'variable' || !isRelations(node.source) || isBoundTwice(root, pattern.name)) return undefined;
  const edits: SpanEdit[] = [];
  let isSimple = true;
  visitWithParent(node.body, (inner, parent) => {
    if (inner.kind !== 'variable' || inner.name !== pattern.name) return;
    if (parent?.kind === 'object') isSimple = false;
    edits.push({ start: inner.end, end: inner.end, after: '.relations' });
  });
  const { target } = node.source;
  if (!isSimple || edits.length === 0) return undefined;
  return [{ start: node.source.start, end: node.source.end, after: sourceText(source, target) }, ...edits];
}

/** The keys that lead to a pattern's only variable, if `relations` is among them. */
function takenFrom(pattern: Pattern): { readonly keys: readonly string[]; readonly variable: string } | undefined {
  const keys: string[] = [];
  let at: Pattern = pattern;
  while (at.kind === 'object') {
    const [entry, ...more] = at.entries;
    const key = entry && keyText(entry.key);
    if (!entry || more.length > 0 || key === undefined || entry.variable !== null || entry.value === null) {
      return undefined;
    }
    keys.push(key);
    at = entry.value;
  }
  return at.kind === 'variable' && keys.includes('relations') ? { keys, variable: at.name } : undefined;
}

function isBoundTwice(root: Expression, name: string): boolean {
  let count = 0;
  const look = (pattern: Pattern): void => {
    if (pattern.kind === 'variable') count += pattern.name === name ? 1 : 0;
    else if (pattern.kind === 'array') pattern.items.forEach(look);
    else {
      for (const { variable, value } of pattern.entries) {
        if (variable === name) count++;
        if (value !== null) look(value);
      }
    }
  };
  visitWithParent(root, (node) => {
    if (node.kind === 'bind' || node.kind === 'reduce' || node.kind === 'foreach') node.patterns.forEach(look);
    if (node.kind === 'define') count += node.definition.parameters.some((each) => each.name === name) ? 1 : 0;
  });
  return count > 1;
}

/** `X.relations | {a}` is `X | {a: .relations.a}`; `X.teams | map(.name)` is `[X.teams[].name]`, and so on. */
function unfoldPipe(source: string, node: Expression): SpanEdit[] | undefined {
  if (node.kind !== 'pipe') return undefined;
  for (const [at, item] of node.items.entries()) {
    const next = node.items[at + 1];
    if (next === undefined) continue;
    if (isRelations(item) && next.kind === 'object') {
      const entries = unfoldEntries(source, next);
      const isPlain = item.target.kind === 'identity';
      const whole = { start: item.start, end: isPlain ? next.start : item.end };
      if (entries) return [{ ...whole, after: isPlain ? '' : sourceText(source, item.target) }, ...entries];
    }
    if (lastKey(item) === 'teams' && next.kind === 'call' && next.args.length === 1) {
      const inner = unfoldNames(source, next.args[0] as Expression);
      const list = `[${sourceText(source, item)}[].name]`;
      if (inner === undefined) continue;
      if (next.name === 'map' && inner === '.') return [{ start: item.start, end: next.end, after: list }];
      if (next.name === 'any' || next.name === 'all') {
        return [{ start: item.start, end: next.end, after: `${list} | ${next.name}(${inner})` }];
      }
    }
  }
  return undefined;
}

type Construction = Extract<Expression, { kind: 'object' }>;

function unfoldEntries(source: string, { entries }: Construction): SpanEdit[] | undefined {
  const edits = entries.map(({ key, value, form, start, end }): SpanEdit | undefined => {
    const name = keyText(key);
    if (form === 'variable' || name === undefined) return undefined;
    const shown = sourceText(source, key);
    const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    if (value === null) return { start, end, after: `${shown}: .relations${step}` };
    const isStep = value.kind === 'index' && value.target.kind === 'identity';
    return isStep ? { start: value.start, end: value.start, after: '.relations' } : undefined;
  });
  return edits.length > 0 && edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/** The argument with `.name` replaced by `.`, if it reads nothing else of its input. */
function unfoldNames(source: string, argument: Expression): string | undefined {
  const edits: SpanEdit[] = [];
  let isOnlyNames = true;
  visitWithParent(argument, (node, parent) => {
    if (node.kind === 'recurse' || (node.kind === 'call' && node.args.length === 0 && node.name !== 'not')) {
      isOnlyNames = false;
    }
    if (node.kind !== 'identity') return;
    if (parent?.kind === 'index' && parent.target === node && keyText(parent.key) === 'name') {
      edits.push({ start: parent.start - argument.start, end: parent.end - argument.start, after: '.' });
    } else isOnlyNames = false;
  });
  const hasPipes = /\|/.test(sourceText(source, argument));
  return isOnlyNames && edits.length > 0 && !hasPipes ? spliced(sourceText(source, argument), edits) : undefined;
}

type Index = Extract<Expression, { kind: 'index' }>;

function isRelations(node: Expression): node is Index {
  return lastKey(node) === 'relations';
}

function lastKey(node: Expression): string | undefined {
  return node.kind === 'index' ? keyText(node.key) : undefined;
}

function keyText(key: Expression): string | undefined {
  if (key.kind !== 'string' || key.format !== null) return undefined;
  return key.parts.every((part) => typeof part === 'string') ? key.parts.join('') : undefined;
}

function sourceText(source: string, { start, end, kind }: Expression): string {
  return start === end && kind === 'identity' ? '.' : source.slice(start, end);
}

function spliced(source: string, edits: readonly SpanEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, after }) => text.slice(0, start) + after + text.slice(end), source);
}
