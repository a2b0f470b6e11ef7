import type { Issue } from '@portolan/contract/errors';
import { type JqValue, unreadableTemplates, whyUnreadable } from '@portolan/jq';

/**
 * What becomes of an expression that can never be carried out, by what it is for. It is kept, and its author is told, where
 * it comes to nothing: clients store such, some on purpose. It is refused where it decides what somebody may do, and
 * where data is changed by it at once (decision 0075).
 */
const outcomes = {
  calculation: 'has no value',
  form: 'will fail',
  backend: 'will fail',
  workflow: 'will fail',
  mapping: 'will fail',
  'condition of an automation': 'never holds',
  policy: 'refused',
  'data migration': 'refused',
} as const;

export type JqUse = keyof typeof outcomes;

/** Something with JQ in it that is about to be stored: an expression, or a document with `{{ }}` in it. */
export type StoredJq = { readonly use: JqUse; readonly path: string } & (
  | { readonly expression: string }
  | { readonly template: unknown }
);

export interface JqVerdict {
  readonly issues: readonly Issue[];
  readonly warnings: readonly string[];
}

const warningsMax = 20;

/** The one place that says whether JQ can be stored; whoever stores it says what it is for. */
export function checkStoredJq(stored: readonly StoredJq[]): JqVerdict {
  const issues: Issue[] = [];
  const warnings: string[] = [];
  for (const each of stored) {
    const outcome = outcomes[each.use];
    for (const { path, message } of findProblems(each)) {
      if (outcome === 'refused') issues.push({ path, message: `is not a usable JQ expression: ${message}` });
      else warnings.push(`${path} cannot be read and ${outcome}: ${message}`);
    }
  }
  return { issues, warnings: warnings.slice(0, warningsMax) };
}

function findProblems(stored: StoredJq): Issue[] {
  if ('template' in stored) {
    const found = unreadableTemplates(stored.template as JqValue);
    return found.map(({ path, message }) => ({ path: [stored.path, ...path].join('/'), message }));
  }
  const message = whyUnreadable(stored.expression);
  return message === undefined ? [] : [{ path: stored.path, message }];
}
