import type { Receipts } from '@portolan/contract/receipts';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { field, row } from '../../../platform/db/row.ts';

/** The insert of an invocation's receipts, as a part of the statement that ends it; empty without any. */
export function receiptsInsert(orgId: string, invocationId: string, receipts: Receipts | undefined): Sql {
  if (!receipts) return empty;
  return sql`, backed as (
    insert into invocation_receipts (org_id, invocation_id, receipts)
    values (${orgId}, ${invocationId}, ${JSON.stringify(receipts)}::json) on conflict do nothing)`;
}

const receiptsRow = row({ receipts: field('invocation_receipts', 'receipts').as<Receipts>() });

export async function findReceipts(reader: Reader, orgId: string, invocationId: string): Promise<Receipts | undefined> {
  const found = await reader.first(receiptsRow.sql`
    select receipts from invocation_receipts where org_id = ${orgId} and invocation_id = ${invocationId}`);
  return found?.receipts;
}

export async function deleteReceipts(tx: Tx, orgId: string, invocationIds: readonly string[]): Promise<void> {
  await tx.execute(
    sql`delete from invocation_receipts where org_id = ${orgId} and invocation_id = any(${invocationIds}::text[])`,
  );
}
