import sql, { join } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { GuessedProperty } from './guess-property.ts';

type Place = Pick<StoredBlueprint, 'orgId' | 'key'>;

const unknownProperty = row({
  ...fields('unknown_properties', 'property', 'datasource', 'first_seen', 'last_seen'),
  guess: field('unknown_properties', 'guess').as<GuessedProperty>(),
});

/** A sender of an unknown property. */
export type UnknownProperty = RowOf<typeof unknownProperty>;

/** All notes of a blueprint, most recent first; their number is bounded when they are made. */
export function listUnknownRows(reader: Reader, { orgId, key }: Place): Promise<UnknownProperty[]> {
  return reader.rows(unknownProperty.sql`
    select property, datasource, guess, first_seen as "firstSeen", last_seen as "lastSeen" from unknown_properties
    where org_id = ${orgId} and blueprint_key = ${key} order by last_seen desc, property, datasource`);
}

export async function putUnknownRows(
  tx: Tx,
  { orgId, key }: Place,
  notes: readonly Pick<UnknownProperty, 'property' | 'datasource' | 'guess'>[],
  now: Date,
): Promise<void> {
  const rows = notes.map(
    ({ property, datasource, guess }) =>
      sql`(${orgId}, ${key}, ${property}, ${datasource}, ${json(guess)}, ${now}, ${now})`,
  );
  await tx.execute(sql`
    insert into unknown_properties (org_id, blueprint_key, property, datasource, guess, first_seen, last_seen)
    values ${join(rows)}
    on conflict (org_id, blueprint_key, property, datasource)
    do update set guess = excluded.guess, last_seen = excluded.last_seen`);
}

const unknownPropertyOrgId = row(fields('unknown_properties', 'org_id'));

export async function listOrganizationsWithUnknown(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(unknownPropertyOrgId.sql`
    select distinct org_id as "orgId" from unknown_properties where last_seen < ${before}`);
  return rows.map(({ orgId }) => orgId);
}

export async function deleteUnknownRows(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  const rows = await tx.rows(sql`
    delete from unknown_properties where org_id = ${orgId} and ctid in (
      select ctid from unknown_properties where org_id = ${orgId} and last_seen < ${before} limit ${limit})
    returning property`);
  return rows.length;
}
