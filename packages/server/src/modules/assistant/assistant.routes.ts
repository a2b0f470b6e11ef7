import * as contract from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { HttpAnswer, RawAnswer, type RequestInfo, type Route, route } from '../../platform/http/route.ts';
import { writeEventStream } from '../../platform/http/sse-writer.ts';
import { toolPatternProblem } from '../../platform/tools/tool-patterns.ts';
import { findOrganization, quotasOf } from '../identity/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { cancelInvocation } from './cancel-invocation.ts';
import { listInvocations, presentResult, readInvocation } from './read-invocation.ts';
import type { Runs } from './runs.ts';
import { readUsage, type UsageNow } from './usage-ledger.ts';

export function assistantRoutes(deps: AssistantDeps, runs: Runs): Route[] {
  const cancel = async (id: string, actor: Actor) => presentResult(await cancelInvocation(deps, runs, actor, id));
  return [
    route(contract.invokeAssistant, ({ query }, request) => invoke(deps, runs, query, request)),
    route(contract.getInvocation, async ({ params }, { actor }) =>
      presentResult(await readInvocation(deps, actor, params.invocation_identifier)),
    ),
    route(contract.streamInvocation, async ({ params, query }, request) => {
      const { id } = await readInvocation(deps, request.actor, params.invocation_identifier);
      const after = lastEventOf(request)?.sequence ?? 0;
      return eventStream(deps, request, id, { after, deltas: query.deltas });
    }),
    route(contract.cancelInvocation, ({ params }, { actor }) => cancel(params.invocation_identifier, actor)),
    route(contract.cancelInvocationByPost, ({ params }, { actor }) => cancel(params.invocation_identifier, actor)),
    route(contract.listInvocations, ({ query }, { actor }) => listInvocations(deps, actor, query)),
    route(contract.getAiQuota, async (_input, { actor }) => {
      const organization = await findOrganization(deps.database, actor.orgId);
      if (!organization) throw new AppError('not_found', 'The organization is gone');
      const { monthlyQuotaUsage } = await readUsage(
        deps.database,
        actor.orgId,
        quotasOf(organization),
        deps.clock.now(),
      );
      return { monthlyQuotaUsage };
    }),
  ];
}

async function invoke(
  deps: AssistantDeps,
  runs: Runs,
  query: { readonly deltas: boolean; readonly invocation_identifier?: string | undefined },
  request: RequestInfo,
) {
  const resumed = lastEventOf(request);
  if (resumed) {
    const { id } = await readInvocation(deps, request.actor, resumed.id);
    return eventStream(deps, request, id, { after: resumed.sequence, deltas: query.deltas });
  }
  const preferences = String(request.headers['prefer'] ?? '');
  const parsed = contract.parseInvokeBody(request.rawBody ?? {}, {
    lenient: /\bhandling=lenient\b/.test(preferences),
    patternProblem: toolPatternProblem,
  });
  if (!parsed.ok) throw refusalOf(parsed);
  const { invocation, usage } = await runs.ask(request.actor, {
    request: parsed.request,
    deltas: query.deltas,
    identifier: query.invocation_identifier,
    idempotencyKey: textHeader(request, 'idempotency-key'),
    runId: textHeader(request, 'run_id'),
  });
  const headers = {
    ...(usage ? rateHeaders(usage) : {}),
    ...(parsed.ignoredFields.length > 0
      ? { 'x-ignored-fields': parsed.ignoredFields.map(encodeURIComponent).join(', ') }
      : {}),
  };
  if (/\brespond-async\b/.test(preferences)) {
    const accepted = { invocation: { identifier: invocation.id } };
    return new HttpAnswer(accepted as never, {
      status: 202,
      headers: { ...headers, 'preference-applied': 'respond-async' },
    });
  }
  return eventStream(deps, request, invocation.id, { after: 0, deltas: query.deltas, headers });
}

function refusalOf(parsed: Extract<contract.ParsedInvokeBody, { ok: false }>): AppError {
  if (parsed.code === 'conflicting_fields') {
    return new AppError('conflicting_fields', 'Two fields of one meaning differ; send one of them', {
      details: parsed.issues,
    });
  }
  return invalidRequest(parsed.issues);
}

/** The stream of an invocation as a reader of the event log; leaving it does not touch the run. */
function eventStream(
  deps: AssistantDeps,
  request: RequestInfo,
  id: string,
  from: { readonly after: number; readonly deltas: boolean; readonly headers?: Record<string, string> },
): RawAnswer {
  const { actor, requestId } = request;
  async function* batches(signal: AbortSignal) {
    for await (const events of deps.events.read(actor.orgId, id, from.after, signal)) {
      yield events
        .filter(({ event }) => from.deltas || event !== 'text_delta')
        .map(({ sequence, event, data }) => ({ id: `${id}:${sequence}`, event, data }));
    }
  }
  return new RawAnswer(async (response) => {
    await writeEventStream(response, batches, {
      headers: { 'x-invocation-id': encodeURIComponent(id), 'x-trace-id': requestId, ...from.headers },
    });
  });
}

/** `<invocation>:<sequence>`, as every event's id is (decisions, Invocations). */
function lastEventOf(request: RequestInfo): { readonly id: string; readonly sequence: number } | undefined {
  const text = textHeader(request, 'last-event-id');
  if (text === undefined) return undefined;
  const match = /^(.+):(\d{1,9})$/.exec(text);
  if (match?.[1] && match[2]) return { id: match[1], sequence: Number(match[2]) };
  throw invalidRequest([{ path: '{header}/last-event-id', message: 'must be <invocation>:<sequence>' }]);
}

function textHeader({ headers }: RequestInfo, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined || text === '') return undefined;
  if (text.length > 1000) {
    throw invalidRequest([{ path: `{header}/${name}`, message: 'is longer than 1000 characters' }]);
  }
  return text;
}

/** Seconds until reset: one client sleeps that long (decisions, Requests and answers). */
function rateHeaders({ rateLimitUsage }: UsageNow): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rateLimitUsage.maxRequests),
    'x-ratelimit-remaining': String(rateLimitUsage.remainingRequests),
    'x-ratelimit-period': '3600',
    'x-ratelimit-reset': String(Math.ceil(rateLimitUsage.remainingTimeMs / 1000)),
  };
}
