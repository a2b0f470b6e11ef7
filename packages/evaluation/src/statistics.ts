/** 97.5 % of a standard normal variable are below it. */
const z95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval for a share, at 95 %; it stays within 0 and 1, and means something for few cases too. */
export function wilsonInterval(right: number, all: number): Interval {
  if (all === 0) return { low: 0, high: 1 };
  const share = right / all;
  const square = z95 ** 2;
  const middle = share + square / (2 * all);
  const spread = z95 * Math.sqrt((share * (1 - share)) / all + square / (4 * all ** 2));
  const scale = 1 + square / all;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/**
 * McNemar's exact test for a drop: how likely it is that, of the cases that changed, so many or more became worse if each
 * way were equally likely. One-sided, since only a drop is looked for; 1 if none became worse.
 */
export function testDrop(worse: number, better: number): number {
  const changed = worse + better;
  let tail = 0;
  for (let count = 0; count <= better; count += 1) {
    tail += Math.exp(logChoose(changed, count) - changed * Math.LN2);
  }
  return Math.min(1, tail);
}

function logChoose(all: number, some: number): number {
  let sum = 0;
  for (let each = 1; each <= some; each += 1) sum += Math.log((all - some + each) / each);
  return sum;
}

/** The smallest value that at least this share of the values does not exceed (nearest rank); 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
