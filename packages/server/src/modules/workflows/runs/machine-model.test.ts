import { describe, expect, test } from 'vitest';
import { rows, type Transition, transition } from './machine.ts';
import { explore, laws } from './machine-model.ts';
import { exploreFamily, familyLaws } from './machine-model-children.ts';

const repeating = { ...laws, undoes: true, repeats: true };

describe('the machine of a run', () => {
  test('keeps its promises in every order of two processes that die up to three times', () => {
    const explored = explore(3);
    expect(explored.violation).toBeUndefined();
    expect(explored.states).toBeGreaterThan(10_000);
  }, 60_000);

  test('takes every row of its table, and keeps its promises where two ask at once for what failed to be undone', () => {
    const ofChildren = rows.filter((row) => row.startsWith('children.'));
    const undoing = explore(0, repeating);
    expect(undoing.violation).toBeUndefined();
    const taken = [...explore(0).rowsTaken, ...undoing.rowsTaken, ...ofChildren];
    expect([...new Set(taken)].sort()).toEqual([...rows].sort());
  }, 60_000);

  test('needs the compare-and-set: without it a promise breaks', () => {
    expect(explore(0, { ...laws, comparesAndSets: false }).violation).toBeDefined();
  });

  test('needs the job of the transition that its start stores: without it nothing goes on', () => {
    const violation = 'nothing goes on in phase DISPATCHING';
    expect(explore(0, { ...laws, startLeavesJob: false }).violation).toBe(violation);
  });

  test('needs the guard of a settled call: without it a promise breaks', () => {
    const unguarded: typeof transition = (state, stimulus) => {
      if (stimulus.kind !== 'settled' || state.status === 'COMPLETED') return transition(state, stimulus);
      // as if the call were still in flight, whatever happened to its node run meanwhile
      const token = { id: stimulus.nodeRun, phase: 'DISPATCHING', result: null, outlet: null } as const;
      return transition({ ...state, token }, stimulus) satisfies Transition;
    };
    expect(explore(0, { ...laws, decide: unguarded }).violation).toBeDefined();
  });
});

describe('a run that undoes what it did', () => {
  const changed =
    (change: (...asked: Parameters<typeof transition>) => Parameters<typeof transition>): typeof transition =>
    (...asked) =>
      transition(...change(...asked));

  const undoing = { ...laws, undoes: true };

  test('keeps its promises in every order of two processes that die once', () => {
    const explored = explore(1, undoing);
    expect(explored.violation).toBeUndefined();
    expect(explored.states).toBeGreaterThan(10_000);
  }, 60_000);

  test('needs a run that keeps what it ends as where it goes back once more', () => {
    const forgets: typeof transition = (...asked) => {
      const answer = transition(...asked);
      if (answer.kind !== 'taken' || answer.row !== 'compensation.again') return answer;
      return { ...answer, state: { ...answer.state, endsAs: null } };
    };
    expect(explore(0, { ...repeating, decide: forgets }).violation).toBe('undone though it goes forward');
  });

  test.each([
    [
      'a cancellation that looks whether something is to be undone',
      changed((state, stimulus) => [state, stimulus.kind === 'cancel' ? { ...stimulus, owes: false } : stimulus]),
      'an effect is left behind',
    ],
    [
      'a deadline that looks whether something is to be undone',
      changed((state, stimulus) => [state, stimulus.kind === 'deadline' ? { ...stimulus, owes: false } : stimulus]),
      'an effect is left behind',
    ],
    [
      'the answer of a call that knows whether it undoes something',
      changed((state, stimulus) => [stimulus.kind === 'settled' ? { ...state, endsAs: null } : state, stimulus]),
      'undone though it goes forward',
    ],
    [
      'a state that knows that it goes back',
      changed((state, stimulus) => [stimulus.kind === 'advance' ? { ...state, endsAs: null } : state, stimulus]),
      'undone though it goes forward',
    ],
  ] as const)('needs %s', (_what, decide, violation) => {
    expect(explore(0, { ...undoing, decide }).violation).toBe(violation);
  });
});

describe('a run and its child runs', () => {
  test.each([
    ['all at once', false, ['children.ended']],
    ['in rounds', true, ['children.counted', 'children.ended']],
  ])(
    'begun %s keep their promises in every order of two processes that die up to twice',
    (_how, inRounds, taken) => {
      const explored = exploreFamily(1, { ...familyLaws, inRounds });
      expect(explored.violation).toBeUndefined();
      expect([...explored.rowsTaken].filter((row) => row.startsWith('children.')).sort()).toEqual(taken);
      expect(explored.states).toBeGreaterThan(10_000);
    },
    60_000,
  );

  test.each([
    ['the compare-and-set', { comparesAndSets: false }, 0, 'something that had ended was changed'],
    [
      'the end of a child that tells its parent in its own commit',
      { tellsInCommit: false },
      1,
      'it waits for children of which none goes on',
    ],
    ['the job that stops children', { stopsChildren: false }, 0, 'a child is left behind'],
    [
      'a child that looks whether it is waited for',
      { looksUp: false },
      0,
      'an effect below a run that waits for it no more',
    ],
  ])('need %s: without it a promise breaks', (_what, without, crashes, violation) => {
    expect(exploreFamily(crashes).violation).toBeUndefined();
    expect(exploreFamily(crashes, { ...familyLaws, ...without }).violation).toBe(violation);
  });
});
