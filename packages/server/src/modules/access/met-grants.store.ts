import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { GrantName } from '../rights/index.ts';

const entityKey = row(fields('entities', 'key'));
const metRow = row({ ...fields('entities', 'key'), met: computed.texts.as<readonly GrantName[]>() });
const draftMetRow = row({ key: computed.number, met: computed.texts.as<readonly GrantName[]>() });

/** The grants whose policies an entity satisfies. */
export type SatisfiedRow = RowOf<typeof metRow>;

/** What stored entities satisfy, `met` being read of each. */
export function listMet(reader: Reader, orgId: string, keys: readonly number[], met: Sql): Promise<SatisfiedRow[]> {
  return reader.rows(metRow.sql`
    select e.key, ${met} as met from entities e
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[])`);
}

/** The same for entities that are not there, as rows of `entities` that hold nothing computed. */
export function listMetByDrafts(
  reader: Reader,
  orgId: string,
  rows: readonly object[],
  met: Sql,
): Promise<SatisfiedRow[]> {
  return reader.rows(draftMetRow.sql`
    select e.key, ${met} as met from (
      select r.*, r."teamRefs" as team_refs, '{}'::jsonb as derived, '{}'::jsonb as scorecards, r.at as created_at,
        r.at as updated_at, r.by as created_by, r.by as updated_by
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(key bigint, blueprint_key bigint, org_id text, identifier text,
        title text, icon text, properties jsonb, relations jsonb, "teamRefs" text[], at timestamptz, by text,
        datasource text)) e
    where e.org_id = ${orgId}`);
}

/** Those of the entities that satisfy a condition. */
export async function listVisible(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
  condition: Sql,
): Promise<number[]> {
  const rows = await reader.rows(entityKey.sql`
    select e.key from entities e
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) and ${condition}`);
  return rows.map(({ key }) => key);
}
