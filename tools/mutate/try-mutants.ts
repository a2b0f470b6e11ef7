import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { History } from './history.ts';
import type { NumberedMutant } from './mutant.ts';
import { type Plan, planVariable, type ResultLine, readFingerprint, toKey } from './plan.ts';
import { root } from './root.ts';

export interface TrialOptions {
  readonly mutants: readonly NumberedMutant[];
  readonly tests: readonly string[];
  readonly engine: 'embedded' | 'postgres';
  /** How long one mutant may take with one test file, or ten times what the file takes unchanged; then it counts as killed. */
  readonly limitMs: number;
  readonly history: History;
  readonly say: (line: string) => void;
}

/** Reading the sources and running a test file once unchanged may take this long on a busy machine. */
const startLimitMs = 900_000;

/** Tries every mutant with the test files until one kills it; what is found goes to the history at once. */
export async function tryMutants(options: TrialOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-mutate-'));
  try {
    const trial = new Trial(folder, options);
    while (trial.openTests().length > 0) {
      await runTests(trial, options);
      trial.takeLastResults();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is known so far, and what the next test process is told. */
class Trial {
  readonly #options: TrialOptions;
  readonly results: string;
  readonly plan: string;
  readonly #done = new Set<string>();
  readonly #careful = new Set<number>();
  readonly #keys: readonly string[];
  #linesTaken = 0;
  /** Why no answer of the tests would say anything. */
  broken: string | undefined;

  constructor(folder: string, options: TrialOptions) {
    this.#options = options;
    this.results = join(folder, 'results.jsonl');
    this.plan = join(folder, 'plan.json');
    this.#keys = options.mutants.map(toKey);
    writeFileSync(this.results, '');
  }

  /** The test files that somebody must still be asked about. */
  openTests(): string[] {
    return this.#options.tests.filter((test) => !this.#done.has(test) && this.#openFor(test) > 0);
  }

  writePlan(tests: readonly string[]): void {
    const settled = Object.fromEntries(tests.map((test) => [test, this.#settledFor(test)]));
    const plan: Plan = {
      mutants: this.#options.mutants,
      tests,
      settled,
      careful: [...this.#careful],
      results: this.results,
    };
    writeFileSync(this.plan, JSON.stringify(plan));
  }

  /** Puts what the processes wrote since the last time into the history. */
  takeResults(): void {
    const lines = readLines(this.results).slice(this.#linesTaken);
    this.#linesTaken += lines.length;
    for (const line of lines) this.#take(line);
  }

  /** After a process ended: what it had begun and not ended is what it died of. */
  takeLastResults(): void {
    this.takeResults();
    if (this.broken) throw new Error(this.broken);
    const last = readLines(this.results).at(-1);
    if (last && 'begun' in last) this.#hung(last.begun, last.test);
  }

  #take(line: ResultLine): void {
    const { history } = this.#options;
    if ('broken' in line) this.broken ??= `${line.test} fails without any mutant: ${line.broken}`;
    if ('done' in line) this.#done.add(line.test);
    if ('survived' in line) this.#survived(line.survived, line.test);
    if ('uncovered' in line) for (const id of line.uncovered) this.#survived(id, line.test);
    if ('killed' in line) history.add({ key: this.#key(line.killed), killedBy: `${line.test}: ${line.by}` });
    if ('discarded' in line)
      for (const id of line.discarded) {
        this.#careful.add(id);
        history.add({ key: this.#key(id), doubted: true });
      }
  }

  #hung(id: number, test: string): void {
    this.#options.history.add({ key: this.#key(id), killedBy: `${test}: did not end` });
  }

  #survived(id: number, test: string): void {
    this.#options.history.add({ key: this.#key(id), survived: withFingerprint(test) });
  }

  #settledFor(test: string): number[] {
    const { history, mutants } = this.#options;
    const marked = withFingerprint(test);
    return mutants.flatMap(({ id }) => {
      const key = this.#key(id);
      return history.killedBy.has(key) || history.hasSurvived(key, marked) ? [id] : [];
    });
  }

  #openFor(test: string): number {
    return this.#options.mutants.length - this.#settledFor(test).length;
  }

  #key(id: number): string {
    return this.#keys[this.#options.mutants.findIndex((each) => each.id === id)]!;
  }
}

function withFingerprint(test: string): string {
  return `${test}@${readFingerprint(test)}`;
}

function readLines(path: string): ResultLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ResultLine);
}

/** One test process for the unit tests, then one for the others; one that hangs is ended. */
async function runTests(trial: Trial, { engine, limitMs, say }: TrialOptions): Promise<void> {
  const open = trial.openTests();
  const unit = open.filter((test) => !test.endsWith('.int.test.ts'));
  const [project, tests] = unit.length > 0 ? (['unit', unit] as const) : ([engine, open] as const);
  trial.writePlan(tests);
  say(`${project}: ${tests.length} test files`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(root, 'tools/mutate/vitest.config.ts');
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--config',
      config,
      '--root',
      root,
      '--project',
      project,
      '--maxWorkers=1',
      '--silent=true',
      ...tests,
    ],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [planVariable]: trial.plan },
    },
  );
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const before = statSync(trial.results).size;
  await watch(child, trial, limitMs);
  if (statSync(trial.results).size === before)
    throw new Error(`The tests did not start:\n${Buffer.concat(output).toString().slice(-4000)}`);
}

/** Waits for the end of the process, and ends it if nothing was written for too long. */
function watch(child: ChildProcess, trial: Trial, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { results } = trial;
    const before = statSync(results).size;
    const end = (): void => void process.kill(-child.pid!, 'SIGKILL');
    process.once('exit', end);
    const timer = setInterval(() => {
      trial.takeResults();
      // what an earlier process had begun when it died says nothing of this one
      const last = statSync(results).size > before ? readLines(results).at(-1) : undefined;
      const limit = last && 'begun' in last ? Math.max(limitMs, last.mayTakeMs) : startLimitMs;
      const silentMs = Date.now() - Math.max(statSync(results).mtimeMs, started);
      if (trial.broken || silentMs > limit) end();
    }, 2_000);
    const started = Date.now();
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(timer);
      process.off('exit', end);
      resolve();
    });
  });
}
