import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { type File, type Suite, startTests, type Test } from '@vitest/runner';
import { TestRunner } from 'vitest';
import { type Plan, planVariable, type ResultLine, readPlan } from './plan.ts';
import { Reached } from './reached.ts';
import { root } from './root.ts';

declare global {
  /** Asked by every sleeping mutant: whether it is the one that is awake. */
  var isMutated: (id: number) => boolean;
}

const plan: Plan = readPlan(process.env[planVariable] ?? '');
const careful = new Set(plan.careful);
const reached = new Reached();
const killed = new Set<number>();
/** Kills that are believed only once the unchanged source passes again. */
const batchMax = 20;
const patienceMaxMs = 60_000;
const none = -1;
let awake = none;
let strayError: unknown;

globalThis.isMutated = (id) => {
  if (awake === none) reached.note(id);
  return id === awake;
};
process.on('unhandledRejection', (error) => {
  strayError = error;
});

function write(line: ResultLine): void {
  appendFileSync(plan.results, `${JSON.stringify(line)}\n`);
}

/** Runs a test file unchanged, notes which test reaches which mutant, and then tries one mutant after the other. */
export default class MutationRunner extends TestRunner {
  override importFile(path: string, source: 'collect' | 'setup'): unknown {
    reached.where = 'loading';
    forget(this, path);
    return super.importFile(path, source);
  }

  onBeforeRunFiles(): void {
    reached.where = 'hooks';
  }

  override onBeforeTryTask(test: Test): void {
    super.onBeforeTryTask(test);
    reached.where = test.id;
  }

  override onAfterTryTask(test: Test): void {
    super.onAfterTryTask(test);
    reached.where = 'hooks';
  }

  /** Vitest waits for the promise, whatever the class that it inherits from declares. */
  override onAfterRunFiles(files: File[] = []): unknown {
    super.onAfterRunFiles();
    return tryInTurn(this, files);
  }
}

async function tryInTurn(runner: TestRunner, files: readonly File[]): Promise<void> {
  for (const file of files) await tryMutants(runner, file);
}

interface Trial {
  /** All tests of the file where nothing narrower is known. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly patienceMs: number;
}

/** Runs the chosen tests of a file with one mutant awake and stops at the first that fails. */
class QuietRunner extends TestRunner {
  failure: string | undefined;
  readonly chosen: ReadonlySet<string> | undefined;

  constructor(from: TestRunner, { chosen, patienceMs }: Trial) {
    super({ ...from.config, testTimeout: patienceMs });
    this.chosen = chosen;
    const { moduleRunner, _otel } = from as unknown as { moduleRunner: object; _otel: never };
    Object.defineProperty(this, 'moduleRunner', { value: moduleRunner });
    this.__setTraces(_otel);
  }

  override importFile(path: string, source: 'collect' | 'setup'): unknown {
    forget(this, path);
    return super.importFile(path, source);
  }

  onCollected(files: File[]): void {
    for (const file of files) {
      this.note(file);
      if (this.chosen) leaveOut(file, this.chosen);
    }
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.failure) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    this.note(test);
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    this.note(suite);
    await super.onAfterRunSuite(suite);
  }

  private note({ name, result }: Test | Suite): void {
    if (result?.state !== 'fail' || !result.errors?.length) return;
    this.failure ??= `${name}: ${result.errors[0]?.message.split('\n')[0]}`;
  }
}

/** Suites without a chosen test are left out whole, with their hooks. */
function leaveOut(suite: Suite, chosen: ReadonlySet<string>): boolean {
  let isLeft = false;
  for (const task of suite.tasks) {
    const isChosen = task.type === 'suite' ? leaveOut(task, chosen) : chosen.has(task.id) && task.mode !== 'skip';
    if (!isChosen) task.mode = 'skip';
    isLeft ||= isChosen;
  }
  return isLeft;
}

