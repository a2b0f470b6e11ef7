/**
 * Long fuzz run: `npx tsx packages/jq/test/fuzz.ts [minutes] [seed]`. Random programs, half of them damaged, on random
 * documents under small budgets. Fails on any error that is not ours, any evaluation far over its time limit, a heap that
 * keeps growing, a printed program that parses differently, and outputs (or failing at all) changed by a place the analysis calls unread.
 */
import fc from 'fast-check';
import { affects, analyse, compile, JqError, type JqValue, parse, print, rewrite, stringify } from '../src/index.ts';
import { document, expression } from './arbitraries.ts';
import { damaged, listPlaces, replacedAt, withoutSpans } from './mutations.ts';

const minutes = Number(process.argv[2] ?? 10);
const firstSeed = Number(process.argv[3] ?? 1);
const budget = { stepsMax: 200_000, wallTimeMs: 200, allocatedBytesMax: 64e6, arrayLengthMax: 100_000 };
const slowMs = 1_000;

const counts = { programs: 0, ran: 0, failed: 0, syntax: 0, soundness: 0, slowestMs: 0, heapMaxMb: 0 };
const end = Date.now() + minutes * 60_000;

function outcome(source: string, input: JqValue): string {
  try {
    const outputs = compile(source).run(input, { budget, now: new Date(0) });
    counts.ran++;
    return outputs.map((output) => stringify(output, 1e6)).join('\n');
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (error.name === 'JqBudgetError') return 'budget';
    counts.failed++;
    return error.name;
  }
}

function check(source: string, input: JqValue, random: () => number): void {
  counts.programs++;
  const started = performance.now();
  const result = outcome(source, input);
  const took = performance.now() - started;
  counts.slowestMs = Math.max(counts.slowestMs, took);
  if (took > slowMs) throw new Error(`took ${took} ms`);
  let tree: ReturnType<typeof parse>;
  try {
    tree = parse(source);
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    counts.syntax++;
    return;
  }
  const printed = print(tree);
  if (withoutSpans(parse(printed)) !== withoutSpans(tree)) throw new Error(`printed differently: ${printed}`);
  if (rewrite(source, []).source !== source) throw new Error('rewriting nothing changed the text');
  if (result === 'budget') return;
  const analysis = analyse(source);
  for (const place of listPlaces(input).slice(0, 6)) {
    if (place.length === 0 || affects(analysis, place)) continue;
    counts.soundness++;
    const changed = replacedAt(input, place, random() < 0.5 ? 12_345 : { z: ['z'] });
    const other = outcome(source, changed);
    if (other !== 'budget' && other !== result) {
      throw new Error(`reading ${JSON.stringify(place)} was not seen:\n${result}\n${other}`);
    }
  }
}

for (let seed = firstSeed; Date.now() < end; seed++) {
  const samples = fc.sample(fc.tuple(expression, document, fc.integer()), { seed, numRuns: 200 });
  for (const [source, input, salt] of samples) {
    let state = (salt ^ 0x9e3779b9) >>> 0;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const text = random() < 0.5 ? source : damaged(source, random);
    try {
      check(text, input, random);
    } catch (error) {
      process.stdout.write(`FAILED seed ${seed}\nprogram: ${text}\ninput: ${JSON.stringify(input)}\n`);
      throw error;
    }
  }
  const heap = process.memoryUsage().heapUsed / 1e6;
  counts.heapMaxMb = Math.max(counts.heapMaxMb, heap);
  if (heap > 1_500) throw new Error(`heap grew to ${heap} MB at seed ${seed}`);
}
process.stdout.write(`${JSON.stringify({ minutes, ...counts })}\n`);
