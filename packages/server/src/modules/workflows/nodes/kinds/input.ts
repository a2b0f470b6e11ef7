import { searchQuery } from '@portolan/contract/search-query';
import { AppError } from '../../../../platform/errors.ts';
import { searchBlueprint } from '../../../search/index.ts';
import { declaredResponders, findAddresses } from '../../runs/declared-responders.ts';
import type { Responders } from '../../runs/workflow-run.ts';
import { NodeFailure } from '../node-failure.ts';
import type { NodeCall, NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { numberWithin } from '../retry-rule.ts';
import { type RunContext, runContext, withoutEncrypted } from '../run-context.ts';

const daySeconds = 86_400;
const respondersMax = 1_000;

/** Asks people: the form's texts are settled when it begins to wait, and so is who may respond. */
export function inputKind(deps: Pick<NodesDeps, 'database' | 'catalog'>): NodeKind {
  return {
    effect: 'none',
    async plan(call) {
      const { node, now } = call;
      // people read the form
      const context = withoutEncrypted(await runContext(deps, call), call);
      const { userInputs, description, expiresAfterSeconds } = node.config;
      const input = renderShown({ userInputs, description: description ?? null }, context, now);
      const seconds = numberWithin(expiresAfterSeconds, 1, 90 * daySeconds, 30 * daySeconds);
      return {
        kind: 'waits',
        for: 'response',
        dueAt: new Date(now.getTime() + seconds * 1_000),
        input,
        responders: await resolveResponders(deps, call, context),
      };
    },
  };
}

/** Whoever is named by a list or found by the query; administrators if nobody is. */
async function resolveResponders(
  deps: Pick<NodesDeps, 'database' | 'catalog'>,
  call: NodeCall,
  context: RunContext,
): Promise<Responders> {
  const { node, run, actor } = call;
  const { users, roles, teams, usersQuery, excludesRequester } = declaredResponders(node);
  const found = usersQuery ? await findByQuery(deps, call, context, usersQuery) : [];
  const named = await findAddresses(deps, actor.orgId, users);
  const responders = { users: [...new Set([...named, ...found])], roles: [...roles], teams: [...teams] };
  const isNobody = Object.values(responders).every((list) => list.length === 0);
  const requesters = [run.createdBy, ...(run.impersonatedBy === null ? [] : [run.impersonatedBy])];
  return {
    ...(isNobody ? { ...responders, roles: ['Admin'] } : responders),
    excluded: excludesRequester ? requesters.map((each) => each.toLowerCase()) : [],
  };
}

/** As far as whoever saved the workflow may see people. @throws NodeFailure for a query that cannot be asked */
async function findByQuery(
  deps: Pick<NodesDeps, 'database' | 'catalog'>,
  { actor, now }: NodeCall,
  context: RunContext,
  usersQuery: unknown,
): Promise<string[]> {
  const query = searchQuery.safeParse(renderShown(usersQuery, context, now));
  if (!query.success) throw new NodeFailure('The query for responders came to none that can be asked');
  try {
    const { entities } = await searchBlueprint(deps.catalog, actor, '_user', {
      query: query.data,
      limit: respondersMax,
    });
    return entities.map(({ identifier }) => identifier.toLowerCase());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new NodeFailure(`The query for responders failed: ${error.message}`);
  }
}
