import fc from 'fast-check';
import { expect, test } from 'vitest';
import { teamMeantBy } from '../../accounts/index.ts';
import { findHandovers } from './find-handovers.ts';
import { byName, type Facts, nextTeams } from './read-facts.ts';

type TeamFacts = Pick<Facts, 'teams' | 'choices' | 'model'>;

/** Titles that differ only in case, blanks, dashes, underscores and numbers, so that their identifiers collide. */
const word = fc.constantFrom('pay', 'Pay', 'PAY', 'core', 'Core', '2', 'öl');
const joint = fc.constantFrom(' ', '_', '-', '  ', ' & ', '.');
const name = fc
  .tuple(word, fc.array(fc.tuple(joint, word), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.map(([sign, next]) => sign + next).join(''));

const teams = fc
  .uniqueArray(fc.record({ title: name, identifier: name }), { selector: ({ identifier }) => identifier, maxLength: 6 })
  .map((list) => list.map((team, index) => ({ key: `t_${index}`, ...team })));

const facts: fc.Arbitrary<TeamFacts> = fc.record({
  teams,
  model: fc.constantFrom('legacy' as const, 'beta' as const),
  choices: fc.record({ identifiers: fc.dictionary(name, name, { maxKeys: 2 }) }),
});

const isChosenTwice = (given: TeamFacts): boolean => {
  const identifiers = nextTeams(given).map(({ identifier }) => identifier);
  return new Set(identifiers).size < identifiers.length;
};

test('a name that means a team before the migration means no other team after it, or the migration is blocked', () => {
  let free = 0;
  fc.assert(
    fc.property(facts, (given) => {
      if (findHandovers(given).length > 0 || isChosenTwice(given)) return;
      free += 1;
      const [now, then] = [byName(given.teams), byName(nextTeams(given))];
      for (const each of new Set([...now.keys(), ...then.keys()])) {
        const was = teamMeantBy(now.get(each) ?? [], given.model, each);
        const becomes = teamMeantBy(then.get(each) ?? [], 'blueprints', each);
        if (was.kind === 'one' && becomes.kind !== 'none') {
          expect(becomes).toMatchObject({ kind: 'one', team: { key: was.team.key } });
        }
      }
    }),
    { numRuns: 1_000 },
  );
  expect(free).toBeGreaterThan(200);
});

test('what is proposed without choices hands nothing over where no two titles are equal, and blocks nothing', () => {
  fc.assert(
    fc.property(teams, (some) => {
      const distinct = some.filter(({ title }, index) => some.findIndex((each) => each.title === title) === index);
      const given: TeamFacts = { teams: distinct, choices: {}, model: 'legacy' };
      expect(findHandovers(given)).toEqual([]);
      const next = nextTeams(given);
      for (const { key, identifier } of next) {
        expect(next.filter((each) => each.key !== key && each.title === identifier)).toEqual([]);
        expect(distinct.filter((each) => each.key !== key && each.identifier === identifier)).toEqual([]);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the older identifier gives way to the title of another team, and in the beta that blocks', () => {
  const given = [
    { key: 'a', title: 'Payments Core', identifier: 'payments_core' },
    { key: 'b', title: 'payments_core', identifier: 'payments_core_2' },
  ];
  const next = nextTeams({ teams: given, choices: {}, model: 'legacy' });
  expect(next).toEqual([
    { key: 'a', title: 'Payments Core', identifier: 'payments_core_3', source: 'derived' },
    { key: 'b', title: 'payments_core', identifier: 'payments_core_2', source: 'kept' },
  ]);
  expect(findHandovers({ teams: given, choices: {}, model: 'beta' })).toMatchObject([
    { code: 'TITLE_IS_IDENTIFIER', resource: { identifier: 'payments_core' } },
  ]);
  const choices = { identifiers: { 'Payments Core': 'payments_core' } };
  expect(findHandovers({ teams: given, choices, model: 'legacy' })).toMatchObject([{ code: 'TITLE_IS_IDENTIFIER' }]);
});
