const secondsLeast = 2;
const secondsMost = 6;

/** How long a refused caller is asked to wait: spread, so that those who are refused together do not come back together. */
export function retryAfterSeconds(): number {
  return secondsLeast + Math.floor(Math.random() * (secondsMost - secondsLeast + 1));
}
