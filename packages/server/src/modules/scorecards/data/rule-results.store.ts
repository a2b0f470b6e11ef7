import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { countRow, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const ruleResultMarkEntityKey = row({ key: field('rule_result_marks', 'entity_key') });

/** In order of key, after a key. */
export async function listMarked(reader: Reader, orgId: string, after: number, limit: number): Promise<number[]> {
  const rows = await reader.rows(ruleResultMarkEntityKey.sql`
    select entity_key as key from rule_result_marks where org_id = ${orgId} and entity_key > ${after}
    order by entity_key limit ${limit}`);
  return rows.map(({ key }) => key);
}

export async function listMarkedEntities(reader: Reader, orgId: string, keys: readonly number[]): Promise<number[]> {
  const rows = await reader.rows(ruleResultMarkEntityKey.sql`
    select entity_key as key from rule_result_marks where org_id = ${orgId} and entity_key = any(${keys}::bigint[])`);
  return rows.map(({ key }) => key);
}

export async function removeMarked(tx: Tx, orgId: string, keys: readonly number[]): Promise<void> {
  await tx.execute(sql`
    delete from rule_result_marks where org_id = ${orgId} and entity_key = any(${keys}::bigint[])`);
}

/** Marks all entities of a blueprint; existing marks stay. */
export function markEvaluated(tx: Tx, orgId: string, blueprintKey: number): Promise<number> {
  return tx.execute(sql`
    insert into rule_result_marks (org_id, entity_key)
    select e.org_id, e.key from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint and e.scorecards <> '{}'
    on conflict do nothing`);
}

export async function countMarked(reader: Reader, orgId: string): Promise<number> {
  const row = await reader.first(
    countRow.sql`select count(*)::int as count from rule_result_marks where org_id = ${orgId}`,
  );
  return row?.count ?? 0;
}

const resultLink = row({
  resultKey: field('entity_relations', 'source_key'),
  entityKey: field('entity_relations', 'target_key'),
  /** Null if the rule was deleted. */
  ruleKey: field('entity_relations', 'target_key').orNull(),
});
export type ResultLink = RowOf<typeof resultLink>;

export function findResults(
  reader: Reader,
  orgId: string,
  { resultsKey, relations }: { readonly resultsKey: number; readonly relations: readonly string[] },
  entityKeys: readonly number[],
): Promise<ResultLink[]> {
  return reader.rows(resultLink.sql`
    select r.source_key as "resultKey", r.target_key as "entityKey", x.target_key as "ruleKey"
    from unnest(${entityKeys}::bigint[]) as n(key)
    cross join lateral (
      select d.source_key, d.target_key from entity_relations d
      where d.org_id = ${orgId} and d.target_key = n.key and d.relation = any(${relations}::text[])
        and d.source_blueprint_key = ${resultsKey}::bigint offset 0) r
    left join entity_relations x on x.org_id = ${orgId} and x.source_key = r.source_key and x.relation = 'rule'
    order by r.source_key`);
}

const entityIdentifier = row(fields('entities', 'identifier'));

/** Which of these identifiers entities of a blueprint have. */
export async function listTaken(
  reader: Reader,
  orgId: string,
  key: number,
  names: readonly string[],
): Promise<string[]> {
  const rows = await reader.rows(entityIdentifier.sql`
    select e.identifier from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${key} and e.identifier = any(${names}::text[])`);
  return rows.map(({ identifier }) => identifier);
}

const entityRow = row(fields('entities', 'key', 'identifier'));

/** The identifiers of entities, by key. */
export function listNames(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
): Promise<{ readonly key: number; readonly identifier: string }[]> {
  return reader.rows(entityRow.sql`
    select e.key, e.identifier from entities e
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[])`);
}
