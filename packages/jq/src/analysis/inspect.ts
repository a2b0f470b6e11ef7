import { listTexts } from '../rewrite/rewrite-comparison.ts';
import type { Expression, Pattern, Span } from '../syntax/ast.ts';
import { constantKey } from '../syntax/constant-key.ts';
import { parse } from '../syntax/parser.ts';
import { visitExpression } from '../syntax/visit.ts';
import { type AbstractValue, listSources } from './abstract-value.ts';
import { type Analysis, analyseExpression } from './analyse.ts';
import { literalPath } from './builtin-models.ts';
import { isSamePlace, type Place, type Segment } from './place.ts';

/** A step with constant keys, and the places of the input from which it can start. */
export interface Step extends Span {
  readonly keys: readonly Segment[];
  readonly from: readonly Place[];
}

/** A text that the program uses as a value. */
export interface TextLiteral extends Span {
  readonly text: string;
  /** Places that the text, or a list containing it, is compared with, searched in or subtracted from. */
  readonly comparedWith: readonly Place[];
  /** Whether it is compared with anything, in the input or not. */
  readonly isCompared: boolean;
  /** Whether it is the key of an object that the program builds. */
  readonly isKey: boolean;
}

export interface Inspection {
  readonly expression: Expression;
  readonly analysis: Analysis;
  readonly steps: readonly Step[];
  readonly literals: readonly TextLiteral[];
}

/** The steps and texts of a program with the values that reach them. Throws what `parse` throws. */
export function inspect(source: string): Inspection {
  const expression = parse(source);
  const steps = new Map<string, { span: Span; keys: readonly Segment[]; from: Place[] }>();
  const compared = new Map<Expression, Place[]>();
  const note = (operand: Expression, other: AbstractValue): void => {
    for (const literal of listTexts(operand)) {
      const places = compared.get(literal) ?? [];
      add(places, listSources(other));
      compared.set(literal, places);
    }
  };
  const analysis = analyseExpression(
    expression,
    {},
    {
      onStep: (node, input) => {
        const keys = literalKeys(node);
        if (keys === undefined) return;
        const id = `${node.start}:${node.end}`;
        const step = steps.get(id) ?? { span: { start: node.start, end: node.end }, keys, from: [] };
        add(step.from, [...input.places, ...input.loose]);
        steps.set(id, step);
      },
      onCompare: (left, leftValue, right, rightValue) => {
        note(right, leftValue);
        if (left !== null) note(left, rightValue);
      },
    },
  );
  return {
    expression,
    analysis,
    steps: [...steps.values()].map(({ span, keys, from }) => ({ ...span, keys, from })),
    literals: listLiterals(expression).map(({ node, isKey }) => ({
      start: node.start,
      end: node.end,
      text: node.parts.join(''),
      comparedWith: compared.get(node) ?? [],
      isCompared: compared.has(node),
      isKey,
    })),
  };
}

function literalKeys(node: Expression): readonly Segment[] | undefined {
  if (node.kind === 'call') return node.args[0] && literalPath(node.args[0]);
  const key = constantKey(node.kind === 'index' ? node.key : node);
  return key === undefined ? undefined : [key];
}

function add(places: Place[], more: readonly Place[]): void {
  for (const place of more) if (!places.some((known) => isSamePlace(known, place))) places.push(place);
}

type Text = Extract<Expression, { kind: 'string' }>;

/** Texts used as values; names of steps are left out. */
function listLiterals(root: Expression): { readonly node: Text; readonly isKey: boolean }[] {
  const names = new Set<Expression>();
  const keys = new Set<Expression>();
  const noteKeys = (pattern: Pattern): void => {
    if (pattern.kind === 'array') pattern.items.forEach(noteKeys);
    if (pattern.kind !== 'object') return;
    for (const entry of pattern.entries) {
      names.add(entry.key);
      if (entry.value !== null) noteKeys(entry.value);
    }
  };
  const found: { node: Text; isKey: boolean }[] = [];
  visitExpression(root, (node) => {
    if (node.kind === 'index' && constantKey(node.key) !== undefined) names.add(node.key);
    if (node.kind === 'bind' || node.kind === 'reduce' || node.kind === 'foreach') node.patterns.forEach(noteKeys);
    if (node.kind === 'object') {
      for (const { key, value } of node.entries) (value === null ? names : keys).add(key);
    }
    if (node.kind === 'call' && node.name === 'getpath' && node.args[0] && literalPath(node.args[0])) {
      visitExpression(node.args[0], (part) => names.add(part));
    }
    const isPlain =
      node.kind === 'string' && node.format === null && node.parts.every((part) => typeof part === 'string');
    if (isPlain && !names.has(node)) found.push({ node: node as Text, isKey: keys.has(node) });
  });
  return found;
}
