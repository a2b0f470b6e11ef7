/**
 * Random series and searches over every point of a process are short in an ordinary run, and as much longer as
 * `PORTOLAN_TEST_TIMES` says.
 */
const times = Number(process.env['PORTOLAN_TEST_TIMES'] ?? 1);
const seed = Number(process.env['PORTOLAN_TEST_SEED'] ?? Date.now());

/** How many rounds to go when an ordinary run has so many. */
export function rounds(ordinary: number): number {
  return Math.max(1, Math.round(ordinary * times));
}

/** Of the numbers from 1 to `last` as many as there are rounds: evenly spread, and others with another seed. */
export function someFrom(last: number, ordinary: number): number[] {
  const count = Math.min(rounds(ordinary), last);
  const apart = last / count;
  const first = seed % Math.max(1, Math.floor(apart));
  return Array.from({ length: count }, (_, index) => 1 + ((first + Math.floor(index * apart)) % last));
}
