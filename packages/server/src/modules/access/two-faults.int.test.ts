import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Request } from '../../../test/build-test-app.ts';
import { createEntity } from '../../../test/catalog-fixtures.ts';
import { allAnswers, faultRows } from '../../../test/two-faults-table.ts';
import { createFaultyWorld, type Fault, type FaultyWorld, operations } from '../../../test/two-faults-world.ts';

/**
 * What answers a write with two faults decides what a refusal reveals, and what is written beside it. Every pair of
 * faults is sent by every operation; the table holds the answers, and what they left in the database.
 */
let world: FaultyWorld;
beforeAll(async () => {
  world = await createFaultyWorld();
});
afterAll(() => world.app.close());

/** The refusal with the fields it names; of a bulk request that of the first item. */
function refusalIn({ body }: Answer): string {
  const refusal = body.errors?.[0] ?? body;
  if (refusal.error === undefined) return '';
  const { statusCode = '', error, message, details } = refusal;
  const paths = Array.isArray(details) ? details.map(({ path }: { path: string }) => path) : [];
  return [statusCode, `${error}: ${message}`, ...paths].join(' ').trim();
}

test.each(faultRows)('$blueprint with $faults answers and writes as ever', async ({ blueprint, faults, answers }) => {
  const { send, plain } = await world.prepare(blueprint, faults);
  const found: string[] = [];
  for (const operation of operations) {
    const before = await world.rows();
    const answer = await send(operation);
    const after = await world.rows();
    const added = `${after.entities - before.entities} ${after.records - before.records}`;
    found.push(`${operation}: ${answer.status} ${added} ${plain(refusalIn(answer), operation)}`.trim());
  }
  const expected = answers.map((key, index) => `${operations[index]}: ${key.slice(0, 3)} ${allAnswers[key]}`);
  expect(found).toEqual(expected);
});

describe('the number of statements', () => {
  // a bulk write that changes nothing asks once more, whether the organization takes changes
  const statements: readonly (readonly [faults: readonly Fault[], counts: string])[] = [
    [[], '10 10 10 10 10 10 9 15 15'],
    [['policed'], '7 12 7 12 12 12 11 17 6'],
    [['hidden'], '4 4 10 4 4 4 8 4 4'],
    [['partial'], '5 5 5 5 5 5 9 3 3'],
    [['unmatched'], '7 7 7 7 7 7 8 6 6'],
    [['hidden', 'unregistrable'], '3 4 4 4 4 4 8 4 4'],
    [['hidden', 'unmatched'], '6 6 7 6 6 6 7 6 6'],
  ];

  /** Fills the caches of blueprints, which the rights just given have emptied. */
  const readAnew = (blueprint: string) => createEntity(world.app.request, blueprint, {});

  test.each(statements)('of a write with %s', async (faults, counts) => {
    const { send, blueprint } = await world.prepare('thing', faults);
    await readAnew(blueprint);
    const found: number[] = [];
    for (const operation of operations) {
      const before = world.statements();
      await send(operation);
      found.push(world.statements() - before);
    }
    expect(found.join(' ')).toBe(counts);
  });

  test.each([
    ['new', [], [9, 9]],
    ['old', [], [9, 9]],
    ['old', ['policed'], [11, 11]],
  ] as const)('does not grow with %s items, under %s', async (target, faults, counts) => {
    const { blueprint } = await world.prepare('thing', faults);
    await readAnew(blueprint);
    const path = `/v1/blueprints/${blueprint}/entities/bulk?upsert=true&merge=true`;
    const many = Array.from({ length: 20 }, (_, index) => ({ identifier: `${target}${index}`, team: 'crew' }));
    const write = async (asWhom: Request, entities: readonly object[], note: string) => {
      const body = { entities: entities.map((each) => ({ ...each, properties: { note } })) };
      const before = world.statements();
      expect((await asWhom('POST', path, { body })).body.errors).toEqual([]);
      return world.statements() - before;
    };
    if (target === 'old') await write(world.app.request, many, 'shut');
    const [one = {}, ...others] = many;
    expect([await write(world.asPat, [one], 'written'), await write(world.asPat, others, 'written')]).toEqual(counts);
  });
});
