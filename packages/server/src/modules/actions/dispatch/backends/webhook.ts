import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { Backend, Delivery, Outcome } from '../backend.ts';
import { signatureHeaders } from '../sign-request.ts';

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
/** Headers that the connection needs for itself. */
const reserved = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

/**
 * Calls the address of a `WEBHOOK` action. A synchronized one ends with the answer: 2xx is success. Another waits for
 * somebody to report; only an address that cannot be reached, or says that it cannot take it, fails the run.
 */
export function webhookBackend({ outgoing, secrets, clock }: ActionsDeps): Backend {
  return async (delivery) => {
    const { rendered, run, actor, signal } = delivery;
    const { url, headers, synchronized, agent } = rendered.method;
    if (isTrue(agent)) return failed('"agent: true" needs a message broker, and this installation has none');
    if (typeof url !== 'string' || url === '') return failed('The address came to nothing');
    const method = String(rendered.method['method'] ?? 'POST').toUpperCase();
    if (!methods.includes(method)) return failed(`"${method}" is not one of ${methods.join(' ')}`);
    const body = method === 'GET' ? '' : bodyOf(delivery);
    const secret = await secrets.signingSecretOf(actor.orgId);
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
      return outcomeOf(answer.status, contentOf(answer.body), isTrue(synchronized));
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { kind: 'failed', message: error.message, canRetry: !isTrue(synchronized) && error.kind !== 'refused' };
    }
  };
}

function outcomeOf(status: number, body: unknown, isSynchronized: boolean): Outcome {
  const response = { statusCode: status, body };
  if (status >= 200 && status < 300) return { kind: isSynchronized ? 'succeeded' : 'accepted', response };
  const isRedirect = status >= 300 && status < 400;
  const message = `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}`;
  return { kind: 'failed', message, response, canRetry: !isSynchronized && (status >= 500 || status === 429) };
}

/** Without a body of its own a webhook gets everything a template could read, but for the secrets. */
function bodyOf({ rendered: { method }, context }: Delivery): string {
  const { body } = method;
  if (body === undefined || body === null) return JSON.stringify(context);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function ownHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (value === null || value === undefined || reserved.has(name.toLowerCase())) return [];
      // what would end the header and begin another is not sent
      return [[name.toLowerCase(), String(value).replace(/[\r\n\0]/g, ' ')]];
    }),
  );
}

/** JSON as JSON, anything else as its text; as much as a run keeps. */
function contentOf(text: string): unknown {
  const kept = text.slice(0, 65_536);
  try {
    return JSON.parse(kept);
  } catch {
    return kept;
  }
}

/** A truth, also where a template rendered to its text. */
function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

function failed(message: string): Outcome {
  return { kind: 'failed', message, canRetry: false };
}
