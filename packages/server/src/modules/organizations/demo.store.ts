import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../platform/db/row.ts';

const demoRow = row({
  ...fields('organizations', 'id', 'name', 'model', 'created_at'),
  isBeingRemoved: computed.boolean,
});
export type DemoRow = RowOf<typeof demoRow>;

/** The demo beside an organization; one that is not being removed, if there are two. */
export function findDemo(reader: Reader, ownId: string): Promise<DemoRow | undefined> {
  return reader.first(demoRow.sql`
    select id, name, model, created_at as "createdAt", removal_requested_at is not null as "isBeingRemoved"
    from organizations where demo_of = ${ownId} order by removal_requested_at is not null, removal_requested_at desc
    limit 1`);
}

/** The demo that is there to be removed, locked until the transaction ends. */
export function lockDemo(tx: Tx, ownId: string): Promise<DemoRow | undefined> {
  return tx.first(demoRow.sql`
    select id, name, model, created_at as "createdAt", false as "isBeingRemoved"
    from organizations where demo_of = ${ownId} and removal_requested_at is null for update`);
}

const ownRow = row(fields('organizations', 'id', 'demo_of'));

/** The organization, which stays until the transaction ends; undefined if it is gone. */
export function holdOrganization(tx: Tx, id: string): Promise<RowOf<typeof ownRow> | undefined> {
  return tx.first(ownRow.sql`select id, demo_of as "demoOf" from organizations where id = ${id} for share`);
}
