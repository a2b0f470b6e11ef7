import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile, JqRuntimeError, JqSyntaxError, type JqValue, stringify } from '../src/index.ts';
import { nodeRegexEngine } from '../src/node.ts';

/** A program, its input, and what comes out: values, the message of an error, or null for a program that is none. */
type Fixture = [expression: string, input: JqValue, outcome: JqValue[] | { error: string } | null];

function fixtures(name: string): Fixture[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as Fixture[];
}

/** As text, because JSON files know no NaN, infinity or -0. */
const printed = (value: JqValue): string => stringify(value).replace(/(?<![\d.e])-0(?![\d.])/g, '0');

function check([expression, input, outcome]: Fixture): void {
  const run = (): JqValue[] => compile(expression, { regex: nodeRegexEngine }).run(input);
  if (outcome === null) expect(run).toThrow(JqSyntaxError);
  else if (Array.isArray(outcome)) expect(run().map(printed)).toEqual(outcome.map(printed));
  else {
    expect(run).toThrow(JqRuntimeError);
    expect(run).toThrow(outcome.error);
  }
}

describe('the examples of the manual', () => {
  for (const fixture of fixtures('manual')) {
    test(`${fixture[0]} on ${JSON.stringify(fixture[1])}`, () => check(fixture));
  }
});

describe('behaviour recorded from jq', () => {
  for (const fixture of fixtures('behaviour')) {
    test(`${fixture[0]} on ${JSON.stringify(fixture[1])}`, () => check(fixture));
  }
});

describe('behaviour recorded from a build of the tag jq-1.7.1', () => {
  for (const fixture of fixtures('jq-1.7.1')) {
    test(`${fixture[0]} on ${JSON.stringify(fixture[1])}`, () => check(fixture));
  }
});
