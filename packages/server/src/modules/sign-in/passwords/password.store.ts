import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';

export async function setPasswordHash(tx: Tx, orgId: string, userKey: string, hash: string, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into user_passwords (org_id, user_key, hash, changed_at) values (${orgId}, ${userKey}, ${hash}, ${at})
    on conflict (org_id, user_key) do update set hash = excluded.hash, changed_at = excluded.changed_at`);
}
