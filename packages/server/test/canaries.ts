import { randomBytes } from 'node:crypto';

/** A text that stands nowhere but where a secret came out. */
export interface Canary {
  readonly kind: string;
  readonly value: string;
}

/** Secrets of every kind, and a search for them that knows nothing of how the product masks. */
export interface Canaries {
  /** A secret of 28 letters and digits, between `before` and `after`. */
  plant(kind: string, before?: string, after?: string): string;
  /** Counts a secret that the product made; what stands at its beginning says whose it is. */
  add(kind: string, value: string): string;
  /** Where any of them, or twelve characters of one, stands in a text in any encoding. */
  foundIn(text: string): string[];
}

const partLength = 12;
/** So much of the end of what the product makes was drawn at random. */
const ownLength = 40;

export function createCanaries(): Canaries {
  const all: Canary[] = [];
  const add = (kind: string, value: string): string => {
    all.push({ kind, value });
    return value;
  };
  return {
    add: (kind, value) => {
      add(kind, value.slice(-ownLength));
      return value;
    },
    plant: (kind, before = '', after = '') => add(kind, `${before}${letters(28)}${after}`),
    foundIn: (text) => all.flatMap(({ kind, value }) => traces(value, text).map((how) => `${kind} ${how}`)),
  };
}

function letters(count: number): string {
  let drawn = '';
  while (drawn.length < count)
    drawn += randomBytes(64)
      .toString('base64')
      .replace(/[^A-Za-z0-9]/g, '');
  return drawn.slice(0, count);
}

/** Runs of letters and digits look the same in most encodings; the others are written out here. */
function traces(value: string, text: string): string[] {
  const runs = (value.match(/[A-Za-z0-9]{12,}/g) ?? []).filter(
    (run) => /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run),
  );
  return runs.flatMap((run) => {
    const parts = [run.slice(0, partLength), run.slice(8, 8 + partLength), run.slice(-partLength)];
    const found: string[] = [];
    const look = (how: string, needle: string): void => {
      if (needle.length >= 8 && text.includes(needle)) found.push(how);
    };
    for (const part of parts) {
      look('as it is', part);
      look('in lower case', part.toLowerCase());
      look('in hex', Buffer.from(part).toString('hex'));
      look('in hex, upper case', Buffer.from(part).toString('hex').toUpperCase());
      for (const before of ['', 'x', 'xy']) {
        // without the characters that hold something of what stands around it
        look(
          `in base64 after ${before.length}`,
          Buffer.from(before + part)
            .toString('base64')
            .replace(/=+$/, '')
            .slice(before ? 4 : 0, -3),
        );
      }
    }
    return found;
  });
}
