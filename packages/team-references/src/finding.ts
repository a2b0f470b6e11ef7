import type { DocumentEdit, TeamReference, Verdict } from './plan.ts';

/** A finding in a value, independent of the place of the value. */
export interface Finding {
  readonly references: readonly TeamReference[];
  readonly verdict: Verdict;
  readonly why: string;
  readonly expression?: string;
  readonly suggestion?: {
    readonly value: unknown;
    readonly explanation: string;
    /** Part of the place still needs a review, whether or not the suggestion is written. */
    readonly isPartial?: boolean;
    /** Other places that have to change with it. */
    readonly more?: readonly DocumentEdit[];
  };
}

const strength: Record<Verdict, number> = { mentions: 0, review: 1, breaks: 2 };

export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((left, right) => (strength[right] > strength[left] ? right : left), 'mentions');
}

/** `one`, `one and two`, `one, two and three`. */
export function listed(parts: readonly string[]): string {
  const distinct = [...new Set(parts)];
  return distinct.length < 2
    ? (distinct[0] ?? '')
    : `${distinct.slice(0, -1).join(', ')} and ${distinct[distinct.length - 1]}`;
}
