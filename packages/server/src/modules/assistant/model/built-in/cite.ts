/** What was read under a reference: a record, or the figures of a call. */
export interface Referred {
  readonly _ref?: string | undefined;
}

const refsMax = 6;

/** Footnote marks of what a sentence rests on; empty where nothing is numbered. */
export function cite(...read: readonly (Referred | undefined)[]): string {
  const refs = new Set(read.flatMap((each) => (typeof each?._ref === 'string' ? [each._ref] : [])));
  return [...refs]
    .slice(0, refsMax)
    .map((ref) => `[^${ref}]`)
    .join('');
}
