import type { Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { fields, row } from '../../platform/db/row.ts';

const entityIdentifier = row(fields('entities', 'identifier'));

/** The identifiers of the first entities of a blueprint. */
export async function listFirst(reader: Reader, orgId: string, blueprintKey: number, limit: number): Promise<string[]> {
  const rows = await reader.rows(entityIdentifier.sql`
    select identifier from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey}
    order by key limit ${limit}`);
  return rows.map(({ identifier }) => identifier);
}

const entityKey = row(fields('entities', 'key'));

/** Locks the next entities that satisfy a condition on `entities e`, in the order of their keys. */
export async function lockNextKeys(
  tx: Tx,
  orgId: string,
  condition: Sql,
  { afterKey, limit }: { readonly afterKey: number; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.rows(entityKey.sql`
    select e.key from entities e where e.org_id = ${orgId} and e.key > ${afterKey} and ${condition}
    order by e.key limit ${limit} for no key update of e`);
  return rows.map(({ key }) => key);
}
