import type { SearchQuery } from '@portolan/contract/search-query';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { isNarrowed, openScope, readConditions } from '../access/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { type CompileContext, compileCondition, toSql } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';

/** A blueprint the query may match, and the condition for the entities the caller may read. */
export interface MatchingBlueprint {
  readonly blueprint: StoredBlueprint;
  readonly context: CompileContext;
  readonly condition: Sql;
}

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
