import fc from 'fast-check';
import { expect, test } from 'vitest';
import { raiseConstraint } from './version-constraint.ts';

test.each([
  ['~> 2.1.0', '~> 2.2.0'],
  ['~> 2.0', '~> 2.2'],
  ['~> 1.10', '~> 2.2'],
  ['~> 2.2', undefined],
  ['~> 2.9.1', undefined],
  ['>= 2.0, < 3.0', '>= 2.2, < 3.0'],
  ['>= 1.0, < 2.0', '>= 2.2, < 3.0'],
  ['>= 1.0, ~> 2.4', undefined],
  ['2.1.4', '2.2.0'],
  ['= 2.1.4', '= 2.2.0'],
  ['>= 2.0.0, != 2.3.1', '>= 2.2.0, != 2.3.1'],
  ['< 3.0', '>= 2.2.0, < 3.0'],
  ['latest', null],
])('%s', (before, after) => expect(raiseConstraint(before, [2, 2, 0])).toBe(after));

type Version = readonly [number, number, number];
const grid = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].flatMap((b) => [0, 1, 2, 3].map((c): Version => [a, b, c])));
const ranked = ([a, b, c]: Version): number => a * 100 + b * 10 + c;

/** The meaning of each operator by Terraform's documentation. */
function allows(constraint: string, version: Version): boolean {
  return constraint.split(', ').every((part) => {
    const [operator, text] = part.includes(' ') ? part.split(' ') : ['=', part];
    const numbers = text!.split('.').map(Number);
    const [at, bound] = [ranked(version), ranked([numbers[0]!, numbers[1] ?? 0, numbers[2] ?? 0])];
    const isBelowNext =
      numbers.length === 3 ? version[0] === numbers[0] && version[1] === numbers[1] : version[0] === numbers[0];
    return {
      '=': at === bound,
      '!=': at !== bound,
      '>': at > bound,
      '>=': at >= bound,
      '<': at < bound,
      '<=': at <= bound,
      '~>': at >= bound && isBelowNext,
    }[operator!]!;
  });
}

const digit = fc.integer({ min: 0, max: 3 });
const part = fc
  .tuple(fc.constantFrom('= ', '>', '>=', '<', '<=', '~>'), digit, digit, fc.option(digit))
  .map(([operator, a, b, c]) => `${operator.trim()} ${[a, b, ...(c === null ? [] : [c])].join('.')}`);

test('nothing older than the least is allowed, and what was allowed above it still is', () => {
  const satisfiable = (constraint: string): boolean => grid.some((version) => allows(constraint, version));
  fc.assert(
    fc.property(
      fc
        .array(part, { minLength: 1, maxLength: 2 })
        .map((parts) => parts.join(', '))
        .filter(satisfiable),
      (before) => {
        const least: Version = [2, 2, 0];
        const after = raiseConstraint(before, least) ?? before;
        const isNew = (version: Version): boolean => ranked(version) >= ranked(least);
        expect({ before, after, old: grid.filter((version) => !isNew(version) && allows(after, version)) }).toEqual({
          before,
          after,
          old: [],
        });
        const lost = grid.filter((version) => isNew(version) && allows(before, version) && !allows(after, version));
        expect({ before, after, lost }).toEqual({ before, after, lost: [] });
        expect(satisfiable(after)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
