import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { changed, cutShort } from './backup-format.ts';

/** No row of ours is as long: the database takes no such value. */
const lineBytesMax = 512 * 1024 * 1024;

/** The lines of a file that is packed with gzip, or was. @throws BackupError for a file that is cut short or damaged */
export async function* readLines(file: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpack(file)) {
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
    if (length > lineBytesMax) throw changed('a line of it has no end');
  }
  if (length > 0) throw cutShort();
}

async function* unpack(file: Readable): AsyncGenerator<Buffer> {
  const source = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await source.next();
  if (first.done) return;
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
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