async function tryMutants(runner: TestRunner, file: File): Promise<void> {
  const test = relative(root, file.filepath);
  const broken = firstFailure(file);
  if (broken) return write({ broken, test });
  const settled = new Set(plan.settled[test]);
  const asked = plan.mutants.filter(({ id }) => !settled.has(id) && !killed.has(id));
  const covered = asked.flatMap(({ id }) => {
    const tests = reached.testsOf(id, file);
    return tests ? [{ id, ...tests }] : [];
  });
  const isCovered = new Set(covered.map(({ id }) => id));
  write({ uncovered: asked.flatMap(({ id }) => (isCovered.has(id) ? [] : [id])), test });
  const patienceMs = patienceFor(file);
  let batch: number[] = [];
  for (const { id, chosen, isLoaded } of covered) {
    write({ begun: id, test, mayTakeMs: 10 * (file.result?.duration ?? 0) });
    awake = id;
    if (isLoaded) forgetSources(runner);
    const failure = await run(runner, file, { chosen, patienceMs });
    awake = none;
    if (isLoaded) forgetSources(runner);
    if (!failure) {
      write({ survived: id, test });
      continue;
    }
    write({ killed: id, test, by: failure });
    killed.add(id);
    batch.push(id);
    if (batch.length < batchMax && !careful.has(id) && !isTimeout(failure)) continue;
    await endIfSpoilt(runner, file, batch);
    batch = [];
  }
  if (batch.length > 0) await endIfSpoilt(runner, file, batch);
  reached.forget(file);
  write({ done: true, test });
}

/**
 * What a mutant left behind must not kill the next one: if the unchanged source fails now, the kills since it last
 * passed are taken back and the process ends, to be started again. A single one is believed.
 */
async function endIfSpoilt(runner: TestRunner, file: File, batch: readonly number[]): Promise<void> {
  if (!(await run(runner, file, { chosen: undefined, patienceMs: patienceMaxMs }))) return;
  const test = relative(root, file.filepath);
  if (batch.length > 1) write({ discarded: batch, test });
  process.kill(process.pid, 'SIGKILL');
}

async function run(runner: TestRunner, file: File, trial: Trial): Promise<string | undefined> {
  const quiet = new QuietRunner(runner, trial);
  strayError = undefined;
  await startTests([file.filepath], quiet);
  return quiet.failure ?? (strayError === undefined ? undefined : `an error that nobody waited for: ${strayError}`);
}

/** A mutant often makes a test wait for what never comes; how long one may take follows from the unchanged source. */
function patienceFor(file: File): number {
  return Math.min(patienceMaxMs, 5_000 + 5 * slowestTest(file));
}

function slowestTest(task: Suite | Test): number {
  if (task.type === 'suite') return Math.max(0, ...task.tasks.map(slowestTest));
  return task.result?.duration ?? 0;
}

function isTimeout(failure: string): boolean {
  return /timed out/.test(failure);
}

function firstFailure(task: Suite | Test): string | undefined {
  if (task.result?.errors?.length) return `${task.name}: ${task.result.errors[0]?.message}`;
  if (task.type !== 'suite') return undefined;
  return task.tasks.map(firstFailure).find(Boolean);
}

interface LoadedModules {
  readonly idToModuleMap: Map<
    string,
    { promise: unknown; exports: unknown; evaluated: boolean; importers: Set<string> }
  >;
  getModuleById(path: string): object | undefined;
  invalidateModule(node: object): void;
}

function loadedModules(runner: TestRunner): LoadedModules {
  return (runner as unknown as { workerState: { evaluatedModules: LoadedModules } }).workerState.evaluatedModules;
}

/** A test file is read anew each time, or its tests would not be declared again. */
function forget(runner: TestRunner, path: string): void {
  const modules = loadedModules(runner);
  const node = modules.getModuleById(path);
  if (node) modules.invalidateModule(node);
}

/** What a source decides while it is loaded it decides anew. */
function forgetSources(runner: TestRunner): void {
  const modules = loadedModules(runner);
  for (const [path, node] of modules.idToModuleMap) {
    if (path.startsWith(root) && !path.includes('/node_modules/') && !path.startsWith(`${root}tools/mutate/`))
      modules.invalidateModule(node);
  }
}
