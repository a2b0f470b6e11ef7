import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { field, row } from '../../platform/db/row.ts';

const installationKeyCheck = row({ kept: field('installation', 'key_check') });

export async function findKeyCheck(tx: Tx): Promise<string | undefined> {
  return (await tx.first(installationKeyCheck.sql`select key_check as kept from installation`))?.kept;
}

/** The first to store one wins. */
export async function insertKeyCheck(tx: Tx, check: string): Promise<void> {
  await tx.execute(sql`insert into installation (key_check) values (${check}) on conflict do nothing`);
}

const credentialSealedSecret = row({ sealed: field('credentials', 'sealed_secret').notNull() });

/** A kept secret of any organization. */
export async function findAnySealedSecret(reader: Reader): Promise<string | undefined> {
  const row = await reader.first(
    credentialSealedSecret.sql`select sealed_secret as sealed from credentials where sealed_secret is not null limit 1 /* all organizations */`,
  );
  return row?.sealed;
}
