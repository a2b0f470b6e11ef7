import { analyseExpression } from '../analysis/analyse.ts';
import type { Span } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import type { ComparisonEdit, PathEdit, Replacement } from './edits.ts';
import { comparisonFinder } from './rewrite-comparison.ts';
import { pathFinder } from './rewrite-path.ts';

export type Edit = PathEdit | ComparisonEdit;

export interface Change extends Span {
  readonly before: string;
  readonly after: string;
}

/** An access that an edit targets but cannot replace in place; `reason` is for people. */
export interface RemainingPlace extends Span {
  readonly text: string;
  readonly reason: string;
}

export interface RewrittenSource {
  readonly source: string;
  readonly changes: readonly Change[];
  readonly remaining: readonly RemainingPlace[];
}

/**
 * Applies edits to a program's text. Only the replaced spans change: everything else, including comments and spacing,
 * stays byte for byte. Accesses that the analysis cannot pin to one place (computed keys, `..`) are not touched. Throws
 * what `parse` throws; the result always parses.
 */
export function rewrite(source: string, edits: readonly Edit[]): RewrittenSource {
  const expression = parse(source);
  const found: Replacement[] = [];
  for (const edit of edits) {
    const report = (replacement: Replacement): void => void found.push(replacement);
    const listener =
      edit.kind === 'path' ? pathFinder(source, expression, edit, report) : comparisonFinder(edit, report);
    analyseExpression(expression, {}, listener);
  }
  return apply(source, found);
}

/**
 * Replacements reported several times for a span (loops, both calls of a function) must agree; of nested ones the outer
 * wins.
 */
function apply(source: string, found: readonly Replacement[]): RewrittenSource {
  const changes: Change[] = [];
  const remaining: RemainingPlace[] = [];
  const sorted = found.slice().sort((a, b) => a.start - b.start || b.end - a.end);
  for (const { start, end, after, reason } of sorted) {
    const before = source.slice(start, end);
    if (after === undefined) {
      if (!remaining.some((other) => other.start === start && other.end === end)) {
        remaining.push({ start, end, text: before, reason: reason ?? 'cannot be replaced in place' });
      }
      continue;
    }
    const last = changes.at(-1);
    if (last !== undefined && start < last.end) {
      if (last.start === start && last.end === end && last.after === after) continue;
      if (last.start <= start && end <= last.end && last.end - last.start > end - start) continue;
      remaining.push({ start, end, text: before, reason: 'overlaps another change' });
      continue;
    }
    if (before !== after) changes.push({ start, end, before, after });
  }
  let text = '';
  let at = 0;
  for (const change of changes) {
    text += source.slice(at, change.start) + change.after;
    at = change.end;
  }
  text += source.slice(at);
  parse(text);
  return { source: text, changes, remaining };
}
