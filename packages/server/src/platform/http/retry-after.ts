const secondsLeast = 2;
const secondsMost = 6;

/** Randomized, so that refused callers do not return all at once. */
export function retryAfterSeconds(): number {
  return secondsLeast + Math.floor(Math.random() * (secondsMost - secondsLeast + 1));
}
