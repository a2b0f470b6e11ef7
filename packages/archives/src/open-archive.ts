import { BlobReader, ERR_UNSAFE_FILENAME, type FileEntry, ZipReader } from '@zip.js/zip.js';

/** An archive that cannot be read, or is not to be. The message says what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export interface ArchiveFile {
  /** With `/` between folders, and never out of the archive. */
  readonly path: string;
  /** The content in pieces, unpacked as they are taken. @throws ArchiveError */
  read(): AsyncGenerator<Uint8Array>;
  /** The content as UTF-8; undefined if it is longer than `bytesMax`. @throws ArchiveError */
  readText(bytesMax: number): Promise<string | undefined>;
}

export interface Archive {
  readonly files: readonly ArchiveFile[];
}

export interface ArchiveLimits {
  readonly packedBytesMax: number;
  /** Over all files that are read, however often. */
  readonly unpackedBytesMax: number;
  readonly filesMax: number;
}

const mebibyte = 1024 * 1024;
const defaultLimits: ArchiveLimits = {
  packedBytesMax: 100 * mebibyte,
  unpackedBytesMax: 1024 * mebibyte,
  filesMax: 50_000,
};
/** The mode of a link in the attributes that Unix writes. */
const fileTypeMask = 0o170000;
const linkType = 0o120000;

/** Lists the files of a zip archive. None is unpacked before it is asked for. @throws ArchiveError */
export async function openArchive(blob: Blob, given: Partial<ArchiveLimits> = {}): Promise<Archive> {
  const limits = { ...defaultLimits, ...given };
  if (blob.size > limits.packedBytesMax) {
    throw new ArchiveError(
      `The archive has more than ${toMebibytes(limits.packedBytesMax)} MiB. Leave out what is not needed, or split it.`,
    );
  }
  const reader = new ZipReader(new BlobReader(blob), { useWebWorkers: false });
  const room = { left: limits.unpackedBytesMax, all: limits.unpackedBytesMax };
  const files: ArchiveFile[] = [];
  let count = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      count += 1;
      if (count > limits.filesMax) {
        throw new ArchiveError(`The archive has more than ${limits.filesMax} files. Leave out what is not needed.`);
      }
      const path = safePath(entry.filename);
      if (entry.directory || isLink(entry.unixMode)) continue;
      if (entry.encrypted) throw new ArchiveError('The archive has a password. Pack it without one.');
      files.push(createFile(path, entry, room));
    }
  } catch (error) {
    throw explained(error);
  }
  return { files };
}

function isLink(mode: number | undefined): boolean {
  return mode !== undefined && (mode & fileTypeMask) === linkType;
}

/** @throws ArchiveError for a path that leads out of the archive */
function safePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  const isOutside = path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..');
  if (isOutside || path.includes('\0')) throw leadsOut(name);
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function leadsOut(name: string): ArchiveError {
  return new ArchiveError(
    `The archive names "${printable(name)}", which leads out of it. Nothing was read; pack it anew, with paths below one folder.`,
  );
}

function createFile(path: string, entry: FileEntry, room: { left: number; readonly all: number }): ArchiveFile {
  async function* read(): AsyncGenerator<Uint8Array> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const unpacked = entry.getData(writable, { checkSignature: true });
    // it is met by the reader of the pieces, too
    unpacked.catch(() => undefined);
    const pieces = readable.getReader();
    try {
      for (;;) {
        const { done, value } = await pieces.read();
        if (done) break;
        room.left -= value.byteLength;
        if (room.left < 0) {
          throw new ArchiveError(
            `Unpacked, the archive has more than ${toMebibytes(room.all)} MiB. Leave out what is not needed.`,
          );
        }
        yield value;
      }
      await unpacked;
    } catch (error) {
      throw explained(error, path);
    } finally {
      await pieces.cancel().catch(() => undefined);
    }
  }
  return {
    path,
    read,
    readText: async (bytesMax) => {
      const decoder = new TextDecoder();
      let text = '';
      let bytes = 0;
      for await (const piece of read()) {
        bytes += piece.byteLength;
        if (bytes > bytesMax) return undefined;
        text += decoder.decode(piece, { stream: true });
      }
      return text + decoder.decode();
    },
  };
}

/** What the reader of zip files says, as a sentence about the archive. */
function explained(error: unknown, path?: string): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error)) return error;
  // the reader of zip files refuses most such names before we see them
  if (error.message === ERR_UNSAFE_FILENAME) return leadsOut('filename' in error ? String(error.filename) : '');
  const where = path === undefined ? 'The archive' : `"${printable(path)}" in the archive`;
  return new ArchiveError(`${where} cannot be read: ${error.message}. Pack it anew as a plain zip.`, { cause: error });
}

function toMebibytes(bytes: number): number {
  return Math.floor(bytes / mebibyte);
}

function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files may have any
  return text.replaceAll(/[\u0000-\u001f\u007f]/g, '?').slice(0, 200);
}
