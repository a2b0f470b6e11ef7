import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import type { CompileContext } from './compile-context.ts';
import { toSql } from './condition.sql.ts';
import { teamCondition } from './team-condition.sql.ts';
import type { ValueRule } from './value-condition.sql.ts';

/** Two teams may have one title; another organization has teams of the same names. */
const teams = [
  { key: 'k1', identifier: 'red', title: 'Red' },
  { key: 'k2', identifier: 'blue', title: 'Blue' },
  { key: 'k3', identifier: 'twin_a', title: 'Twin' },
  { key: 'k4', identifier: 'twin_b', title: 'Twin' },
];
/** What rows refer to: teams, names that resolved to none, and a team that was deleted. */
const references = ['k1', 'k2', 'k3', 'k4', '?ghost', '?Red', '?blue', '?My Teams', '?5', 'gone'];

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
  const insert = (orgId: string, key: string, identifier: string, title: string) => sql`
    insert into teams (org_id, key, identifier, title, created_at, updated_at)
    values (${orgId}, ${key}, ${identifier}, ${title}, now(), now())`;
  await world.database.transaction(async (tx) => {
    for (const { key, identifier, title } of teams) await tx.execute(insert('org-1', key, identifier, title));
    for (const { key, identifier, title } of teams) await tx.execute(insert('org-2', `o${key}`, identifier, title));
    await tx.execute(insert('org-2', 'gone', 'elsewhere', 'Elsewhere'));
  });
});
afterAll(() => world.drop());

type Row = readonly string[];
type Asked = Pick<CompileContext, 'teamForm' | 'teamKeys'> & { readonly isStrictOnTeams: boolean };

async function found(rows: readonly Row[], rule: ValueRule, asked: Asked): Promise<boolean[]> {
  const condition = toSql(teamCondition(rule, { orgId: 'org-1', now: new Date(0), ...asked }));
  const answered = await world.database.rows<{ holds: boolean | null }>(sql`
    select ${condition} as holds
    from (select ordinality, array(select jsonb_array_elements_text(value)) as team_refs
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality) as e
    order by ordinality`);
  return answered.map(({ holds }) => holds === true);
}

/** The truth table of `$team` (catalog semantics §3.3), written out for one row. */
function expected(row: Row, { operator, value }: ValueRule, { teamForm, teamKeys, isStrictOnTeams }: Asked): boolean {
  const nameOf = (reference: string): string[] => {
    const team = teams.find(({ key }) => key === reference);
    if (team) return [team[teamForm]];
    return reference.startsWith('?') ? [reference.slice(1)] : [];
  };
  const names = row.flatMap(nameOf);
  const isResolved = !isStrictOnTeams || row.every((reference) => !reference.startsWith('?'));
  const sought = (Array.isArray(value) ? value : [value]) as unknown[];
  const isMine = row.some((reference) => teamKeys.includes(reference));
  const isNamed = (name: unknown): boolean => {
    if (name === 'My Teams') return isMine;
    const named = teams.filter((team) => team[teamForm] === name).map(({ key }) => key);
    const counted = isStrictOnTeams ? (named.length === 1 ? named : []) : [...named, `?${name}`];
    return typeof name === 'string' && row.some((reference) => counted.includes(reference));
  };
  const isAny = sought.some(isNamed);
  const isEqual = (): boolean => {
    if (value === null || value === undefined) return names.length === 0;
    if (sought.some((name) => typeof name !== 'string')) return false;
    if (sought.length === 1 && sought[0] === 'My Teams') return isMine;
    return names.length === sought.length && names.every((name, index) => name === sought[index]);
  };
  switch (operator) {
    case 'isEmpty':
      return names.length === 0;
    case 'isNotEmpty':
      return names.length > 0 && (!isStrictOnTeams || row.some((reference) => !reference.startsWith('?')));
    case '=':
      return isEqual() && isResolved;
    case '!=':
      return !isEqual() && isResolved;
    case 'in':
    case 'contains':
    case 'containsAny':
      return isAny;
    case 'notIn':
    case 'doesNotContains':
      return !isAny && isResolved;
    case 'doesNotBeginsWith':
    case 'doesNotEndsWith':
    case 'notBetween':
      return isResolved;
    default:
      return false;
  }
}

