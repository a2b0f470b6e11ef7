import type { KnownSecrets } from './known-secrets.ts';

/** A log destination that masks known secrets in every line. */
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
