import type { Json, Suggestion } from '@portolan/team-references';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

/** The value and the suggested edits at the moment of acceptance. */
export interface AcceptedChange {
  readonly before: Json;
  readonly edits: Suggestion['edits'];
}

const acceptance = row({
  ...fields('people_migration_acceptances', 'item_id', 'accepted_at', 'accepted_by'),
  suggested: field('people_migration_acceptances', 'suggested').as<AcceptedChange>(),
  state: field('people_migration_acceptances', 'state'),
  message: field('people_migration_acceptances', 'message'),
});

export type Acceptance = RowOf<typeof acceptance>;

const columns = raw(
  'item_id as "itemId", suggested, accepted_at as "acceptedAt", accepted_by as "acceptedBy", state, message',
);

export function listAcceptances(reader: Reader, orgId: string): Promise<Acceptance[]> {
  return reader.rows(acceptance.sql`
    select ${columns} from people_migration_acceptances where org_id = ${orgId} order by accepted_at, item_id`);
}

/** The oldest acceptance that the current migration has not processed. */
export function findDueAcceptance(reader: Reader, orgId: string): Promise<Acceptance | undefined> {
  return reader.first(acceptance.sql`
    select ${columns} from people_migration_acceptances
    where org_id = ${orgId} and state = 'due' order by accepted_at, item_id limit 1`);
}

/** Accepting an unchanged suggestion again keeps the first author and time. */
export async function putAcceptances(
  tx: Tx,
  orgId: string,
  changes: readonly { readonly itemId: string; readonly suggested: AcceptedChange }[],
  by: string,
  at: Date,
): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(sql`
    insert into people_migration_acceptances (org_id, item_id, suggested, accepted_at, accepted_by)
    select ${orgId}, c."itemId", c.suggested, ${at}, ${by}
    from jsonb_to_recordset(${json(changes)}::jsonb) as c("itemId" text, suggested jsonb)
    on conflict (org_id, item_id) do update set suggested = excluded.suggested, accepted_at = excluded.accepted_at,
      accepted_by = excluded.accepted_by
    where people_migration_acceptances.suggested <> excluded.suggested`);
}

export async function deleteAcceptances(tx: Tx, orgId: string, itemIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from people_migration_acceptances where org_id = ${orgId} and item_id = any(${[...itemIds]}::text[])`);
}

export async function resolveAcceptance(
  tx: Tx,
  orgId: string,
  itemId: string,
  { state, message }: Pick<Acceptance, 'state' | 'message'>,
): Promise<void> {
  await tx.execute(sql`
    update people_migration_acceptances set state = ${state}, message = ${message}
    where org_id = ${orgId} and item_id = ${itemId}`);
}

export async function resetAcceptances(tx: Tx, orgId: string): Promise<void> {
  await tx.execute(sql`
    update people_migration_acceptances set state = 'due', message = null where org_id = ${orgId} and state <> 'due'`);
}
