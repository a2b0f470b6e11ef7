import type { AbstractValue } from '../analysis/abstract-value.ts';
import { anyOne, extendPlace, matchesPlace, type Place } from '../analysis/place.ts';
import type { AnalysisListener } from '../analysis/record.ts';
import type { Expression } from '../syntax/ast.ts';
import type { ComparisonEdit, Replacement } from './edits.ts';

/** Listens for texts compared with the value at `edit.path` and reports those equal to `edit.from`. */
export function comparisonFinder(edit: ComparisonEdit, report: (replacement: Replacement) => void): AnalysisListener {
  const after = JSON.stringify(edit.to);
  const replaceIn = (node: Expression): void => {
    for (const literal of listTexts(node)) {
      if (literal.parts.join('') === edit.from) report({ start: literal.start, end: literal.end, after });
    }
  };
  return {
    onCompare: (left, leftValue, right, rightValue) => {
      if (isMeant(leftValue, edit.path)) replaceIn(right);
      if (left !== null && isMeant(rightValue, edit.path)) replaceIn(left);
    },
  };
}

/** Whether the value can only be the one at `path`, or elements of it. */
function isMeant(value: AbstractValue, path: Place): boolean {
  if (value.places.length === 0) {
    const inner = value.members === null ? [] : [...value.members.values()];
    return inner.length > 0 && inner.every((member) => isMeant(member, path));
  }
  const isAt = (place: Place): boolean => matchesPlace(path, place) || matchesPlace(extendPlace(path, anyOne), place);
  return value.places.every(isAt);
}

type Text = Extract<Expression, { kind: 'string' }>;

/** The literal texts of an operand: one, several with commas, or those of a list. */
export function listTexts(node: Expression): Text[] {
  switch (node.kind) {
    case 'string':
      return node.format === null && node.parts.every((part) => typeof part === 'string') ? [node] : [];
    case 'group':
      return listTexts(node.body);
    case 'array':
      return node.body === null ? [] : listTexts(node.body);
    case 'comma':
      return node.items.flatMap(listTexts);
    case 'pipe':
      return node.items.length === 1 ? listTexts(node.items[0]!) : [];
    case 'iterate':
      return listTexts(node.target);
    default:
      return [];
  }
}
