import type { JqValue } from '@portolan/jq';
import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';

/** A path for an address; slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** In UTC, as every host is compared; null for what is no moment. */
export function isoTime(value: JqValue | undefined): string | null {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time && time.getTime() > 0 ? time.toISOString() : null;
}

/** The first of a list of names, or of a list of objects. */
export function readLicence(value: JqValue | undefined): string | null {
  const [first] = Array.isArray(value) ? value : [];
  return typeof first === 'string' ? first : null;
}

/** A count in a header; null where there is none. */
export function readTotal(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/** Files one by one, by path; one that is not there, or larger than an answer may be, is left out. */
export async function readEach(
  files: readonly string[],
  read: (file: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    files.map(async (file) => {
      const text = await read(file).catch(toLeftOut);
      return text === undefined ? undefined : ([file, text] as const);
    }),
  );
  return new Map(entries.filter((entry) => entry !== undefined));
}

function toLeftOut(error: unknown): undefined {
  if (error instanceof OutgoingFailure && error.kind === 'too_large') return undefined;
  throw error;
}
