import { randomFillSync, randomUUID } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 16;
/** Bytes from here on would favour the first letters of the alphabet. */
const byteLimit = 256 - (256 % alphabet.length);

/** Random bytes are fetched in bulk, because each call costs more than all the rest; each is used once. */
const fetched = Buffer.alloc(4_096);
let used = fetched.length;

/** A new unguessable identifier: the prefix and 16 letters or digits (95 bits). */
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

export function newUuid(): string {
  return randomUUID();
}
