import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { changed, cutShort } from './backup-format.ts';

/** The longest row that the database takes, since a batch is one `jsonb`. */
const lineBytesMax = 256 * 1024 * 1024;

/** How much a file may ask for that nobody has to trust. */
export interface UnpackLimits {
  readonly lineBytesMax: number;
  /** How many times its size it may unpack to, once that is more than a few megabytes. */
  readonly ratioMax: number;
}

const backupLimits: UnpackLimits = { lineBytesMax, ratioMax: Number.POSITIVE_INFINITY };
/** So little is unpacked whatever its ratio: repeated rows pack well. */
const ratioFreeBytes = 64 * 1024 * 1024;

/** The lines of a file that is packed with gzip, or was. @throws BackupError for a file that is cut short or damaged */
export async function* readLines(file: Readable, limits: UnpackLimits = backupLimits): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  const taken = { bytes: 0 };
  let unpacked = 0;
  for await (const chunk of unpack(file, taken)) {
    unpacked += chunk.length;
    if (unpacked > Math.max(ratioFreeBytes, taken.bytes * limits.ratioMax)) {
      throw changed(`it unpacks to more than ${limits.ratioMax} times its size`);
    }
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, at);
      yield parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      length = 0;
      from = at + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > limits.lineBytesMax) throw changed('a line of it has no end');
  }
  if (length > 0) throw cutShort();
}

async function* unpack(file: Readable, taken: { bytes: number }): AsyncGenerator<Buffer> {
  const source = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await source.next();
  if (first.done) return;
  const whole = async function* (): AsyncGenerator<Buffer> {
    for (let next: IteratorResult<Buffer> = first; !next.done; next = await source.next()) {
      taken.bytes += next.value.length;
      yield next.value;
    }
  };
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isPacked) return yield* whole();
  const unpacked = createGunzip();
  // its errors come out of the loop below
  pipeline(Readable.from(whole()), unpacked, () => undefined);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw cutShort();
    if (code.startsWith('Z_')) throw changed('it cannot be unpacked');
    throw error;
  } finally {
    unpacked.destroy();
  }
}
