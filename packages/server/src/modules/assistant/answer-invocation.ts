import * as contract from '@portolan/contract/assistant';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { HttpAnswer, RawAnswer, type RequestInfo } from '../../platform/http/route.ts';
import { writeEventStream } from '../../platform/http/sse-writer.ts';
import { toolPatternProblem } from '../../platform/tools/tool-patterns.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { currentCutover, cutoverStart, findOrganization } from '../organizations/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { type AdmittedInvocation, decideInvocation } from './cutover/decide-invocation.ts';
import { deprecationHeaders, endpointRemoved } from './cutover/deprecation.ts';
import { findStreamState } from './event.store.ts';
import type { Invocation } from './invocation.store.ts';
import type { InvocationRunner } from './invocation-runner.ts';
import { readInvocation } from './read-invocation.ts';
import { receiptsFor } from './receipts/read-receipts.ts';
import { type AgentPath, assertInvoker } from './start-invocation.ts';
import type { UsageNow } from './usage-now.ts';

/** The query of all three paths; `stream` and `use_mcp` are absent if not sent. */
export interface InvokeQuery {
  readonly deltas: boolean;
  /** Sends what backs the sentences before the end. */
  readonly receipts: boolean;
  readonly invocation_identifier?: string | undefined;
  readonly stream?: boolean | undefined;
  readonly use_mcp?: boolean | undefined;
  readonly useMCP?: boolean | undefined;
  readonly useMcp?: boolean | undefined;
}

export interface InvokePath {
  readonly endpoint: contract.InvokeEndpoint;
  readonly agent?: string;
}

/** Starts an invocation, or continues the one that the request names, and answers with its stream or its identifier. */
export async function answerInvocation(
  deps: AssistantDeps,
  runner: InvocationRunner,
  path: InvokePath,
  query: InvokeQuery,
  request: RequestInfo,
) {
  const preferences = String(request.headers['prefer'] ?? '');
  const { admitted, agentPath } = await admitInvocation(deps, path, query, preferences, request);
  const headers: Record<string, string> = {
    ...(admitted.isDeprecated && agentPath ? deprecationHeaders(agentPath.sunset, undefined) : {}),
    ...(admitted.ignoredParameters.length > 0 ? { 'x-ignored-parameters': admitted.ignoredParameters.join(', ') } : {}),
  };
  const resumed = parseLastEvent(request);
  if (resumed) {
    const invocation = await readInvocation(deps, request.actor, resumed.id);
    return resumeStream(deps, request, invocation, { last: resumed, ...shownTo(query), headers });
  }
  const parsed = contract.parseInvokeBody(request.rawBody ?? {}, {
    endpoint: path.endpoint,
    ...(path.agent === undefined ? {} : { agent: path.agent }),
    lenient: /\bhandling=lenient\b/.test(preferences),
    patternProblem: toolPatternProblem,
  });
  if (!parsed.ok) throw toRefusal(parsed);
  if (agentPath && admitted.isDeprecated)
    Object.assign(headers, deprecationHeaders(agentPath.sunset, parsed.request.agent));
  const { invocation, usage } = await runner.invoke(request.actor, {
    request: parsed.request,
    deltas: query.deltas,
    identifier: query.invocation_identifier,
    idempotencyKey: textHeader(request, 'idempotency-key'),
    runId: textHeader(request, 'run_id'),
    agentPath,
    traceparent: request.traceparent,
  });
  // a hint that named the answering model was not ignored
  const isHeeded = parsed.request.model === invocation.model;
  const ignored = parsed.ignoredFields.filter((name) => !isHeeded || (name !== 'provider' && name !== 'model'));
  if (invocation.conversationId !== null) headers['x-conversation-id'] = encodeURIComponent(invocation.conversationId);
  if (usage && admitted.isCounted) Object.assign(headers, rateHeaders(usage));
  if (ignored.length > 0) headers['x-ignored-fields'] = ignored.map(encodeURIComponent).join(', ');
  if (admitted.answer === 'identifier') {
    const accepted = { invocation: { identifier: invocation.id } };
    const applied = /\brespond-async\b/.test(preferences) ? { 'preference-applied': 'respond-async' } : {};
    return new HttpAnswer(accepted as never, { status: 202, headers: { ...headers, ...applied } });
  }
  return eventStream(deps, request, invocation, { after: 0, ...shownTo(query), headers });
}

/**
 * Applies the organization's stage to the request. Agents and the router are refused before their body is read; the
 * general assistant is decided in the transaction that starts the invocation, because the stage rarely matters there.
 * @throws AppError `endpoint_removed`, `ai_not_allowed`, `ai_not_enabled`
 */
async function admitInvocation(
  deps: AssistantDeps,
  { endpoint }: InvokePath,
  query: InvokeQuery,
  preferences: string,
  { actor }: RequestInfo,
): Promise<{ admitted: AdmittedInvocation; agentPath?: AgentPath & { readonly sunset: Date } }> {
  const form = {
    endpoint,
    stream: query.stream,
    useMcp: query.use_mcp ?? query.useMCP ?? query.useMcp,
    respondAsync: /\brespond-async\b/.test(preferences),
  };
  if (endpoint === 'assistant') {
    const decision = decideInvocation(form, { stage: 'cutover', operatorUpdated: true });
    return { admitted: decision as AdmittedInvocation };
  }
  const organization = await findOrganization(deps.database, actor.orgId);
  if (!organization) throw new AppError('unauthorized', 'The organization is gone');
  const now = currentCutover(organization.cutover, deps.clock.now());
  const decision = decideInvocation(form, now);
  if (decision.isRefused) throw endpointRemoved();
  const blueprint = await findBlueprint(deps.database, actor.orgId, '_ai_invocations');
  if (!blueprint) throw new AppError('ai_not_enabled', 'The assistant is not set up in this organization');
  assertInvoker(actor, blueprint);
  const sunset = cutoverStart(organization.cutover);
  return { admitted: decision, agentPath: { isRouter: endpoint === 'router', now, admitted: decision, sunset } };
}

