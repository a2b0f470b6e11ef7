import type { History } from './history.ts';
import { changedLines, type NumberedMutant } from './mutant.ts';
import { readSource, toKey } from './plan.ts';

export interface Equivalent {
  readonly file: string;
  /** The lines as they are and as the mutant has them, without the space around them. */
  readonly before: string;
  readonly after: string;
  /** Why nobody can tell the two apart. */
  readonly reason: string;
}

export type MutantFate = 'killed' | 'survived' | 'ill-typed' | 'equivalent';

export interface MutantResult {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  readonly fate: MutantFate;
  readonly killedBy?: string;
}

export interface FolderReport {
  readonly name: string;
  readonly counts: Readonly<Record<MutantFate, number>>;
  /** Of the mutants that compile and are no equivalents, in percent; null if there are none. */
  readonly score: number | null;
  readonly mutants: readonly MutantResult[];
}

export function judge(mutant: NumberedMutant, history: History, equivalents: readonly Equivalent[]): MutantResult {
  const { file, kind } = mutant;
  const { line, before, after } = changedLines(readSource(file), mutant);
  const key = toKey(mutant);
  const killedBy = history.killedBy.get(key);
  const isEquivalent = equivalents.some((each) => isAbout(each, { file, before, after }));
  const fate: MutantFate =
    history.compiles.get(key) === false ? 'ill-typed' : isEquivalent ? 'equivalent' : killedBy ? 'killed' : 'survived';
  return { file, line, kind, before, after, fate, ...(killedBy && { killedBy }) };
}

/** Whether an entry of the list of equivalents is about this change. */
export function isAbout(entry: Equivalent, mutant: Pick<MutantResult, 'file' | 'before' | 'after'>): boolean {
  return entry.file === mutant.file && entry.before === mutant.before.trim() && entry.after === mutant.after.trim();
}

export function reportFolder(name: string, mutants: readonly MutantResult[]): FolderReport {
  const count = (fate: MutantFate): number => mutants.filter((each) => each.fate === fate).length;
  const counts = {
    killed: count('killed'),
    survived: count('survived'),
    'ill-typed': count('ill-typed'),
    equivalent: count('equivalent'),
  };
  const judged = counts.killed + counts.survived;
  return { name, counts, score: judged === 0 ? null : Math.floor((counts.killed / judged) * 1000) / 10, mutants };
}

/** The survivors of a folder, each with its place and what nobody noticed. */
export function survivorLines({ mutants }: FolderReport): string[] {
  return mutants
    .filter(({ fate }) => fate === 'survived')
    .map(
      ({ file, line, kind, before, after }) =>
        `${file}:${line} ${kind}\n${marked('-', before)}\n${marked('+', after)}\n`,
    );
}

function marked(sign: string, lines: string): string {
  return lines
    .split('\n')
    .map((line) => `  ${sign} ${line.trim()}`)
    .join('\n');
}

export function scoreTable(folders: readonly FolderReport[]): string {
  const rows = folders.map(({ name, counts, score }) => [
    name,
    score === null ? '–' : score.toFixed(1),
    String(counts.killed),
    String(counts.survived),
    String(counts.equivalent),
    String(counts['ill-typed']),
  ]);
  const heads = ['folder', 'score %', 'killed', 'survived', 'equivalent', 'ill-typed'];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [heads, ...rows].map(lineOf).join('\n');
}
