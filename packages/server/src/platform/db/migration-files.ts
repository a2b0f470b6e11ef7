import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRelease } from '../release.ts';
import { StartError } from '../start-error.ts';

export interface Migration {
  /** `0001-platform` */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  readonly phase: MigrationPhase;
  /** The oldest release that works on the schema after this file; null for files from before releases could tell. */
  readonly oldestRelease: string | null;
}

/** Expanding only adds. Contracting takes away what releases up to one used, and waits until none of them runs. */
export type MigrationPhase = { readonly kind: 'expand' } | { readonly kind: 'contract'; readonly after: string };

/** Files from this number on say their phase. */
export const firstWithPhase = '0120';
/** Every release, by comparison. */
const everyRelease = '0.0.0';

/** @throws StartError for a folder that is not as it was released */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const file of names) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(file)) throw new StartError(`Migration ${file} is not named NNNN-name.sql`);
    const name = file.slice(0, -'.sql'.length);
    const previous = migrations.at(-1);
    if (previous?.name.slice(0, 4) === name.slice(0, 4)) {
      throw new StartError(`Migrations ${previous.name} and ${name} have the same number`);
    }
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(text).digest('hex');
    migrations.push({ name, text, checksum, ...readHead(name, text) });
  }
  return migrations;
}

/**
 * The first line says the phase, the second may say which release is the oldest that works afterwards; after a contraction it
 * must, and after an expansion every release does.
 */
function readHead(name: string, text: string): Pick<Migration, 'phase' | 'oldestRelease'> {
  if (name < firstWithPhase) return { phase: { kind: 'expand' }, oldestRelease: null };
  const [first = '', second = ''] = text.split('\n');
  const [, kind, after] = /^-- phase: (?:(expand)|contract after (\S+))$/.exec(first) ?? [];
  if (kind === undefined && !(after && isRelease(after))) {
    throw new StartError(
      `Migration ${name} does not begin with "-- phase: expand" or "-- phase: contract after 1.2.3"`,
    );
  }
  const oldest = /^-- oldest release: (\S+)$/.exec(second)?.[1];
  if (oldest !== undefined && !isRelease(oldest)) {
    throw new StartError(`Migration ${name} names "${oldest}" as oldest release, which is none`);
  }
  if (after === undefined) return { phase: { kind: 'expand' }, oldestRelease: oldest ?? everyRelease };
  if (oldest === undefined) {
    throw new StartError(`Migration ${name} contracts: its second line must be "-- oldest release: 1.2.4"`);
  }
  return { phase: { kind: 'contract', after }, oldestRelease: oldest };
}
