import manifest from '../../package.json' with { type: 'json' };

/** The release that this is, as `1.4.2`. */
export const release: string = manifest.version;

const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

export const isRelease = (text: string): boolean => pattern.test(text);

/** Negative where the first comes before the second. A release candidate comes before its release. */
export function compareReleases(one: string, other: string): number {
  const [left, right] = [parts(one), parts(other)];
  for (let index = 0; index < 3; index += 1) {
    const difference = left.numbers[index]! - right.numbers[index]!;
    if (difference !== 0) return difference;
  }
  if (left.candidate === right.candidate) return 0;
  if (left.candidate === undefined || right.candidate === undefined) return left.candidate === undefined ? 1 : -1;
  return left.candidate.localeCompare(right.candidate, 'en', { numeric: true });
}

export function findOldest(releases: readonly string[]): string | undefined {
  return [...releases].sort(compareReleases)[0];
}

function parts(text: string): { readonly numbers: readonly number[]; readonly candidate: string | undefined } {
  const [, major, minor, patch, candidate] = pattern.exec(text) ?? [];
  return { numbers: [major, minor, patch].map((each) => Number(each ?? 0)), candidate };
}
