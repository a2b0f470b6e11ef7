import sql from 'sql-template-tag';
import type { Database, Tx } from '../../platform/db/database.ts';
import { createSecretScope } from '../../platform/secrets/secret-scope.ts';
import { StartError } from '../../platform/start-error.ts';
import { createSealer } from './secrets/sealer.ts';

const purpose = 'master key check';
const text = 'portolan';

/**
 * Refuses a master key that is not the one of the database, before anything is sealed or signed with it. The first start
 * leaves a text that only its key opens; a database that is older than that text has values that were sealed.
 * @throws StartError
 */
export async function checkMasterKey(database: Database, masterKey: string): Promise<void> {
  const sealer = createSealer(Buffer.from(masterKey, 'base64'));
  const kept = await database.transaction(async (tx) => (await findCheck(tx)) ?? (await leaveCheck(tx, sealer)));
  try {
    // a text that everybody knows: nothing has to be kept from anybody
    if (sealer.open('', purpose, kept, createSecretScope()) === text) return;
  } catch (error) {
    throw refusal(error);
  }
  throw refusal(undefined);
}

async function findCheck(tx: Tx): Promise<string | undefined> {
  return (await tx.first<{ kept: string }>(sql`select key_check as kept from installation`))?.kept;
}

/** Replicas that start together agree on the text of whoever is first. */
async function leaveCheck(tx: Tx, sealer: ReturnType<typeof createSealer>): Promise<string> {
  const own = sealer.seal('', purpose, text);
  const older = await tx.first<{ sealed: string }>(
    sql`select sealed_secret as sealed from credentials where sealed_secret is not null limit 1 /* all organizations */`,
  );
  if (older && keyIdOf(older.sealed) !== keyIdOf(own)) throw refusal(undefined);
  await tx.execute(sql`insert into installation (key_check) values (${own}) on conflict do nothing`);
  return (await findCheck(tx)) ?? own;
}

/** Sealed values name the key that sealed them. */
function keyIdOf(sealed: string): string | undefined {
  return sealed.split('.')[1];
}

function refusal(cause: unknown): StartError {
  return new StartError(
    'The master key is not the one that this database was set up with: nothing that is sealed in it could be read, and ' +
      'every token would be refused. Set PORTOLAN_MASTER_KEY to the key of before, or restore secrets.json in the data ' +
      'folder if none was set.',
    { cause },
  );
}
