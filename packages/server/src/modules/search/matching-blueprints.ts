import type { SearchQuery } from '@portolan/contract/search-query';
import sql, { join, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { isNarrowed, openScope, readConditions } from '../access/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { assertFits, type CompileContext, compileCondition, toSql } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';

/** A blueprint in which a query may match something, and what of it the caller may read and the query matches. */
export interface MatchingBlueprint {
  readonly blueprint: StoredBlueprint;
  readonly context: CompileContext;
  readonly condition: Sql;
}

/** The blueprints in which the caller may read something, and those of them in which a query may match something. */
export async function matchingBlueprints(
  deps: ReadDeps,
  actor: Actor,
  query: SearchQuery,
): Promise<{ readonly readable: readonly StoredBlueprint[]; readonly matching: readonly MatchingBlueprint[] }> {
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const readable = all.filter((blueprint) => can(actor, 'read', blueprint));
  const scope = await openScope(deps, actor, query, all);
  const narrowedTo = await readConditions(deps, actor, readable);
  const matching = readable.flatMap((blueprint): MatchingBlueprint[] => {
    const context = scope.contextOf(blueprint);
    const condition = compileCondition(query, context);
    if (condition === false) return [];
    const narrowed = isNarrowed(actor, blueprint, all) ? [narrowedTo(blueprint)] : [];
    return [{ blueprint, context, condition: allOf([...narrowed, toSql(condition)]) }];
  });
  return { readable, matching };
}

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
