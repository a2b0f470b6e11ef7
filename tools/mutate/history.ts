import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';

/** What an earlier run found out about a mutant of the same source. */
export type Finding =
  | { readonly key: string; readonly killedBy: string }
  /** The kill is taken back: it may have been the work of a mutant before it. */
  | { readonly key: string; readonly doubted: true }
  /** The test file, with a fingerprint of its text, that let it live. */
  | { readonly key: string; readonly survived: string }
  | { readonly key: string; readonly compiles: boolean };

const path = join(root, 'node_modules/.cache/portolan-mutate/findings.jsonl');

/** Findings of earlier runs, so that a stopped run goes on where it was; a change of a source forgets what was found of it. */
export class History {
  readonly killedBy = new Map<string, string>();
  readonly compiles = new Map<string, boolean>();
  readonly #survived = new Set<string>();

  constructor(isFresh: boolean) {
    mkdirSync(dirname(path), { recursive: true });
    if (isFresh) rmSync(path, { force: true });
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) this.#take(JSON.parse(line));
  }

  add(finding: Finding): void {
    this.#take(finding);
    appendFileSync(path, `${JSON.stringify(finding)}\n`);
  }

  hasSurvived(key: string, test: string): boolean {
    return this.#survived.has(`${key} ${test}`);
  }

  #take(finding: Finding): void {
    if ('killedBy' in finding) this.killedBy.set(finding.key, finding.killedBy);
    else if ('doubted' in finding) this.killedBy.delete(finding.key);
    else if ('survived' in finding) this.#survived.add(`${finding.key} ${finding.survived}`);
    else this.compiles.set(finding.key, finding.compiles);
  }
}
