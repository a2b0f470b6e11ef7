/** The value below which a share of the values lies, between 0 and 1; interpolated. NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Half the distance between the quartiles, as a share of the median: how much a figure moved between rounds. */
export function spread(values: readonly number[]): number {
  return (percentile(values, 0.75) - percentile(values, 0.25)) / 2 / median(values);
}