const operators = [
  ...['isEmpty', 'isNotEmpty', '=', '!=', 'in', 'contains', 'containsAny', 'notIn', 'doesNotContains'],
  ...['doesNotBeginsWith', 'doesNotEndsWith', 'notBetween', 'beginsWith', 'endsWith', 'between', '>', '<=', 'unheard'],
];
const forms = ['identifier', 'title'] as const;
const texts = ['red', 'blue', 'Red', 'Blue', 'Twin', 'twin_a', 'ghost', 'My Teams', 'Elsewhere', ''];
const row = fc.uniqueArray(fc.constantFrom(...references), { maxLength: 3 });
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 4, arbitrary: fc.uniqueArray(fc.constantFrom(...texts), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<ValueRule['value'][]>(undefined, 5, ['red', 7] as never, null as never) },
);

describe.each(forms)('teams by their %s', (teamForm) => {
  test.each([false, true])(
    'every operator answers what the truth table says; strictly: %s',
    async (isStrictOnTeams) => {
      const cases = fc.record({
        rows: fc.array(row, { minLength: 12, maxLength: 12 }),
        value,
        teamKeys: fc.subarray(['k1', 'k3', 'gone']),
      });
      await fc.assert(
        fc.asyncProperty(cases, async ({ rows, value: sought, teamKeys }) => {
          for (const operator of operators) {
            const rule = { operator, value: sought } as ValueRule;
            const asked = { teamForm, teamKeys, isStrictOnTeams };
            expect(await found(rows, rule, asked), JSON.stringify({ rows, rule, asked })).toEqual(
              rows.map((each) => expected(each, rule, asked)),
            );
          }
        }),
        { numRuns: 30, seed: 15, endOnFailure: true },
      );
    },
  );

  test('stand for the caller where they are called mine, alone or among others', async () => {
    const rows = [['k1'], ['k2'], ['k1', 'k2'], ['?My Teams'], []];
    const asked = { teamForm, teamKeys: ['k1'], isStrictOnTeams: false };
    const blue = teams[1]![teamForm];
    for (const [operator, sought, holds] of [
      ['=', 'My Teams', [true, false, true, false, false]],
      ['=', ['My Teams'], [true, false, true, false, false]],
      ['!=', 'My Teams', [false, true, false, true, true]],
      ['=', ['My Teams', blue], [false, false, false, false, false]],
      ['in', ['My Teams'], [true, false, true, false, false]],
      ['in', ['My Teams', blue], [true, true, true, false, false]],
      ['in', [blue], [false, true, true, false, false]],
      ['notIn', ['My Teams'], [false, true, false, true, true]],
    ] as const)
      expect([operator, sought, await found(rows, { operator, value: sought }, asked)]).toEqual([
        operator,
        sought,
        holds,
      ]);
    const nobody = { ...asked, teamKeys: [] };
    expect(await found(rows, { operator: 'in', value: ['My Teams'] }, nobody)).toEqual(rows.map(() => false));
  });

  test('are compared with nothing, with no names, and with what is no name', async () => {
    const rows = [[], ['gone'], ['k1'], ['?5']];
    const asked = { teamForm, teamKeys: [], isStrictOnTeams: false };
    const empty = [true, true, false, false];
    for (const [operator, sought, holds] of [
      ['=', null, empty],
      ['=', undefined, empty],
      ['=', [], empty],
      ['!=', null, empty.map((each) => !each)],
      ['=', 5, [false, false, false, false]],
      ['in', [5], [false, false, false, false]],
      ['notIn', [5], [true, true, true, true]],
      ['in', [], [false, false, false, false]],
    ] as const) {
      const rule = { operator, value: sought } as ValueRule;
      expect([rule, await found(rows, rule, asked)]).toEqual([rule, holds]);
    }
  });

  test('of one title, both teams are meant, and strictly neither', async () => {
    const rows = [['k3'], ['k4'], ['k1']];
    const asked = { teamForm: 'title' as const, teamKeys: [], isStrictOnTeams: false };
    const rule = { operator: 'in', value: ['Twin'] };
    expect(await found(rows, rule, asked)).toEqual([true, true, false]);
    expect(await found(rows, rule, { ...asked, isStrictOnTeams: true })).toEqual([false, false, false]);
  });
});
