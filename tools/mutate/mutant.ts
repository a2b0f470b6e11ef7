/** One small change of one source file: the text between two offsets, and what stands there instead. */
export interface Mutant {
  /** From the top folder. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What sort of change it is, in the words of the README. */
  readonly kind: MutantKind;
}

export type MutantKind =
  | 'condition'
  | 'operand'
  | 'boundary'
  | 'equality'
  | 'fallback'
  | 'arithmetic'
  | 'literal'
  | 'element'
  | 'statement'
  | 'return'
  | 'call'
  | 'sql'
  | 'removal';

/** A mutant that a run knows by number. */
export interface NumberedMutant extends Mutant {
  readonly id: number;
}

/** A statement is removed; everything else takes the place of an expression. */
export function isRemoval({ kind }: Mutant): boolean {
  return kind === 'statement';
}

/** The source with the one change made. */
export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** The lines that change, before and after, and the number of the first. */
export function changedLines(text: string, mutant: Mutant): { line: number; before: string; after: string } {
  const first = text.lastIndexOf('\n', mutant.start - 1) + 1;
  const next = text.indexOf('\n', mutant.end);
  const last = next === -1 ? text.length : next;
  return {
    line: text.slice(0, first).split('\n').length,
    before: text.slice(first, last),
    after: text.slice(first, mutant.start) + mutant.replacement + text.slice(mutant.end, last),
  };
}
