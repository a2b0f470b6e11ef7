/**
 * `npx tsx bench/jq/runaways.ts`: programs that would never end or never stop growing, each under the default budget. Prints
 * the limit that stopped it, how long it ran past the time limit and what the heap grew by.
 */
import { compile, JqBudgetError, JqError } from '../../packages/jq/src/index.ts';
import { createBatchRunner, nodeRegexEngine } from '../../packages/jq/src/node.ts';

const wallTimeMs = 300;
const budget = { wallTimeMs, stepsMax: 1e12 };
const evil = `${'a'.repeat(40)}b`;

const runaways: readonly [source: string, input: string | null][] = [
  ['[range(1e9)]', null],
  ['[range(1e9)] | length', null],
  ['until(false; .)', null],
  ['def f: f; f', null],
  ['def f: 1 + f; f', null],
  ['def f: f, f; f', null],
  ['"x" * 1e9', null],
  ['[limit(1e9; repeat(1))]', null],
  ['last(range(1e12))', null],
  ['reduce range(1e9) as $i (""; . + "xxxxxxxxxxxxxxxx")', null],
  ['reduce range(60) as $i (1; [., .]) | tojson', null],
  ['reduce range(60) as $i (1; [., .]) | . == (reduce range(60) as $i (1; [., .]))', null],
  ['[range(1000)] | [combinations(3)]', null],
  ['test("^(a+)+$")', evil],
  ['test("^(?=(a+)+$)")', evil],
  ['setpath(["a", 1e9]; 1)', null],
];

process.stdout.write(`time limit ${wallTimeMs} ms, everything else as by default\n\n`);
process.stdout.write('| program | stopped by | after ms | heap MB |\n| --- | --- | ---: | ---: |\n');
for (const [source, input] of runaways) {
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const started = performance.now();
  let outcome = 'it ended';
  try {
    compile(source, { regex: nodeRegexEngine }).run(input, { budget });
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    outcome = error instanceof JqBudgetError ? error.limit : error.message;
  }
  const took = performance.now() - started;
  const grown = (process.memoryUsage().heapUsed - heap) / 1e6;
  process.stdout.write(
    `| \`${source.replaceAll('|', '\\|')}\` | ${outcome} | ${took.toFixed(0)} | ${Math.max(0, grown).toFixed(0)} |\n`,
  );
}

const runner = createBatchRunner({ workers: 1, budget: { wallTimeMs: 1e9, stepsMax: 1e15 } });
await runner.evaluate([{ expression: '.', input: 1 }]);
const started = performance.now();
await runner.evaluate([{ expression: 'until(false; .)', input: null }], { deadlineMs: 200 });
const stopped = performance.now() - started - 200;
const again = performance.now();
await runner.evaluate([{ expression: '.', input: 1 }]);
process.stdout.write(
  `\nbatch runner, deadline 200 ms: answered ${stopped.toFixed(0)} ms after it, next batch after ${(performance.now() - again).toFixed(0)} ms (from source, through the loader)\n`,
);
const items = Array.from({ length: 200 }, (_, at) => ({
  expression: '.properties.n + 1',
  input: { properties: { n: at } },
}));
const batchStart = performance.now();
for (let round = 0; round < 50; round++) await runner.evaluate(items);
process.stdout.write(
  `batches of 200: ${((50 * 200) / ((performance.now() - batchStart) / 1_000)).toFixed(0)} evaluations/s end to end, one thread\n`,
);
await runner.close();
