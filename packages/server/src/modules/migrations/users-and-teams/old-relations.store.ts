import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { TeamRelation } from './convert-ownership.store.ts';

/** Lets writes under these removed relations be read as teams until a moment. */
export async function rememberOldRelations(
  tx: Tx,
  orgId: string,
  relations: readonly TeamRelation[],
  until: Date,
): Promise<void> {
  for (const { blueprintKey, relation } of relations) {
    await tx.execute(sql`
      insert into old_team_relations (org_id, blueprint_key, relation, until)
      values (${orgId}, ${blueprintKey}, ${relation}, ${until})
      on conflict (org_id, blueprint_key, relation) do update set until = excluded.until`);
  }
}

export async function deleteOldRelations(tx: Tx, orgId: string): Promise<void> {
  await tx.execute(sql`delete from old_team_relations where org_id = ${orgId}`);
}

const relationRow = row(fields('old_team_relations', 'relation'));

/** The given names that are removed relations and still read as teams. */
export async function findOldRelations(
  reader: Reader,
  { orgId, key }: Pick<StoredBlueprint, 'orgId' | 'key'>,
  names: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await reader.rows(relationRow.sql`
    select relation from old_team_relations
    where org_id = ${orgId} and blueprint_key = ${key} and relation = any(${names}) and until > ${now}`);
  return new Set(rows.map(({ relation }) => relation));
}
