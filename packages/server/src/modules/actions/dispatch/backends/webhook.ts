import type { Operation } from '@portolan/contract/operation';
import { type Actor, openedFor } from '../../../../platform/actor.ts';
import { AppError } from '../../../../platform/errors.ts';
import { isInvocation } from '../../../../platform/http/own-api.ts';
import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import { findBlueprint } from '../../../blueprints/index.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, type BackendOutcome, type Delivery, failed, isTrue, parseContent } from '../backend.ts';
import { findAssistantActor } from '../run-actors.ts';
import { signatureHeaders } from '../sign-request.ts';
import { sendToAgent } from './kafka.ts';

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
/** Headers that the connection sets itself. */
const reserved = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

/**
 * Calls the address of a `WEBHOOK` action. The answer to a synchronized call ends the run: 2xx is success. Otherwise
 * the run waits for a report, and fails only if the address is unreachable or refuses.
 */
export function webhookBackend(deps: ActionsDeps): Backend {
  const { outgoing, secrets, clock, ownApi } = deps;
  return async (delivery) => {
    const { rendered, run, actor, signal } = delivery;
    const { url, headers, synchronized, agent } = rendered.method;
    if (isTrue(agent)) return sendToAgent(deps, delivery);
    if (typeof url !== 'string' || url === '') return failed('The address came to nothing');
    const method = String(rendered.method['method'] ?? 'POST').toUpperCase();
    if (!methods.includes(method)) return failed(`"${method}" is not one of ${methods.join(' ')}`);
    const body = method === 'GET' ? '' : renderBody(delivery);
    try {
      const path = ownApi.pathOf(url);
      const own = { path: path ?? '', method, headers: ownHeaders(headers), body };
      if (path !== undefined) return await callOwnApi(deps, delivery, own);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.isRetryable && !isTrue(synchronized) };
    }
    const secret = await secrets.signingSecretOf(actor.orgId, openedFor(actor));
    try {
      const answer = await outgoing.send({
        url,
        method,
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          'user-agent': 'portolan',
          'idempotency-key': run.id,
          ...ownHeaders(headers),
          ...(secret === undefined ? {} : signatureHeaders(body, secret, clock.now())),
        },
        ...(method === 'GET' ? {} : { body }),
        signal,
      });
      return toOutcome(answer.status, parseContent(answer.body), isTrue(synchronized));
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { kind: 'failed', message: error.message, canRetry: !isTrue(synchronized) && error.kind !== 'refused' };
    }
  };
}

/** Longest chain of runs over our own API; stops actions that start each other. */
const depthMax = 20;

/**
 * Calls our own API in process, without a token (catalog semantics §4.6), with the rights of the action's last author,
 * and only for the operation that the address names.
 */
async function callOwnApi(
  deps: ActionsDeps,
  { run, actor, signal, rendered }: Delivery,
  { path, method, headers, body }: { path: string; method: string; headers: Record<string, string>; body: string },
): Promise<BackendOutcome> {
  if (run.depth >= depthMax) {
    return failed(`${run.depth} runs have started one another up to this one; it is taken for a loop and ends here`);
  }
  const operation = await operationFor(deps, { run, actor, path, method });
  // this origin may not decide on drafts and approvals, so no run can
  const caller: Actor = { ...actor, origin: 'AUTOMATION', depth: run.depth + 1 };
  const answer = await deps.ownApi.call({
    path,
    method,
    operation,
    headers: {
      'user-agent': 'portolan',
      'idempotency-key': run.id,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...headers,
      // a run only submits its question; without this, an assistant would stream until it is done
      ...(isInvocation(operation) ? { prefer: handedOver(headers['prefer']) } : {}),
    },
    ...(method === 'GET' ? {} : { body }),
    actor: caller,
    asker: () => findAssistantActor(deps, caller, run),
    signal,
  });
  const answered = parseContent(answer.body);
  const isSynchronized = isTrue(rendered.method['synchronized']);
  const invocation = isSynchronized && isInvocation(operation) ? readInvocationId(answered) : undefined;
  const outcome = toOutcome(answer.status, answered, isSynchronized);
  if (invocation === undefined || outcome.kind !== 'succeeded') return outcome;
  // the question was accepted; the run ends when the invocation ends
  const follow = { service: 'INVOCATION', id: invocation, since: deps.clock.now().toISOString() } as const;
  return { ...outcome, kind: 'accepted', follow };
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
  { ownApi, database }: ActionsDeps,
  { run, actor, path, method }: Pick<Delivery, 'run' | 'actor'> & { readonly path: string; readonly method: string },
): Promise<Operation> {
  const { invocationMethod } = run.action.definition;
  if (invocationMethod.type !== 'WEBHOOK') throw new Error(`The run ${run.id} has no address`);
  const written = { method: String(invocationMethod.method ?? 'POST'), url: invocationMethod.url };
  const { operation, filled } = ownApi.named(written, method, path);
  const blueprint = filled['blueprint_identifier'];
  if (blueprint !== undefined && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem) {
    const message = `"${blueprint}" belongs to the platform: an action reaches it only if its address names it, not by a template`;
    throw new AppError('missing_permissions', message);
  }
  return operation;
}

function toOutcome(status: number, body: unknown, isSynchronized: boolean): BackendOutcome {
  const response = { statusCode: status, body };
  if (status >= 200 && status < 300) return { kind: isSynchronized ? 'succeeded' : 'accepted', response };
  const isRedirect = status >= 300 && status < 400;
  const message = `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}`;
  return { kind: 'failed', message, response, canRetry: !isSynchronized && (status >= 500 || status === 429) };
}

/** Without a body in its action, the webhook gets the template context, without secrets. */
function renderBody({ rendered: { method }, context }: Delivery): string {
  const { body } = method;
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
