import sql from 'sql-template-tag';
import type { Tx } from '../db/database.ts';

export interface ReplicaRow {
  readonly id: string;
  readonly release: string;
  readonly role: string;
  readonly address: string;
}

/** Says by the clock of the database that a replica lives, and forgets those that were not seen for a day. */
export async function saveReplica(tx: Tx, replica: ReplicaRow & { readonly isDraining: boolean }): Promise<void> {
  const { id, release, role, address, isDraining } = replica;
  await tx.execute(sql`
    insert into replicas (id, release, role, address, draining_since)
    values (${id}, ${release}, ${role}, ${address}, case when ${isDraining}::boolean then now() end)
    on conflict (id) do update set seen_at = now(),
      draining_since = case when ${isDraining}::boolean then coalesce(replicas.draining_since, now()) end`);
  await tx.execute(sql`delete from replicas where seen_at < now() - interval '1 day'`);
}

export async function deleteReplica(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`delete from replicas where id = ${id}`);
}
