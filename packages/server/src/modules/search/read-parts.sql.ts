import sql, { join, type Sql } from 'sql-template-tag';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { assertFits } from '../entity-query/index.ts';
import type { MatchingBlueprint } from './matching-blueprints.ts';

/**
 * Puts together what is the same statement for several blueprints.
 * @throws AppError `invalid_request` if all of them together hold more parameters than a statement takes
 */
export function groupSame<Part extends { readonly blueprint: StoredBlueprint }>(
  parts: readonly Part[],
  statementOf: (part: Part) => Sql,
): { readonly blueprints: readonly StoredBlueprint[]; readonly first: Part }[] {
  const groups = new Map<string, { blueprints: StoredBlueprint[]; first: Part }>();
  let parameters = 0;
  for (const part of parts) {
    const { sql: text, values } = statementOf(part);
    const id = JSON.stringify([text, values]);
    const group = groups.get(id);
    if (group) group.blueprints.push(part.blueprint);
    else {
      groups.set(id, { blueprints: [part.blueprint], first: part });
      parameters += values.length;
      assertFits(parameters);
    }
  }
  return [...groups.values()];
}

/** Rows `e` of some blueprints with what is read of each: `columns` are the statement's, `from` follows `entities e`. */
export interface ReadPart extends MatchingBlueprint {
  readonly columns: Sql;
  readonly from?: Sql;
}

/** One statement that reads all parts; undefined where there is nothing to read. */
export function selectParts(orgId: string, parts: readonly ReadPart[]): Sql | undefined {
  const body = ({ columns, from = sql``, condition }: ReadPart, of: Sql) =>
    sql`select ${columns} from entities e ${from} where e.org_id = ${orgId} and ${of} and ${condition}`;
  const selects = groupSame(parts, (part) => body(part, sql``)).map(({ blueprints, first }) =>
    body(first, sql`e.blueprint_key = any(${blueprints.map(({ key }) => key)}::bigint[])`),
  );
  return selects.length === 0 ? undefined : join(selects, ' union all ');
}

/** One row of each value of an entity, `values` being a set of them. */
export function eachValue(values: Sql): Pick<ReadPart, 'columns' | 'from'> {
  return { columns: sql`e.key, item.value`, from: sql`cross join lateral ${values} as item(value)` };
}

/** The order of blueprints, and within each of creation. */
export const inOrderOfBlueprints = { orderBy: sql`e.blueprint_key, e.key`, values: sql`'[]'::jsonb` };

export function createdAfter(key: number): Sql {
  return sql`e.key > ${key}`;
}
