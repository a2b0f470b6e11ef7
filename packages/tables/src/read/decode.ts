import { type Encoding, TableError } from '../table.ts';

/** What windows-1252 has at 0x80 to 0x9f; the rest is Latin-1. Node's own decoder got these wrong in some versions. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const latin1 = Array.from({ length: 256 }, (_, code) => windows1252[code - 0x80] ?? String.fromCharCode(code));

/** By byte order mark or the zeros of UTF-16, else UTF-8 if the bytes are that, else Windows-1252. */
export function guessEncoding(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] && start[1] === 0 && start[2] && start[3] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] && start[2] === 0 && start[3]) return 'utf-16be';
  try {
    // as a stream, so that a character cut at the end of the bytes is no error
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/**
 * The text of the bytes, without a byte order mark.
 * @throws TableError for bytes that the encoding does not have: replacing them would lose them silently
 */
export async function* decode(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const part of bytes) yield decodeSingleBytes(part);
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  let read = 0;
  try {
    for await (const part of bytes) {
      const text = decoder.decode(part, { stream: true });
      read += part.length;
      if (text) yield text;
    }
    const rest = decoder.decode();
    if (rest) yield rest;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TableError(
      `The file is not ${encoding.toUpperCase()} after byte ${read}. Choose another encoding, or save it as UTF-8.`,
    );
  }
}

/** The text of the first bytes of a file; a character may be cut at their end. */
export async function decodeStart(start: Uint8Array, encoding: Encoding): Promise<string> {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(start);
  let text = '';
  for await (const part of decode(only(start), encoding)) text += part;
  return text;
}

async function* only<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}

function decodeSingleBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += latin1[byte];
  return text;
}
