import { describe, expect, test } from 'vitest';
import { rows, type Transition, transition } from './machine.ts';
import { explore, laws } from './machine-model.ts';

describe('the machine of a run', () => {
  test('keeps its promises in every order of two processes that die up to three times', () => {
    const explored = explore(3);
    expect(explored.violation).toBeUndefined();
    expect([...explored.rowsTaken].sort()).toEqual([...rows].sort());
    expect(explored.states).toBeGreaterThan(10_000);
  }, 10_000);

  test('needs the compare-and-set: without it a promise breaks', () => {
    expect(explore(0, { ...laws, comparesAndSets: false }).violation).toBeDefined();
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