function toRefusal(parsed: Extract<contract.ParsedInvokeBody, { ok: false }>): AppError {
  if (parsed.code === 'conflicting_fields') {
    return new AppError('conflicting_fields', 'Two fields of one meaning differ; send one of them', {
      details: parsed.issues,
    });
  }
  return invalidRequest(parsed.issues);
}

/**
 * The rest of a stream after the reader's last event. If nothing is left, or the id is beyond the end, the answer is
 * 204, which stops readers from reconnecting.
 * @throws AppError `invalid_request` for an id of another invocation, or of an event not sent yet
 */
export async function resumeStream(
  deps: AssistantDeps,
  request: RequestInfo,
  invocation: Streamed,
  { last, deltas, receipts, headers }: Shown & { readonly last: LastEvent; readonly headers?: Headers },
): Promise<RawAnswer> {
  const { id, contentRemovedAt } = invocation;
  if (last.id !== id) throw badLastEvent(`names another invocation than ${id}`);
  const stream = contentRemovedAt ? undefined : await findStreamState(deps.database, request.actor.orgId, id);
  if (stream && !stream.isRunning && last.sequence >= stream.last) {
    return new RawAnswer(async (response) => {
      response.writeHead(204, { ...streamHeaders(id, request), ...headers }).end();
    });
  }
  if (stream && last.sequence > stream.last)
    throw badLastEvent(`is ahead: the last event so far is ${id}:${stream.last}`);
  return eventStream(deps, request, invocation, {
    after: last.sequence,
    deltas,
    receipts,
    ...(headers ? { headers } : {}),
  });
}

type Headers = Readonly<Record<string, string>>;
type Streamed = Pick<Invocation, 'id' | 'contentRemovedAt' | 'askedBy'>;

/** What a reader asked to see beside the events of every stream. */
interface Shown {
  readonly deltas: boolean;
  readonly receipts: boolean;
}

function shownTo({ deltas, receipts }: InvokeQuery): Shown {
  return { deltas, receipts };
}

function streamHeaders(id: string, { requestId }: RequestInfo): Headers {
  return { 'x-invocation-id': encodeURIComponent(id), 'x-trace-id': requestId };
}

/** An invocation's stream from the event log; a reader that disconnects does not affect the invocation. */
export function eventStream(
  deps: AssistantDeps,
  request: RequestInfo,
  invocation: Streamed,
  from: Shown & { readonly after: number; readonly headers?: Headers },
): RawAnswer {
  const { actor } = request;
  const { id, contentRemovedAt } = invocation;
  if (contentRemovedAt) throw new AppError('not_found', 'The events of this invocation were removed with its content');
  let wantsReceipts = from.receipts;
  async function* batches(signal: AbortSignal) {
    for await (const events of deps.events.read(actor.orgId, id, from.after, signal)) {
      const shown = events
        .filter(({ event }) => from.deltas || event !== 'text_delta')
        .map(({ sequence, event, data }) => ({ id: `${id}:${sequence}`, event, data }));
      const end = wantsReceipts ? shown.findIndex(({ event }) => event === 'error' || event === 'done') : -1;
      if (end < 0) yield shown;
      else {
        wantsReceipts = false;
        // an answer is worth more than its receipts
        const receipts = await receiptsFor(deps, actor, invocation).catch((error: unknown) => {
          deps.log.error({ err: error, invocation: id }, 'receipts could not be read');
          return undefined;
        });
        // without an id, because it is made for this reader and not part of what is resumed
        yield receipts ? shown.toSpliced(end, 0, { event: 'receipts', data: receipts } as never) : shown;
      }
    }
  }
  return new RawAnswer(async (response) => {
    await writeEventStream(response, batches, {
      headers: { ...streamHeaders(id, request), ...from.headers },
    });
  });
}

interface LastEvent {
  readonly id: string;
  readonly sequence: number;
}

/** Parses `<invocation>:<sequence>`, the id of events (compatibility choices, Invocations). */
export function parseLastEvent(request: RequestInfo): LastEvent | undefined {
  const text = textHeader(request, 'last-event-id');
  if (text === undefined) return undefined;
  const match = /^(.+):(\d{1,9})$/.exec(text);
  if (match?.[1] && match[2]) return { id: match[1], sequence: Number(match[2]) };
  throw badLastEvent('must be <invocation>:<sequence>');
}

function badLastEvent(message: string): AppError {
  return invalidRequest([{ path: '{header}/last-event-id', message }]);
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

/** The reset is in seconds, because one client sleeps that long (compatibility choices, Requests and answers). */
function rateHeaders({ rateLimitUsage }: UsageNow): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rateLimitUsage.maxRequests),
    'x-ratelimit-remaining': String(rateLimitUsage.remainingRequests),
    'x-ratelimit-period': '3600',
    'x-ratelimit-reset': String(Math.ceil(rateLimitUsage.remainingTimeMs / 1000)),
  };
}
