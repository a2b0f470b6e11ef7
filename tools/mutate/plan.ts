import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './choose-targets.ts';
import { findMutants } from './find-mutants.ts';
import type { Mutant, NumberedMutant } from './mutant.ts';
import { toRemoval } from './removed-fixes.ts';
import { root } from './root.ts';

/** What the test processes are told, as JSON in the file that `PORTOLAN_MUTATION_PLAN` names. */
export interface Plan {
  readonly mutants: readonly NumberedMutant[];
  /** In the order in which they are asked. */
  readonly tests: readonly string[];
  /** Mutants that a test file is not asked about: another killed them, or it let them live before. */
  readonly settled: Readonly<Record<string, readonly number[]>>;
  /** After each of these the unchanged source is tried again: a batch with them ended in a process that was spoilt. */
  readonly careful: readonly number[];
  /** Where each answer is appended as a line of JSON. */
  readonly results: string;
}

/** A line of the results. `begun` tells the one who waits which mutant a process hangs on, and how long it may take. */
export type ResultLine =
  | { readonly begun: number; readonly test: string; readonly mayTakeMs: number }
  | { readonly killed: number; readonly test: string; readonly by: string }
  | { readonly survived: number; readonly test: string }
  | { readonly discarded: readonly number[]; readonly test: string }
  | { readonly uncovered: readonly number[]; readonly test: string }
  | { readonly done: true; readonly test: string }
  | { readonly broken: string; readonly test: string };

export const planVariable = 'PORTOLAN_MUTATION_PLAN';

export function readPlan(path: string): Plan {
  return JSON.parse(readFileSync(path, 'utf8')) as Plan;
}

/** All mutants of a target, numbered in their order. */
export function numberMutants({ sources, removals }: Pick<Target, 'sources' | 'removals'>): NumberedMutant[] {
  const mutants =
    removals?.map((each) => toRemoval(each, readSource(each.file))) ??
    sources.flatMap((file) => findMutants(file, readSource(file)));
  return mutants.map((each, id) => ({ ...each, id }));
}

export function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Names a mutant for later runs: the same as long as its source does not change. */
export function toKey({ file, start, end, replacement }: Mutant): string {
  return fingerprint(`${file}\n${readFingerprint(file)}\n${start}\n${end}\n${replacement}`);
}

const fingerprints = new Map<string, string>();

/** Of the text of a file; it is read once. */
export function readFingerprint(file: string): string {
  const known = fingerprints.get(file) ?? fingerprint(readSource(file));
  fingerprints.set(file, known);
  return known;
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
