import { randomBytes, randomUUID } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 16;
/** Bytes from here on would make the first letters of the alphabet more likely. */
const byteLimit = 256 - (256 % alphabet.length);

/** A new identifier that nobody can guess: the prefix and 16 letters or digits (95 bits). */
export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length + 4)) {
      if (byte < byteLimit && id.length < prefix.length + length) id += alphabet[byte % alphabet.length];
    }
  }
  return id;
}

/** A random UUID (version 4). */
export function newUuid(): string {
  return randomUUID();
}
