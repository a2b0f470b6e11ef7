import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { countRow, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { OrganizationModel } from '../organizations/index.ts';

const columns = raw(`x.identifier as id, x.scorecard, x.rule, x.reason, x.until, x.created_at as "createdAt",
  x.created_by as "createdBy", e.identifier as entity, e.title, b.identifier as blueprint`);
const rows = raw(`scorecard_exemptions x join entities e on e.org_id = x.org_id and e.key = x.entity_key
  join blueprints b on b.org_id = x.org_id and b.key = x.blueprint_key`);

const storedExemption = row({
  id: field('scorecard_exemptions', 'identifier'),
  ...fields('scorecard_exemptions', 'scorecard', 'rule', 'reason', 'until', 'created_at', 'created_by'),
  entity: field('entities', 'identifier'),
  ...fields('entities', 'title'),
  blueprint: field('blueprints', 'identifier'),
});
export type StoredExemption = RowOf<typeof storedExemption>;

interface Subject {
  readonly blueprintKey: number;
  readonly scorecard: string;
}

/** Those that hold on a day, of the entities `e` of a condition. */
export function listExemptionRows(
  reader: Reader,
  orgId: string,
  { blueprintKey, scorecard }: Subject,
  { readable, today }: { readonly readable: Sql; readonly today: string },
): Promise<StoredExemption[]> {
  return reader.rows(storedExemption.sql`
    select ${columns} from ${rows}
    where x.org_id = ${orgId} and x.blueprint_key = ${blueprintKey} and x.scorecard = ${scorecard}
      and x.until >= ${today} and ${readable}
    order by x.until, e.title, e.identifier, x.rule nulls first`);
}

/** Of whichever day, of the entities `e` of a condition. */
export function findExemption(
  reader: Reader,
  orgId: string,
  { blueprintKey, scorecard }: Subject,
  { readable, id }: { readonly readable: Sql; readonly id: string },
): Promise<StoredExemption | undefined> {
  return reader.first(storedExemption.sql`
    select ${columns} from ${rows}
    where x.org_id = ${orgId} and x.blueprint_key = ${blueprintKey} and x.scorecard = ${scorecard}
      and x.identifier = ${id} and ${readable}`);
}

/** What an entity has of one rule, or of all rules together. */
export function findSameExemption(
  reader: Reader,
  orgId: string,
  {
    entityKey,
    scorecard,
    rule,
  }: Pick<Subject, 'scorecard'> & { readonly entityKey: number; readonly rule: string | null },
): Promise<StoredExemption | undefined> {
  return reader.first(storedExemption.sql`
    select ${columns} from ${rows}
    where x.org_id = ${orgId} and x.entity_key = ${entityKey} and x.scorecard = ${scorecard}
      and coalesce(x.rule, '') = coalesce(${rule}::text, '')`);
}

const namedEntity = row(fields('entities', 'key', 'identifier'));

/** Entities by name, of a condition on `e`; none of them goes before the transaction ends. */
export function holdEntities(tx: Tx, orgId: string, identifiers: readonly string[], readable: Sql) {
  return tx.rows(namedEntity.sql`
    select e.key, e.identifier from entities e
    where e.org_id = ${orgId} and e.identifier = any(${identifiers}) and ${readable} order by e.key for key share of e`);
}

export async function countExemptions(reader: Reader, orgId: string, { blueprintKey, scorecard }: Subject) {
  const found = await reader.first(countRow.sql`
    select count(*)::int as count from scorecard_exemptions
    where org_id = ${orgId} and blueprint_key = ${blueprintKey} and scorecard = ${scorecard}`);
  return found?.count ?? 0;
}

export interface NewExemption extends Subject {
  readonly id: string;
  readonly entityKey: number;
  readonly rule: string | null;
  readonly reason: string;
  readonly until: string;
  readonly at: Date;
  readonly by: string;
}

/** In place of an earlier one of the same rule, which keeps its identifier. */
export async function putExemption(tx: Tx, orgId: string, made: NewExemption): Promise<void> {
  await tx.execute(sql`
    insert into scorecard_exemptions (org_id, identifier, blueprint_key, entity_key, scorecard, rule, reason, until,
      created_at, created_by)
    values (${orgId}, ${made.id}, ${made.blueprintKey}, ${made.entityKey}, ${made.scorecard}, ${made.rule},
      ${made.reason}, ${made.until}, ${made.at}, ${made.by})
    on conflict (org_id, entity_key, scorecard, (coalesce(rule, ''))) do update set reason = excluded.reason,
      until = excluded.until, created_at = excluded.created_at, created_by = excluded.created_by`);
}

export function deleteExemptionRow(tx: Tx, orgId: string, id: string): Promise<number> {
  return tx.execute(sql`delete from scorecard_exemptions where org_id = ${orgId} and identifier = ${id}`);
}

const expiredRow = row({
  ...storedExemption.fields,
  orgId: field('organizations', 'id'),
  model: field('organizations', 'model').as<OrganizationModel>(),
});

/** Those of every organization whose last day is before this one. */
export function listExpired(reader: Reader, today: string) {
  return reader.rows(expiredRow.sql`
    select ${columns}, o.id as "orgId", o.model from ${rows} join organizations o on o.id = x.org_id
    where x.until < ${today} order by o.id, x.identifier limit 10000 /* all organizations */`);
}

/** Deletes one whose last day is still before this one. */
export function deleteExpired(tx: Tx, orgId: string, id: string, today: string): Promise<number> {
  return tx.execute(sql`
    delete from scorecard_exemptions where org_id = ${orgId} and identifier = ${id} and until < ${today}`);
}
