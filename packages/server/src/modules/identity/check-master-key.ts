import sql from 'sql-template-tag';
import type { Database, Tx } from '../../platform/db/database.ts';
import { createSecretScope } from '../../platform/secrets/secret-scope.ts';
import { StartError } from '../../platform/start-error.ts';
import { createSealer } from './secrets/sealer.ts';

const purpose = 'master key check';
const text = 'portolan';

/**
 * Refuses a master key other than the database's, before anything is sealed or signed with it. The first start stores a
 * text that only its key opens; an older database is checked by its sealed values.
 * @throws StartError
 */
export async function checkMasterKey(database: Database, masterKey: string): Promise<void> {
  const sealer = createSealer(Buffer.from(masterKey, 'base64'));
  const kept = await database.transaction(async (tx) => (await findCheck(tx)) ?? (await leaveCheck(tx, sealer)));
  try {
    // the text is public, so no secret scope is needed
    if (sealer.open('', purpose, kept, createSecretScope()) === text) return;
  } catch (error) {
    throw refusal(error);
  }
  throw refusal(undefined);
}

async function findCheck(tx: Tx): Promise<string | undefined> {
  return (await tx.first<{ kept: string }>(sql`select key_check as kept from installation`))?.kept;
}

/** Replicas that start together use the text of the first. */
async function leaveCheck(tx: Tx, sealer: ReturnType<typeof createSealer>): Promise<string> {
  const own = sealer.seal('', purpose, text);
  const older = await tx.first<{ sealed: string }>(
    sql`select sealed_secret as sealed from credentials where sealed_secret is not null limit 1 /* all organizations */`,
  );
  if (older && keyIdOf(older.sealed) !== keyIdOf(own)) throw refusal(undefined);
  await tx.execute(sql`insert into installation (key_check) values (${own}) on conflict do nothing`);
  return (await findCheck(tx)) ?? own;
}

/** The key id in a sealed value. */
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
