import { randomFillSync, randomUUID } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 16;
/** Bytes from here on would make the first letters of the alphabet more likely. */
const byteLimit = 256 - (256 % alphabet.length);

/** Asking the system for bytes costs more than all the rest, so many are fetched at once; each is used once. */
const fetched = Buffer.alloc(4_096);
let used = fetched.length;

/** A new identifier that nobody can guess: the prefix and 16 letters or digits (95 bits). */
export function newId(prefix: string): string {
  let id = prefix;
  for (let missing = length; missing > 0; ) {
    if (used === fetched.length) {
      randomFillSync(fetched);
      used = 0;
    }
    const byte = fetched[used] as number;
    fetched[used] = 0;
    used += 1;
    if (byte >= byteLimit) continue;
    id += alphabet[byte % alphabet.length];
    missing -= 1;
  }
  return id;
}

/** A random UUID (version 4). */
export function newUuid(): string {
  return randomUUID();
}
