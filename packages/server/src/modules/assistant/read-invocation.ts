import type { InvocationRun } from '@portolan/contract/invocation-answers';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import { getEntity } from '../entities/index.ts';
import { searchBlueprint } from '../search/index.ts';
import { type AskedPosition, readAskedCursor, writeAskedCursor } from './asked-cursor.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import {
  findInvocation,
  type Invocation,
  type InvocationFilter,
  type InvocationState,
  listInvocationRows,
  statusByState,
} from './invocation.store.ts';

/**
 * An invocation of the caller, or one whose entity they may read (administrators, moderators, owners of the agent).
 * @throws AppError `not_found` otherwise
 */
export async function readInvocation(deps: AssistantDeps, actor: Actor, id: string): Promise<Invocation> {
  const invocation = await findInvocation(deps.database, actor.orgId, id);
  if (!invocation) throw notFound('Invocation', id);
  if (invocation.askedBy !== actor.id && !isAdmin(actor)) await getEntity(deps.catalog, actor, '_ai_invocations', id);
  return invocation;
}

/** The answer for polling: `error` is a code, `message` the untouched text (assistant reference §1.6). */
export function presentResult(invocation: Invocation, runs: readonly InvocationRun[] = []) {
  const { id, state, response, errorCode, agent, usage } = invocation;
  return {
    result: {
      status: statusByState[state],
      ...(response === null ? {} : { message: response }),
      ...(errorCode === null ? {} : { error: errorCode }),
      invocationIdentifier: id,
      ...(agent === null ? {} : { selectedAgent: agent }),
      ...(usage === null ? {} : { usage }),
      ...(runs.length === 0 ? {} : { runs: [...runs] }),
    },
  };
}

export interface ListQuery {
  readonly label?: string | string[] | undefined;
  readonly status?: 'In Progress' | 'Completed' | 'Failed' | undefined;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly next?: string | undefined;
}

/**
 * Invocations, newest first: all for administrators and moderators, else the caller's own and those of the agents of
 * the caller's teams. Filters only narrow that.
 */
export async function listInvocations(deps: AssistantDeps, actor: Actor, query: ListQuery) {
  const { limit } = query;
  const seesAll = isAdmin(actor) || actor.roles.includes('_ai_invocations-moderator');
  const visibleTo = seesAll ? undefined : { askedBy: actor.id, agents: await ownedAgents(deps, actor) };
  const found = await listInvocationRows(deps.database, actor.orgId, {
    ...toFilter(query),
    visibleTo,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { invocations: page.map(toSummary), ...(last ? { next: writeAskedCursor(last) } : {}) };
}

/** Agents owned by the caller's teams: owners may read what their agents were asked. */
async function ownedAgents({ catalog }: AssistantDeps, actor: Actor): Promise<string[]> {
  if (actor.teamKeys.length === 0) return [];
  const { entities } = await searchBlueprint(catalog, actor, '_ai_agent', {});
  return entities
    .filter(({ teamRefs }) => teamRefs.some((team) => actor.teamKeys.includes(team)))
    .map(({ identifier }) => identifier);
}

function toFilter(query: ListQuery): Omit<InvocationFilter, 'limit'> {
  const states = Object.keys(statusByState) as InvocationState[];
  return {
    labels: parseLabels(query.label),
    state: states.find((state) => statusByState[state] === query.status),
    agent: query.agent,
    askedBy: query.user,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
    after: query.next === undefined ? undefined : cursorFrom(query.next),
  };
}

/** All pairs must match, even two with the same key. */
function parseLabels(label: ListQuery['label']): [key: string, value: string][] {
  const pairs = label === undefined ? [] : Array.isArray(label) ? label : [label];
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw invalidRequest([{ path: '{query}/label', message: 'must be key=value' }]);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
}

/** A row of the list, without answer and log. */
export function toSummary(invocation: Invocation) {
  const { id, state, prompt, askedAt, repliedAt, askedBy, agent, errorMessage, labels, provider, model } = invocation;
  return {
    identifier: id,
    status: statusByState[state],
    prompt: prompt.length > 500 ? `${prompt.slice(0, 499)}…` : prompt,
    askedAt: askedAt.toISOString(),
    repliedAt: repliedAt?.toISOString() ?? null,
    askedBy,
    agent,
    error: errorMessage,
    labels: labels as Record<string, never>,
    provider,
    model,
  };
}

function cursorFrom(cursor: string): AskedPosition {
  const position = readAskedCursor(cursor);
  if (!position) throw invalidRequest([{ path: '{query}/next', message: 'is not a cursor of this list' }]);
  return position;
}
