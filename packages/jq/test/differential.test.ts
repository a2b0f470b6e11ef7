import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { compile, JqBudgetError, JqError, type JqValue, stringify } from '../src/index.ts';
import { document, expression } from './arbitraries.ts';

/** More runs: `PORTOLAN_JQ_RUNS=5000 PORTOLAN_JQ_SEED=7 npx vitest run --project unit packages/jq/test/differential`. */
const numRuns = Number(process.env['PORTOLAN_JQ_RUNS'] ?? 400);
const seed = Number(process.env['PORTOLAN_JQ_SEED'] ?? 1);

interface Oracle {
  raw(json: string, filter: string, flags: string[]): string | undefined;
}

const oracle = (await createRequire(import.meta.url)('jq-web')) as Oracle;

/** Programs that run into the differences listed in docs/reference/jq.md. */
const isKnownQuirk = (source: string): boolean =>
  // jq's `?//` also catches errors and breaks raised after its body.
  source.includes('?//') ||
  // jq follows paths through the source of `as`, and refuses values that are no paths there.
  (/path|paths|del|pick|=/.test(source) && / as /.test(source)) ||
  // jq loses its input after the first of several initial values.
  (/reduce|foreach/.test(source) && / \., |,/.test(source));

function ours(program: string, input: JqValue): string | undefined {
  try {
    return stringify(compile(program).first(input, { budget: { stepsMax: 300_000 } }) ?? null);
  } catch (error) {
    if (error instanceof JqBudgetError) return undefined;
    if (error instanceof JqError) return 'error';
    throw error;
  }
}

/** Undefined when the oracle itself broke, which its WebAssembly does on some programs; it stays broken then. */
function theirs(program: string, input: JqValue): string | undefined {
  try {
    const text = oracle.raw(JSON.stringify(input), program, ['-c']);
    return text === undefined ? 'none' : stringify(JSON.parse(text) as JqValue);
  } catch (error) {
    return String((error as Error).message).startsWith('Non-zero exit code') && isAlive() ? 'error' : undefined;
  }
}

function isAlive(): boolean {
  try {
    return oracle.raw('1', '.', ['-c'])?.trim() === '1';
  } catch {
    return false;
  }
}

describe('against jq itself', () => {
  test(
    'random programs on random documents give the same outputs and the same caught messages',
    () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      let compared = 0;
      fc.assert(
        fc.property(expression, document, (source, input) => {
          const program = `try [1, [limit(100; (${source}))]] catch [0, .]`;
          const mine = ours(program, input);
          if (mine === undefined) return;
          const yours = theirs(program, input);
          if (yours === undefined) return;
          compared++;
          if (mine === yours || isKnownQuirk(source)) return;
          if (/Cannot update/.test(yours)) return;
          expect(`${source}\n${mine}`).toBe(`${source}\n${yours}`);
        }),
        { numRuns, seed },
      );
      expect(compared).toBeGreaterThan(numRuns / 4);
    },
    20_000 + numRuns * 40,
  );
});
