import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { document, expression } from '../../test/arbitraries.ts';
import { listPlaces, replacedAt } from '../../test/mutations.ts';
import { compile, JqBudgetError, JqError, type JqValue, stringify } from '../index.ts';
import { affects, analyse } from './analyse.ts';
import { formatPlace } from './place.ts';

const listReads = (source: string): string =>
  analyse(source)
    .reads.filter(({ depth }) => depth !== 'kind')
    .map(({ path, depth }) => formatPlace(path) + (depth === 'shape' ? '#' : ''))
    .join(' ');

describe('reads', () => {
  test.each([
    ['.user.team', '.user.team'],
    ['.user | .team', '.user.team'],
    ['."$team"[0]', '.["$team"][0]'],
    ['.["team"]?', '.team'],
    ['{team}', '.team'],
    ['{team: 1}', ''],
    ['. as {team: $t} | $t', '.team'],
    ['getpath(["user", "team"])', '.user.team'],
    ['.user as $u | $u.team | length', '.user.team#'],
    ['.user.teams[].name', '.user.teams# .user.teams[*].name'],
    ['[.items[] | select(.kind == "x") | .name]', '.items# .items[*].kind .items[*].name'],
    ['{user: .user} | .user.team', '.user.team'],
    ['[.a, .b] | .[0]', '.a .b'],
    ['def f(g): g; .y | f(.z)', '.y.z'],
    ['reduce .items[] as $i (0; . + $i.n)', '.items# .items[*].n'],
    ['to_entries | map(.value.x)', '.# .[*].x'],
    ['(.results.me.entities | first | .team) | index("sre") != null', '.results.me.entities[0].team'],
    ['.a // .b', '.a .b'],
    ['sort_by(.x) | map(.name)', '.# .[*].name .[*].x'],
    ['.. | .team?', '..'],
    ['1 + 1', ''],
    ['[range(3)]', ''],
    ['[range(.a.from; 3)]', '.a.from'],
  ])('%s', (source, expected) => expect(listReads(source)).toBe(expected));

  test('writes, the clock and giving up are told', () => {
    expect(analyse('.a.b = 1 | .c[0] += 2').writes.map(formatPlace)).toEqual(['.a.b', '.c[0]']);
    expect(analyse('now').isTimeDependent).toBe(true);
    expect(analyse('def f(g): f(g | .a); f(.)').isUnknown).toBe(true);
  });

  test('a shape writes unknown keys out', () => {
    const { reads } = analyse('.props[] | .n', { shape: { props: { a: { n: 1 }, b: { n: 2 } } } });
    expect(reads.map(({ path }) => formatPlace(path))).toContain('.props.b.n');
  });
});

describe('affects', () => {
  test.each([
    ['.team | join(", ")', ['team'], true],
    ['.team | join(", ")', ['team', 0], true],
    ['.team | join(", ")', ['title'], false],
    ['.user.team', ['user'], true],
    ['.user.team', ['user', 'email'], false],
    ['.items | length', ['items', 0, 'name'], false],
    ['.items | length', ['items', 0], true],
    ['.[.key]', ['other'], true],
    ['if .a then .b else 0 end', ['a', 'deep'], false],
    ['try .a.b catch .', ['a'], true],
    ['. as $d | def f: if . > 0 then {x: {y: $d.name}} else . + 1 | f | .x end; 0 | f | .y', ['name'], true],
  ] as const)('%s and %j: %s', (source, path, expected) => expect(affects(source, path)).toBe(expected));

  const isProgram = (source: string): boolean => {
    try {
      compile(source);
      return true;
    } catch {
      return false;
    }
  };

  test('loops in loops are given up soon, alone and together', { timeout: 5_000 }, () => {
    const inLoops = `${'[recurse('.repeat(20)}.a?${')]'.repeat(20)}`;
    expect(analyse(inLoops).isUnknown).toBe(true);
    const effort = { stepsLeft: 25_000 };
    const unknown = [inLoops, '.a', inLoops, '.a'].map((source) => analyse(source, { effort }).isUnknown);
    expect(unknown).toEqual([true, false, true, true]);
  });

  test('a long program without loops is followed to its end', { timeout: 5_000 }, () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `\\(.a${index}.b)`).join('');
    const { reads, isUnknown } = analyse(`"${text}"`);
    expect([reads.length, isUnknown]).toEqual([6_001, false]);
  });

  test('no change at a place called unread changes outputs', () => {
    const outcome = (source: string, input: JqValue): string | undefined => {
      try {
        return compile(source)
          .run(input, { budget: { stepsMax: 100_000 }, now: new Date(0) })
          .map((output) => stringify(output))
          .join('\n');
      } catch (error) {
        if (error instanceof JqBudgetError) return undefined;
        if (error instanceof JqError) return 'error';
        throw error;
      }
    };
    const numRuns = Number(process.env['PORTOLAN_JQ_RUNS'] ?? 250);
    fc.assert(
      fc.property(expression, document, (source, input) => {
        const before = outcome(source, input);
        if (!isProgram(source)) return;
        const analysis = analyse(source);
        for (const place of listPlaces(input).slice(1, 8)) {
          if (affects(analysis, place)) continue;
          const after = outcome(source, replacedAt(input, place, { z: ['z'] }));
          if (before !== undefined && after !== undefined) expect(after).toBe(before);
        }
      }),
      { numRuns, seed: 3 },
    );
  });
});
