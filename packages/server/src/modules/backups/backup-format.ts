import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../platform/parse-json.ts';

/** The version of the format that this release writes, and the newest that it reads. */
export const formatVersion = 1;

/**
 * What the first line of a backup says. The lines after it are the same for the same rows, whichever engine they were
 * read from.
 */
const headerSchema = z.object({
  format: z.literal('backup'),
  version: z.number().int().min(1),
  /** The release that wrote it. */
  release: z.string(),
  /** Names of the migrations that its tables have behind them, in order. */
  migrations: z.array(z.string()).min(1),
  engine: z.string(),
  takenAt: z.string(),
  /** Names the master key that opens its sealed values, and tells nothing of the key; null if nothing is sealed. */
  masterKey: z.string().nullable(),
});

export type BackupHeader = Readonly<z.output<typeof headerSchema>>;

const headerLine = z.object({ portolan: headerSchema, sha256: z.string() });
/** Enough to say which release reads a file of a later format. */
const laterLine = z.object({ portolan: z.object({ version: z.number(), release: z.string() }) });

/** What a backup says beside its rows: a table begins, ends, how far sequences are, and that all was written. */
const statement = z.union([
  z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) }),
  z.strictObject({ table: z.string(), rows: z.number().int(), sha256: z.string() }),
  z.strictObject({
    sequences: z.record(
      z.string(),
      z
        .string()
        .regex(/^\d{1,18}$/)
        .nullable(),
    ),
  }),
  z.strictObject({ end: z.literal(true), tables: z.number().int(), sha256: z.string(), mac: z.string().optional() }),
]);

/** A file of ours that is no whole one which this release can use; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export function writeHeader(header: BackupHeader): string {
  return `${JSON.stringify({ portolan: header, sha256: hashText(JSON.stringify(header)) })}\n`;
}

/** @throws BackupError for what is no backup, was changed, or is of a later format */
export function readHeader(line: string): BackupHeader {
  const value = parseJson(line);
  const later = laterLine.safeParse(value);
  if (later.success && later.data.portolan.version > formatVersion) {
    throw new BackupError(
      `The backup has format ${later.data.portolan.version} and was written by release ${later.data.portolan.release}; this ` +
        `release reads format ${formatVersion}. Restore it with that release or a newer one.`,
    );
  }
  const read = headerLine.safeParse(value);
  if (!read.success) throw new BackupError('This is no backup of Portolan: its first line is not the head of one.');
  const header = read.data.portolan;
  if (read.data.sha256 !== hashText(JSON.stringify(header))) throw changed('its head does not have its checksum');
  return header;
}

/** @throws BackupError for a line that says nothing of the kind */
export function readStatement(line: string): z.output<typeof statement> {
  const read = statement.safeParse(parseJson(line));
  if (!read.success) throw changed('a line of it says nothing that such a file says');
  return read.data;
}

export function cutShort(): BackupError {
  return new BackupError('The file is cut short: its end is missing. Use a whole copy, or take a new one.');
}

export function changed(what: string): BackupError {
  return new BackupError(`The file was changed or damaged after it was written: ${what}. Use another copy.`);
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
