import { searchBlueprintEntities } from '@portolan/contract/search';
import { blueprintSearchQuery } from '@portolan/contract/search-query';
import { AppError } from '../../../../platform/errors.ts';
import { toIssues } from '../../../../platform/http/issues.ts';
import { requireScope } from '../../../../platform/scopes.ts';
import { findBlueprint } from '../../../blueprints/index.ts';
import { searchPresented } from '../../../search/index.ts';
import { failedNode, NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { numberWithin } from '../retry-rule.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

const limitUsual = 100;
const limitMax = 1_000;

/** Reads entities by the search that the API has, as far as whoever saved the workflow may see them. */
export function fetchKind(deps: Pick<NodesDeps, 'database' | 'catalog'>): NodeKind {
  return {
    effect: 'none',
    async plan(call) {
      const { actor, now, node } = call;
      const { blueprintIdentifier: written, include, single } = node.config;
      const context = withoutEncrypted(await runContext(deps, call), call);
      const input = renderShown(
        { blueprintIdentifier: written, query: node.config['query'] ?? null },
        context,
        now,
      ) as { readonly blueprintIdentifier: unknown; readonly query: unknown };
      const blueprint = input.blueprintIdentifier;
      if (typeof blueprint !== 'string' || blueprint === '') throw new NodeFailure('The blueprint came to nothing');
      if (written !== blueprint && (await findBlueprint(deps.database, actor.orgId, blueprint))?.isSystem) {
        throw new NodeFailure(`"${blueprint}" belongs to the platform: nothing is read there by a template`);
      }
      const wantsOne = single === true;
      const limit = wantsOne ? 2 : Math.floor(numberWithin(node.config['limit'], 1, limitMax, limitUsual));
      const query = input.query === null ? undefined : readQuery(input.query);
      const keys = Array.isArray(include) ? include.map(String) : undefined;
      try {
        requireScope(actor, searchBlueprintEntities);
        const page = await searchPresented(deps.catalog, actor, blueprint, { query, limit, include: keys });
        if (!wantsOne) {
          const raw = { entities: page.entities, count: page.entities.length, hasMore: page.next !== undefined };
          return { ...succeededNode(raw), input };
        }
        if (page.entities.length > 1) {
          return { ...failedNode('Several entities match, and "single" expects one at most'), input };
        }
        return { ...succeededNode({ entity: page.entities[0] ?? null }), input };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { ...failedNode(`Nothing was read: ${error.message}`), input };
      }
    },
  };
}

/** @throws NodeFailure for a query that cannot be asked */
function readQuery(rendered: unknown) {
  const query = blueprintSearchQuery.safeParse(rendered);
  if (query.success) return query.data;
  const [first] = toIssues(query.error, rendered);
  throw new NodeFailure(`The query came to none that can be asked: ${first?.path ?? ''} ${first?.message ?? ''}`);
}
