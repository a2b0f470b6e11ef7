import type { KnownSecrets } from './known-secrets.ts';

/** Where a log goes, and every line of it without the secrets that are known. */
export function maskedDestination(
  destination: { write(line: string): unknown },
  known: Pick<KnownSecrets, 'maskText'>,
): { write(line: string): void } {
  return {
    write: (line) => {
      destination.write(known.maskText(line));
    },
  };
}
