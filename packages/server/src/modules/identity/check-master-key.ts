import type { Database, Tx } from '../../platform/db/database.ts';
import { createSecretScope } from '../../platform/secrets/secret-scope.ts';
import { StartError } from '../../platform/start-error.ts';
import { findAnySealedSecret, findKeyCheck, insertKeyCheck } from './key-check.store.ts';
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
  const kept = await database.transaction(async (tx) => (await findKeyCheck(tx)) ?? (await leaveCheck(tx, sealer)));
  try {
    // the text is public, so no secret scope is needed
    if (sealer.open('', purpose, kept, createSecretScope()) === text) return;
  } catch (error) {
    throw refusal(error);
  }
  throw refusal(undefined);
}

/** Whether a master key opens the text that the first start left. */
export function opensKeyCheck(masterKey: string, kept: string): boolean {
  try {
    return createSealer(Buffer.from(masterKey, 'base64')).open('', purpose, kept, createSecretScope()) === text;
  } catch {
    return false;
  }
}

/** Replicas that start together use the text of the first. */
async function leaveCheck(tx: Tx, sealer: ReturnType<typeof createSealer>): Promise<string> {
  const own = sealer.seal('', purpose, text);
  const older = await findAnySealedSecret(tx);
  if (older && readKeyId(older) !== readKeyId(own)) throw refusal(undefined);
  await insertKeyCheck(tx, own);
  return (await findKeyCheck(tx)) ?? own;
}

/** The key id in a sealed value. */
function readKeyId(sealed: string): string | undefined {
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
