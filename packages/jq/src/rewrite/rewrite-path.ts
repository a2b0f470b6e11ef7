import type { AbstractValue } from '../analysis/abstract-value.ts';
import { literalPath } from '../analysis/builtin-models.ts';
import { isSameSegment, isUnknownSegment, matchesPlace, type Place, type Segment } from '../analysis/place.ts';
import type { AnalysisListener } from '../analysis/record.ts';
import type { Expression, Pattern } from '../syntax/ast.ts';
import { constantKey } from '../syntax/constant-key.ts';
import { visitExpression } from '../syntax/visit.ts';
import type { PathEdit, Replacement } from './edits.ts';

/** The place of a value that is certainly one place of the input. */
function onlyPlace(value: AbstractValue): Place | undefined {
  return value.places.length === 1 && value.loose.length === 0 && value.members === null ? value.places[0] : undefined;
}

/** The syntactic surroundings of a node, which determine how its steps are replaced. */
interface Context {
  /** Nodes that are shorthand keys of an object construction, with the key's name. */
  readonly shorthand: Map<Expression, string>;
  /** Keys of patterns: the variable for `{$name}`, else null. */
  readonly patternKeys: Map<Expression, string | null>;
  /** For a part of a pipe that consists only of steps on `.`: the part before it. */
  readonly previous: Map<Expression, Expression>;
}

function collectContext(root: Expression): Context {
  const context: Context = { shorthand: new Map(), patternKeys: new Map(), previous: new Map() };
  const noteKeys = (pattern: Pattern): void => {
    if (pattern.kind === 'array') pattern.items.forEach(noteKeys);
    if (pattern.kind !== 'object') return;
    for (const entry of pattern.entries) {
      context.patternKeys.set(entry.key, entry.variable);
      if (entry.value !== null) noteKeys(entry.value);
    }
  };
  visitExpression(root, (node) => {
    if (node.kind === 'object') {
      for (const { key, value, form } of node.entries) {
        const name = constantKey(key);
        if (value === null && form !== 'variable' && typeof name === 'string') context.shorthand.set(key, name);
      }
    }
    if (node.kind === 'bind' || node.kind === 'reduce' || node.kind === 'foreach') node.patterns.forEach(noteKeys);
    if (node.kind === 'pipe') {
      for (let at = 1; at < node.items.length; at++) {
        const base = findBase(node.items[at]!);
        if (base.kind === 'identity') context.previous.set(base, node.items[at - 1]!);
      }
    }
  });
  return context;
}

/** The expression at the start of a chain of steps. */
function findBase(node: Expression): Expression {
  let at = node;
  while (
    at.kind === 'index' ||
    at.kind === 'iterate' ||
    at.kind === 'slice' ||
    (at.kind === 'try' && at.form === 'suffix')
  ) {
    at = at.kind === 'try' ? at.body : at.target;
  }
  return at;
}

/** Listens for accesses to `edit.from` and reports how each is replaced, or why not. */
export function pathFinder(
  source: string,
  root: Expression,
  edit: PathEdit,
  report: (replacement: Replacement) => void,
): AnalysisListener {
  const context = collectContext(root);
  const { from, to } = edit;
  const last = from.at(-1)!;
  const common = commonLength(from, to);
  return {
    onStep: (node, input) => {
      const inputPlace = onlyPlace(input);
      if (node.kind === 'call') return replaceGetpath(source, node, inputPlace, edit, report);
      if (inputPlace === undefined || !matchesPlace(from.slice(0, -1), inputPlace)) return;
      const key = node.kind === 'index' ? constantKey(node.key) : constantKey(node);
      if (key === undefined || !isSameSegment(key, last)) return;
      if (node.kind === 'index') return report(replaceChain(node, edit, common, context));
      if (context.shorthand.has(node)) return report(replaceShorthand(node, inputPlace, to, context));
      report(replacePatternKey(node, from, to, context));
    },
  };
}

function commonLength(left: Place, right: Place): number {
  let length = 0;
  while (length < left.length && length < right.length && isSameSegment(left[length]!, right[length]!)) length++;
  return length;
}

/** Replaces the steps after the common part of both paths, back across a `|` if the steps continue over it. */
function replaceChain(node: Expression, edit: PathEdit, common: number, context: Context): Replacement {
  const { from, to } = edit;
  let left = from.length - Math.min(common, from.length - 1);
  let at: Expression = node;
  const text = formatSteps(to.slice(from.length - left));
  for (;;) {
    if (at.kind === 'try' && at.form === 'suffix') at = at.body;
    else if (at.kind === 'group') at = at.body;
    else if (at.kind === 'identity') {
      const previous = context.previous.get(at);
      if (previous === undefined || left === 0) break;
      at = previous;
    } else if (left > 0 && (at.kind === 'index' || at.kind === 'iterate')) {
      left--;
      at = at.target;
      if (left === 0) break;
    } else break;
  }
  if (left > 0) return { start: node.start, end: node.end, reason: 'the path is not written out in one place' };
  const start = at.kind === 'identity' ? at.start : at.end;
  const after = at.kind === 'identity' && !text.startsWith('.') ? `.${text}` : text;
  return { start, end: node.end, after: after === '' && at.kind === 'identity' ? '.' : after };
}

function replaceShorthand(node: Expression, input: Place, to: Place, context: Context): Replacement {
  const { start, end } = node;
  if (!matchesPlace(to.slice(0, input.length), input))
    return { start, end, reason: 'the new path lies outside of this value' };
  const steps = formatSteps(to.slice(input.length));
  return {
    start,
    end,
    after: `${formatKey(context.shorthand.get(node)!)}: ${steps.startsWith('.') ? steps : `.${steps}`}`,
  };
}

function replacePatternKey(node: Expression, from: Place, to: Place, context: Context): Replacement {
  const { start, end } = node;
  const key = to.at(-1);
  if (to.length !== from.length || commonLength(from, to) !== from.length - 1 || typeof key !== 'string') {
    return { start, end, reason: 'a pattern takes the value apart here' };
  }
  const variable = context.patternKeys.get(node) ?? null;
  return { start, end, after: variable === null ? formatKey(key) : `${formatKey(key)}: $${variable}` };
}

/** `getpath(["a", "b"])` with constant keys. */
function replaceGetpath(
  source: string,
  node: Extract<Expression, { kind: 'call' }>,
  input: Place | undefined,
  edit: PathEdit,
  report: (replacement: Replacement) => void,
): void {
  const [list] = node.args;
  const keys = list === undefined ? undefined : literalPath(list);
  if (input === undefined || keys === undefined) return;
  const whole = [...input, ...keys];
  if (!matchesPlace(edit.from, whole.slice(0, edit.from.length)) || input.length >= edit.from.length) return;
  const rest = [...edit.to, ...whole.slice(edit.from.length)];
  const { start, end } = list!;
  if (!matchesPlace(rest.slice(0, input.length), input) || rest.slice(input.length).some(isUnknownSegment)) {
    return report({ start, end, reason: 'the new path cannot be written as a list of keys here' });
  }
  const separator = source.slice(start, end).includes(', ') || keys.length < 2 ? ', ' : ',';
  report({
    start,
    end,
    after: `[${rest
      .slice(input.length)
      .map((key) => JSON.stringify(key))
      .join(separator)}]`,
  });
}

/** Steps as jq writes them: `.name`, `["other name"]`, `[0]`, `[]`. */
function formatSteps(steps: Place): string {
  return steps.map(formatStep).join('');
}

function formatStep(step: Segment): string {
  if (isUnknownSegment(step)) return '[]';
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

function formatKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}
