/** Chance that a seed repeats. */
export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  pick<Value>(values: readonly Value[]): Value;
  /** Whether something of this probability happens. */
  happens(probability: number): boolean;
}

export function createChance(seed: number): Chance {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    pick: (values) => {
      if (values.length === 0) throw new Error('There is nothing to pick from');
      return values[Math.floor(next() * values.length)] as (typeof values)[number];
    },
    happens: (probability) => next() < probability,
  };
}
