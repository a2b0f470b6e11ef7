import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartError } from './platform/start-error.ts';

/** What an installation needs and nobody should have to invent. */
export interface Secrets {
  readonly masterKey: string;
  readonly operatorToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

export interface LoadedSecrets {
  readonly secrets: Secrets;
  /** The file that keeps the generated ones; undefined if nothing had to be generated. */
  readonly file: string | undefined;
  /** Names of those that were set; the others are kept in the file. */
  readonly set: ReadonlySet<string>;
  /** Names of those that were generated just now, and so have never been shown. */
  readonly made: ReadonlySet<string>;
}

const generate: { readonly [Name in keyof Secrets]: () => string } = {
  masterKey: () => randomBytes(32).toString('base64'),
  operatorToken: () => randomBytes(32).toString('base64url'),
  clientId: () => `portolan-${randomBytes(6).toString('hex')}`,
  clientSecret: () => randomBytes(32).toString('base64url'),
  adminEmail: () => 'admin@portolan.local',
  adminPassword: () => randomBytes(15).toString('base64url'),
};

/**
 * The secrets that are set, and for the others the ones kept in the data folder, made on the first start. The file is
 * readable by its owner alone and is replaced as a whole, so that it is never half-written.
 */
export async function loadSecrets(config: Config): Promise<LoadedSecrets> {
  const file = join(config.dataDir, 'secrets.json');
  const set = definedOnly(config);
  const kept = await readStoredSecrets(file);
  const missing = (Object.keys(generate) as (keyof Secrets)[]).filter((name) => !set[name] && !kept[name]);
  const generated = Object.fromEntries(missing.map((name) => [name, generate[name]()]));
  if (missing.length > 0) await writeStoredSecrets(config.dataDir, file, { ...kept, ...generated });
  const secrets = { ...kept, ...generated, ...set } as Secrets;
  const isKept = (Object.keys(generate) as (keyof Secrets)[]).some((name) => !set[name]);
  return { secrets, set: new Set(Object.keys(set)), file: isKept ? file : undefined, made: new Set(missing) };
}

/** The master key that is set, else the one kept in the data folder; nothing is generated. */
export async function findMasterKey({ masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>) {
  return masterKey ?? (await readStoredSecrets(join(dataDir, 'secrets.json'))).masterKey;
}

function definedOnly(config: Config): Partial<Secrets> {
  const { masterKey, operatorToken, clientId, clientSecret, adminEmail, adminPassword } = config;
  const all = { masterKey, operatorToken, clientId, clientSecret, adminEmail, adminPassword };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function readStoredSecrets(file: string): Promise<Partial<Secrets>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartError(`${file} cannot be read: restore it, or remove it to generate new secrets.`, { cause: error });
  }
}

async function writeStoredSecrets(folder: string, file: string, secrets: object): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
