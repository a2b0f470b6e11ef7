import ts from 'typescript';
import { afterEach, describe, expect, test } from 'vitest';
import { findMutants } from './find-mutants.ts';
import { instrument } from './instrument.ts';
import { changedLines, mutated } from './mutant.ts';
import { toRemoval } from './removed-fixes.ts';
import { isAbout, reportFolder } from './report.ts';
import { sqlMistakes } from './sql-mutants.ts';

const changesOf = (text: string): string[] => findMutants('a.ts', text).map((mutant) => mutated(text, mutant));

describe('the mutants of', () => {
  test.each<[string, string, string[]]>([
    ['a condition', 'if (a) f();', ['if (true) f();', 'if (false) f();']],
    [
      'a chain, an operand of which is left out',
      'if (a && b && c) f();',
      ['if (false) f();', 'if (b && c) f();', 'if (a && c) f();', 'if (a && b) f();'],
    ],
    ['a choice', 'x = a || b ? 1 : 2;', [';', 'x = true ? 1 : 2;', 'x = b ? 1 : 2;', 'x = a ? 1 : 2;']],
    ['a boundary', 'const x = f(a < b);', ['const x = f(true);', 'const x = f(false);', 'const x = f(a <= b);']],
    ['a fallback', 'const x = a ?? b;', ['const x = b;']],
    ['a part of an optional chain', 'const x = a?.b.filter(f).length;', ['const x = a?.b.length;']],
    ['a guard', 'guard(actor); await check(b);', ['; await check(b);', 'guard(actor); ;']],
    [
      'an early end',
      'for (;;) { if (a) { f(); continue; } }',
      [
        'for (;;) { if (true) { f(); continue; } }',
        'for (;;) { if (false) { f(); continue; } }',
        'for (;;) { if (a) { ; continue; } }',
        'for (;;) { if (a) { f(); ; } }',
      ],
    ],
    ['a table', "const x = ['a', ...b];", ['const x = [...b];', "const x = ['a'];"]],
    ['a question to a list', 'const x = f(a.some(g));', ['const x = f(a.every(g));']],
    ['conditions of queries', 'const x = and([a, b]);', ['const x = or([a, b]);']],
    [
      'a statement of SQL',
      'const x = sql`a = b and c`;',
      ['const x = sql`a <> b and c`;', 'const x = sql`a = b or c`;'],
    ],
    ['a type', "type X = 'a' | 'b'; interface Y { z: true }", []],
  ])('%s', (_name, text, expected) => {
    expect(changesOf(text).sort()).toEqual([...expected].sort());
  });
});

describe('a protection that is taken away', () => {
  const text = 'check(actor);\nif (mayNot(a)) throw refused();\nif (mayNot(b)) throw refused();';
  const without = (place: string, instead: string): string =>
    mutated(text, toRemoval({ fix: 'it is refused', file: 'a.ts', place, without: instead }, text));

  test('is what stands between the marks', () => {
    expect(without('if («mayNot(b)»)', 'false')).toBe(text.replace('mayNot(b)', 'false'));
    expect(without('«check(actor);»', '')).toBe(text.replace('check(actor);', ''));
  });

  test('is there once', () => {
    expect(() => without('if («mayNot»(', 'false')).toThrow('exactly once');
    expect(() => without('«mayNot(c)»', 'false')).toThrow('exactly once what "it is refused" names: mayNot(c)');
  });
});

describe('SQL', () => {
  test.each([
    ['where a is not null', ['where a is null']],
    ['not exists (select 1)', ['exists (select 1)']],
    ['a <= b', ['a < b']],
    ['a @> b', []],
    ["a -> 'x and y' ->> b", []],
    ['x between 1 and 2', []],
    ['set a = 1 where b', []],
    ['order by a desc', ['order by a asc']],
    ['android', []],
  ])('%s is mistaken for %j', (text, expected) => {
    expect(sqlMistakes(text)).toEqual(expected);
  });
});

/** Sources in which every kind of mutant lies in or beside another. */
const sources = [
  `export const run = (a, b) => {
    if (a > 1 && (b === 'x' || !a)) return [a, ...(b ? ['y'] : [])];
    for (const each of [1, 2, 3]) {
      if (each === a) continue;
      if (a < 0) throw new Error('negative');
    }
    return [1, 2, 3].filter((each) => each > a).map((each) => (each >= 3 ? each - 1 : each + 1));
  };`,
  `export const run = (a, b) => {
    const trace = [];
    const note = (text) => { trace.push(text); };
    if (a) note('a');
    else if (b) note('b');
    else note('c');
    if (a)
      if (b) note('both'); else note('one');
    return trace.concat(b?.slice(0, 1).toLowerCase() ?? 'none', \`\${a ? 'yes' : 'no'}
line\`);
  };`,
];

type Run = (...values: unknown[]) => unknown;

function load(text: string): Run {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const exported: { run?: Run } = {};
  new Function('exports', outputText)(exported);
  return exported.run!;
}

function outcomes(run: Run): unknown[] {
  const values = [-1, 0, 1, 2, 3].flatMap((a) => ['x', 'XY', '', undefined].map((b) => [a, b]));
  return values.map((each) => {
    try {
      return JSON.stringify(run(...each));
    } catch (error) {
      return String(error);
    }
  });
}

describe('a source with sleeping mutants', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'isMutated');
  });

  test.each(sources)('does what it did, and with one awake what that mutant does: %s', (text) => {
    const mutants = findMutants('a.ts', text).map((each, id) => ({ ...each, id }));
    const instrumented = instrument(text, mutants);
    expect(instrumented.split('\n').length).toBe(text.split('\n').length);
    let awake = -1;
    globalThis.isMutated = (id) => id === awake;
    const run = load(instrumented);
    expect(outcomes(run)).toEqual(outcomes(load(text)));
    expect(mutants.length).toBeGreaterThan(15);
    for (const mutant of mutants) {
      awake = mutant.id;
      const { before, after } = changedLines(text, mutant);
      expect(outcomes(run), `${before}\n${after}`).toEqual(outcomes(load(mutated(text, mutant))));
    }
  });
});

describe('a report', () => {
  const mutant = { file: 'a.ts', line: 1, kind: 'condition', before: '  if (a) f();', after: '  if (true) f();' };

  test('counts of a folder what compiles and can be noticed, and rounds in nobody’s favour', () => {
    const fates = ['killed', 'killed', 'survived', 'equivalent', 'ill-typed'] as const;
    const report = reportFolder(
      'a',
      fates.map((fate) => ({ ...mutant, fate })),
    );
    expect(report).toMatchObject({ score: 66.6, counts: { killed: 2, survived: 1, equivalent: 1, 'ill-typed': 1 } });
    expect(reportFolder('a', []).score).toBeNull();
  });

  test('knows an equivalent by its lines, wherever they stand', () => {
    const entry = { file: 'a.ts', before: 'if (a) f();', after: 'if (true) f();', reason: 'none' };
    expect(isAbout(entry, mutant)).toBe(true);
    expect(isAbout({ ...entry, file: 'b.ts' }, mutant)).toBe(false);
    expect(isAbout({ ...entry, after: 'if (false) f();' }, mutant)).toBe(false);
  });
});
