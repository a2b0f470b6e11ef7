import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordsUnder } from '../../../platform/tools/tool-records.ts';
import { checkUnit } from './check-unit.ts';
import { mergeReadings } from './merge-readings.ts';
import { numbersSaid, splitWords } from './normal-values.ts';
import { createRecordNumbers, type ReadRecord } from './number-records.ts';
import { indexRun } from './run-index.ts';
import { unitsIn } from './units.ts';

/** The index keeps only what the words of an answer can name, which must not show in what it says of the answer. */
const names = ['Cart', 'Billing Engine', "Rider's App", 'geo.tiles', 'Rate-Engine', 'Two Towers', 'none', 'Öl Kanne'];
const identifiers = ['cart-1', 'cart-2', 'geo.tiles', 'svc-3', 'svc-4'];
const words = [
  'Go',
  'Java',
  'C++',
  'Gold',
  'Harbor',
  '2026-03-04',
  '2026-03-04T10:30:00Z',
  'v1.2.3',
  '1.4',
  'Six-month',
];
const texts = [
  'about carts and two deployments that failed',
  'https://a.example.com/x',
  `https://${'y'.repeat(170)}.com`,
  '',
  'a\tb',
];
const fields = ['language', 'replicas', 'tier', 'releasedAt', 'url', 'runs_on'];

const name = fc.constantFrom(...names, ...identifiers);
const value = fc.oneof(
  fc.constantFrom(...words, ...texts, ...names),
  fc.integer({ min: 0, max: 60 }),
  fc.constantFrom(0.5, null, true),
  fc.array(fc.constantFrom(...words, ...identifiers), { maxLength: 3 }),
);
const entity = fc.record({
  identifier: fc.constantFrom(...identifiers),
  title: fc.constantFrom(...names),
  blueprint: fc.constantFrom('service', 'cluster'),
  team: fc.subarray(['Harbor', 'Lanes']),
  properties: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4 }),
  relations: fc.record({ dependsOn: fc.subarray(identifiers) }),
});
const verb = fc.constantFrom(
  'is written in',
  'depends on',
  'has no',
  'is owned by',
  'runs',
  'has a language',
  'was',
  ':',
);
const said = fc.oneof(
  name,
  name.map((each) => `**${each}**`),
  name.map((each) => `\`${each}\``),
  fc.constantFrom(
    'It',
    'Grafana Loki',
    'March 4, 2026',
    '2026-03-04 10:30 UTC',
    '20 days',
    '50%',
    'two',
    ...words,
    ...texts,
  ),
  fc.integer({ min: 0, max: 120 }).map(String),
);
const answer = fc
  .array(fc.tuple(said, verb, said, said), { minLength: 1, maxLength: 8 })
  .map((all) => all.map(([a, by, b, c]) => `${a} ${by} ${b}, ${c}.`).join('\n\n'));

function read(calls: readonly object[][]): readonly ReadRecord[] {
  const recordsOf = () => recordsUnder({ entities: 'entity' });
  const numbers = createRecordNumbers({ recordsOf, now: () => new Date('2026-11-26T10:00:00Z') });
  for (const [at, entities] of calls.entries()) {
    const text = JSON.stringify({ total: entities.length, entities });
    numbers.show({ tool: 'search_entities', call: `call_${at}`, asked: { blueprint: 'service' }, text });
  }
  return numbers.records;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every number is in it. */
class All extends Set<string> {
  override has(): boolean {
    return true;
  }
}

test('a sentence is judged alike by an index of all that was read and by one of what its answer can name', async () => {
  let compared = 0;
  const backed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(entity, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      answer,
      async (calls, text) => {
        const records = read(calls);
        const own = new Set(splitWords(text).map(({ word }) => word));
        const all = new Set([
          ...own,
          ...records
            .flatMap(({ value, asked }) => textsIn([value, asked]))
            .flatMap((each) => splitWords(each).map(({ word }) => word)),
        ]);
        const named = await indexRun(
          mergeReadings(records),
          {
            words: own,
            numbers: numbersSaid(text),
            hasDays: /\d{4}|\bdays?\b/.test(text),
            hasTimes: /\d:\d\d/.test(text),
            hasAddresses: text.includes('://'),
          },
          () => undefined,
        );
        const whole = await indexRun(
          mergeReadings(records),
          { words: all, numbers: new All(), hasDays: true, hasTimes: true, hasAddresses: true },
          () => undefined,
        );
        for (const unit of unitsIn(text)) {
          const spoken = { ...unit, tokens: splitWords(unit.text) };
          const work = { spend: () => undefined, isSpent: false };
          for (const refs of [[], ['r1'], ['r2', 'c1']]) {
            const found = checkUnit(spoken, refs, named, work);
            expect(found).toEqual(checkUnit(spoken, refs, whole, work));
            backed.add(found.status);
            compared += 1;
          }
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(compared).toBeGreaterThan(1_000);
  expect([...backed].sort()).toEqual(['linked', 'partly', 'plain', 'supported', 'unsupported']);
});
