import { z } from 'zod';
import { parseJson } from '../../../platform/parse-json.ts';
import { BackupError, changed, hashText } from '../backup-format.ts';
import type { UnpackLimits } from '../unpack.ts';
import type { TransferKey } from './transfer-key.ts';

/** The version of the format that this release writes, and the newest that it reads. */
export const organizationFormatVersion = 1;

/** Keys beyond this are none that an installation gave, and numbers of JavaScript end soon after. */
const keyMax = 2n ** 50n;

/**
 * What the first line of an organization's file says. All that depends on the installation and the time stands here: the
 * lines after it are the same for the same organization, wherever it is.
 */
const headerSchema = z.strictObject({
  format: z.literal('organization'),
  version: z.number().int().min(1),
  release: z.string(),
  /** Names of the migrations that its tables have behind them, in order. */
  migrations: z.array(z.string()).min(1),
  engine: z.string(),
  takenAt: z.string(),
  organization: z.strictObject({ id: z.string().min(1), name: z.string() }),
  /** `table.column`: keys up to here were given, and are not given to anything else. */
  keys: z.record(z.string(), z.string().regex(/^\d{1,16}$/)),
});

export type OrganizationHeader = Readonly<z.output<typeof headerSchema>>;

const headerLine = z.strictObject({ portolan: headerSchema, sha256: z.string(), mac: z.string() });
const laterLine = z.object({ portolan: z.object({ format: z.string(), version: z.number(), release: z.string() }) });

/** The head with what proves it: who has the passphrase wrote it. */
export interface SignedHeader {
  readonly header: OrganizationHeader;
  readonly mac: string;
}

export function writeOrganizationHeader(header: OrganizationHeader, key: TransferKey): string {
  const text = JSON.stringify(header);
  return `${JSON.stringify({ portolan: header, sha256: hashText(text), mac: key.sign(text) })}\n`;
}

/** @throws BackupError for what is no organization's file, was changed, or is of a later format */
export function readOrganizationHeader(line: string): SignedHeader {
  const value = parseJson(line);
  const later = laterLine.safeParse(value);
  if (later.success && later.data.portolan.format === 'backup') {
    throw new BackupError('This is a backup of a whole installation: "portolan restore" takes it.');
  }
  if (later.success && later.data.portolan.version > organizationFormatVersion) {
    const { version, release } = later.data.portolan;
    throw new BackupError(
      `The file has format ${version} and was written by release ${release}; this release reads format ` +
        `${organizationFormatVersion}. Import it with that release or a newer one.`,
    );
  }
  const read = headerLine.safeParse(value);
  if (!read.success) throw new BackupError('This is no exported organization: its first line is not the head of one.');
  const { portolan: header, sha256, mac } = read.data;
  if (sha256 !== hashText(JSON.stringify(header))) throw changed('its head does not have its checksum');
  for (const [name, last] of Object.entries(header.keys)) {
    if (BigInt(last) > keyMax) throw new BackupError(`Line 1: ${last} is no key that an installation gives (${name}).`);
  }
  return { header, mac };
}

/** @throws BackupError where the passphrase is another, or somebody else wrote the line */
export function requireSigned(key: TransferKey, text: string, mac: string | undefined): void {
  if (key.isSigned(text, mac)) return;
  throw new BackupError('The passphrase is not that of the file, or the file was changed. Check --passphrase-file.');
}

/** A file comes from elsewhere: its lines and what it unpacks to are bounded. No row of ours comes near. */
export const organizationLimits: UnpackLimits = { lineBytesMax: 64 * 1024 * 1024, ratioMax: 200 };
