import { lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import { boundedBody } from './bounded-body.ts';
import { isUnknownAuthority, trusting } from './certificates.ts';
import { allowedAddress } from './public-address.ts';

/** A request to an address set by a user: webhooks, connectors, model providers of an organization. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** From the first byte sent to the last received. */
  readonly timeoutMs?: number;
  /** An answer longer than this is a failure. */
  readonly bytesMax?: number;
  /**
   * Follows up to twenty redirects, each checked like the first; credentials do not cross origins. Otherwise a 3xx is
   * the answer.
   */
  readonly followsRedirects?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each piece of the body; reading ends when it returns true. */
  readonly until?: (text: string) => boolean;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why there is no answer: `refused` is permanent, the others may pass. */
export type OutgoingFailureKind = 'refused' | 'timeout' | 'unreachable' | 'too_large';

export class OutgoingFailure extends Error {
  readonly kind: OutgoingFailureKind;

  constructor(kind: OutgoingFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutgoingFailure';
    this.kind = kind;
  }
}

export interface Outgoing {
  /** @throws OutgoingFailure; any status is an answer */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /**
   * The same guard for streaming clients: any status is an answer, redirects too, and only the signal ends a wait.
   * Rejects, even within a body, with an `OutgoingFailure`.
   */
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

const connectMs = 10_000;
const answerMs = 60_000;
const answerBytesMax = 1024 * 1024;

export interface OutgoingOptions {
  readonly allowsPrivateNetwork: boolean;
  /** Names and address ranges inside that are allowed although the rest is not. */
  readonly privateHosts?: readonly string[];
  /** Of authorities that are trusted besides those that Node.js knows, in PEM. */
  readonly extraCertificates?: readonly string[];
}

/**
 * Requests to addresses that users enter. Unless `allowsPrivateNetwork`, none reaches an address outside the public
 * internet but `privateHosts`: the address is checked where the connection is made, after names are resolved, so neither
 * a name that changes its mind nor a redirect gets around it.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { allowsPrivateNetwork, privateHosts = [], extraCertificates = [] } = options;
  const common = { timeout: connectMs, ...trusting(extraCertificates) };
  const connect = allowsPrivateNetwork ? buildConnector(common) : guardedConnector(privateHosts, common);
  const agent = new Agent({ connect, connections: 32, headersTimeout: 0, bodyTimeout: 0 });
  return {
    send: async (request) => {
      const url = httpUrl(request.url);
      const timeoutMs = request.timeoutMs ?? answerMs;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
      try {
        const answer = await fetch(url, {
          dispatcher: agent,
          method: request.method ?? 'POST',
          headers: { ...request.headers },
          body: request.body ?? null,
          redirect: request.followsRedirects ? 'follow' : 'manual',
          signal,
        });
        return {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: await readText(answer.body, request.bytesMax ?? answerBytesMax, request.until),
        };
      } catch (error) {
        if (request.signal?.aborted) throw request.signal.reason;
        throw toOutgoingFailure(error, url, timeout.aborted ? timeoutMs : undefined);
      }
    },
    fetch: createGuardedFetch(agent),
    close: () => agent.destroy(),
  };
}

/** Far above any answer of a model or an agent. */
export const streamBytesMax = 32 * 1024 * 1024;

function tooLarge(message: string): OutgoingFailure {
  return new OutgoingFailure('too_large', message);
}

function createGuardedFetch(dispatcher: Agent): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = httpUrl(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);
    const { signal, method = 'GET', headers, body } = init;
    try {
      const answer = await fetch(url, {
        dispatcher,
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body: (body ?? null) as null,
        redirect: 'manual',
        signal: signal ?? null,
      });
      const { status, statusText } = answer;
      const stream = answer.body as unknown as ReadableStream<Uint8Array> | null;
      const bounded = stream && boundedBody(stream, { bytesMax: streamBytesMax }, tooLarge);
      return new Response(bounded, { status, statusText, headers: Object.fromEntries(answer.headers) });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw toOutgoingFailure(error, url, undefined);
    }
  };
}

/** @throws OutgoingFailure unless it is an absolute HTTP address without credentials */
function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutgoingFailure('refused', `"${text.slice(0, 200)}" is no http or https address`);
  }
  if (url.username || url.password) {
    throw new OutgoingFailure('refused', 'An address may not hold a user name or password; send a header instead');
  }
  return url;
}

class PrivateAddress extends Error {}

function guardedConnector(
  privateHosts: readonly string[],
  common: buildConnector.BuildOptions,
): buildConnector.connector {
  const isAllowed = allowedAddress(privateHosts);
  const connect = buildConnector({
    ...common,
    lookup: (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        const inside = addresses.find(({ address }) => !isAllowed(hostname, address));
        if (inside) return done(new PrivateAddress(hostname), []);
        if (options.all) return done(null, addresses);
        const [first] = addresses;
        return first ? done(null, first.address, first.family) : done(new Error('no address'), []);
      });
    },
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // literal addresses skip the look-up
    if (isIP(host) !== 0 && !isAllowed(host, host)) return callback(new PrivateAddress(host), null);
    return connect(options, callback);
  };
}

async function readText(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
  until?: (text: string) => boolean,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new OutgoingFailure('too_large', `The answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
    if (until?.(decoder.decode(chunk, { stream: true }))) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toOutgoingFailure(error: unknown, url: URL, timeoutMs: number | undefined): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const { host } = url;
  if (timeoutMs !== undefined) {
    return new OutgoingFailure('timeout', `${host} did not answer within ${timeoutMs} ms`, error);
  }
  const reason = causes(error);
  const inside = reason.find((each) => each instanceof PrivateAddress);
  if (inside) {
    const message = `"${inside.message}" is not on the public internet; the operator can allow it by PORTOLAN_PRIVATE_HOSTS, or all by PORTOLAN_ALLOW_PRIVATE_NETWORK=1`;
    return new OutgoingFailure('refused', message);
  }
  const code = reason.map((each) => (each as NodeJS.ErrnoException).code).find((each) => typeof each === 'string');
  if (isUnknownAuthority(code)) {
    const message = `${host} shows a certificate of an authority that is not known here; the operator can add that by PORTOLAN_EXTRA_CA_FILE`;
    return new OutgoingFailure('unreachable', message, error);
  }
  return new OutgoingFailure('unreachable', `${host} could not be reached${code ? ` (${code})` : ''}`, error);
}

/** The error with its causes; attempts at several addresses of a host are an aggregate. */
function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner.flatMap(causes)];
}
