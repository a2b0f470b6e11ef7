import type { DeletionQuestion } from '@portolan/contract/delete-guards';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const storedGuard = row({
  ...fields(
    'integration_delete_guards',
    'threshold',
    'began_at',
    'entities_before',
    'entities_deleted',
    'lifted_until',
  ),
  question: field('integration_delete_guards', 'question').as<DeletionQuestion>(),
});
export type StoredGuard = RowOf<typeof storedGuard>;

const columns = raw(`g.threshold, g.began_at as "beganAt", g.entities_before as "entitiesBefore",
  g.entities_deleted as "entitiesDeleted", g.question, g.lifted_until as "liftedUntil"`);

export function findGuard(reader: Reader, orgId: string, integrationKey: number): Promise<StoredGuard | undefined> {
  return reader.first(storedGuard.sql`
    select ${columns} from integration_delete_guards g
    where g.org_id = ${orgId} and g.integration_key = ${integrationKey}`);
}

/** Locks the guard until the transaction ends, so that deletions of one integration are counted one after another. */
export function lockGuard(tx: Tx, orgId: string, integrationKey: number): Promise<StoredGuard | undefined> {
  return tx.first(storedGuard.sql`
    select ${columns} from integration_delete_guards g
    where g.org_id = ${orgId} and g.integration_key = ${integrationKey} for update`);
}

/** Sets the share, and drops the counts and the question of the previous one. */
export async function putGuard(tx: Tx, orgId: string, integrationKey: number, threshold: number): Promise<void> {
  await tx.execute(sql`
    insert into integration_delete_guards (org_id, integration_key, threshold)
    values (${orgId}, ${integrationKey}, ${threshold})
    on conflict (org_id, integration_key) do update set threshold = excluded.threshold, question = null`);
}

export async function deleteGuard(tx: Tx, orgId: string, integrationKey: number): Promise<void> {
  await tx.execute(sql`
    delete from integration_delete_guards where org_id = ${orgId} and integration_key = ${integrationKey}`);
}

export async function updateGuard(tx: Tx, orgId: string, integrationKey: number, guard: StoredGuard): Promise<void> {
  await tx.execute(sql`
    update integration_delete_guards set began_at = ${guard.beganAt}, entities_before = ${guard.entitiesBefore},
      entities_deleted = ${guard.entitiesDeleted}, lifted_until = ${guard.liftedUntil},
      question = ${guard.question === null ? null : json(guard.question)}
    where org_id = ${orgId} and integration_key = ${integrationKey}`);
}

/** Ends a confirmed deletion together with its resync: it applied to that one only. */
export async function endLift(tx: Tx, orgId: string, integrationKey: number): Promise<void> {
  await tx.execute(sql`
    update integration_delete_guards set lifted_until = null, began_at = null
    where org_id = ${orgId} and integration_key = ${integrationKey}`);
}
