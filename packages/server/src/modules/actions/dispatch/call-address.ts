import type { Operation } from '@portolan/contract/operation';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { isInvocation } from '../../../platform/http/own-api.ts';
import { OutgoingFailure, type OutgoingFailureKind } from '../../../platform/outgoing/outgoing.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { isTrue, parseContent } from './backend.ts';
import type { Errand } from './errand.ts';
import { signatureHeaders } from './sign-request.ts';

type Deps = Pick<ActionsDeps, 'outgoing' | 'secrets' | 'clock' | 'ownApi' | 'database'>;

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
/** Headers that the connection sets itself. */
const reserved = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

/** What came back from an address, or why nothing did. */
export type CallOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names; none of our own API. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** The invocation that a call of our own API asked for. */
      readonly invocation?: string;
    }
  | {
      readonly kind: 'failed';
      /** A sentence for readers of the run. */
      readonly message: string;
      /** Whether the same call may succeed later. */
      readonly mayPass: boolean;
      readonly reason: OutgoingFailureKind;
    };

/**
 * Sends a request that somebody wrote with templates. Our own address is called in process, without a token, with the
 * rights of the errand's actor; every other gets the signature of the organization.
 */
export async function callAddress(deps: Deps, errand: Errand): Promise<CallOutcome> {
  const { outgoing, secrets, clock, ownApi } = deps;
  const { method: rendered, actor, id, signal, timeoutMs } = errand;
  const { url, headers } = rendered;
  if (typeof url !== 'string' || url === '') return refused('The address came to nothing');
  const method = String(rendered['method'] ?? 'POST').toUpperCase();
  if (!methods.includes(method)) return refused(`"${method}" is not one of ${methods.join(' ')}`);
  const body = method === 'GET' ? '' : renderBody(errand);
  try {
    const path = ownApi.pathOf(url);
    const own = { path: path ?? '', method, headers: ownHeaders(headers), body };
    if (path !== undefined) return await callOwnApi(deps, errand, own);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'failed', message: error.message, mayPass: error.isRetryable, reason: 'refused' };
  }
  const secret = await secrets.signingSecretOf(actor.orgId, openedFor(actor));
  try {
    const answer = await outgoing.send({
      url,
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        'user-agent': 'portolan',
        'idempotency-key': id,
        ...errand.headers,
        ...ownHeaders(headers),
        ...(secret === undefined ? {} : signatureHeaders(body, secret, clock.now())),
      },
      ...(method === 'GET' ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      signal,
    });
    const { status, headers: answered } = answer;
    return { kind: 'answered', status, headers: answered, body: answer.body };
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    return { kind: 'failed', message: error.message, mayPass: error.kind !== 'refused', reason: error.kind };
  }
}

/** Why an answer is no success; undefined if it is one. */
export function answerProblem(status: number): { readonly message: string; readonly mayPass: boolean } | undefined {
  if (status >= 200 && status < 300) return undefined;
  const isRedirect = status >= 300 && status < 400;
  const message = `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}`;
  return { message, mayPass: status >= 500 || status === 429 };
}

function refused(message: string): CallOutcome {
  return { kind: 'failed', message, mayPass: false, reason: 'refused' };
}

/** Longest chain of runs over our own API; stops runs that start each other. */
const depthMax = 20;

/** Calls our own API in process (catalog semantics §4.6), and only the operation that the address names. */
async function callOwnApi(
  deps: Deps,
  { id, actor, signal, method: rendered, written, depth, asker }: Errand,
  { path, method, headers, body }: { path: string; method: string; headers: Record<string, string>; body: string },
): Promise<CallOutcome> {
  if (depth >= depthMax) {
    return refused(`${depth} runs have started one another up to this one; it is taken for a loop and ends here`);
  }
  const operation = await operationFor(deps, { written, actor, path, method });
  // this origin may not decide on drafts and approvals, so no run can
  const caller: Actor = { ...actor, origin: 'AUTOMATION', depth: depth + 1 };
  const answer = await deps.ownApi.call({
    path,
    method,
    operation,
    headers: {
      'user-agent': 'portolan',
      'idempotency-key': id,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...headers,
      // a run only submits its question; without this, an assistant would stream until it is done
      ...(isInvocation(operation) ? { prefer: handedOver(headers['prefer']) } : {}),
    },
    ...(method === 'GET' ? {} : { body }),
    actor: caller,
    asker: () => asker(caller),
    signal,
  });
  const invocation =
    isTrue(rendered['synchronized']) && isInvocation(operation)
      ? readInvocationId(parseContent(answer.body))
      : undefined;
  return {
    kind: 'answered',
    status: answer.status,
    headers: {},
    body: answer.body,
    ...(invocation === undefined ? {} : { invocation }),
  };
}

/** Keeps the author's `Prefer` and adds `respond-async`. */
function handedOver(preferences: string | undefined): string {
  return preferences === undefined ? 'respond-async' : `${preferences}, respond-async`;
}

function readInvocationId(body: unknown): string | undefined {
  const { invocation } = (body ?? {}) as { invocation?: { identifier?: unknown } };
  return typeof invocation?.identifier === 'string' ? invocation.identifier : undefined;
}

/**
 * The operation that the address names. Values in a template never reach a system blueprint.
 * @throws AppError `missing_permissions`
 */
export async function operationFor(
  { ownApi, database }: Pick<Deps, 'ownApi' | 'database'>,
  {
    written,
    actor,
    path,
    method,
  }: Pick<Errand, 'written' | 'actor'> & { readonly path: string; readonly method: string },
): Promise<Operation> {
  const call = { method: String(written['method'] ?? 'POST'), url: String(written['url'] ?? '') };
  const { operation, filled } = ownApi.named(call, method, path);
  const blueprint = filled['blueprint_identifier'];
  if (blueprint !== undefined && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem) {
    const message = `"${blueprint}" belongs to the platform: a run reaches it only if its address names it, not by a template`;
    throw new AppError('missing_permissions', message);
  }
  return operation;
}

/** Without a body of its author, the receiver gets the template context, without secrets. */
function renderBody({ method: { body }, context }: Errand): string {
  if (body === undefined || body === null) return JSON.stringify(context);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function ownHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (value === null || value === undefined || reserved.has(name.toLowerCase())) return [];
      // a line break would start another header
      return [[name.toLowerCase(), String(value).replace(/[\r\n\0]/g, ' ')]];
    }),
  );
}
