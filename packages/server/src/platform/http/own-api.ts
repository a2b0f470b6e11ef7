import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Operation } from '@portolan/contract/operation';
import type { FastifyInstance } from 'fastify';
import { type Actor, openedFor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type NamedOperation, namedOperation, type WrittenCall } from './named-operation.ts';
import type { Gate } from './operation.ts';
import { withoutSecrets } from './secret-answers.ts';

/** A request to our own API, with the actor it is made for and the actor of an assistant it asks. */
export interface OwnRequest {
  /** From `pathOf`. */
  readonly path: string;
  readonly method: string;
  /** The only operation the request may reach, from `named`. */
  readonly operation: Operation;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The actor of the request, unless its headers hold a token. */
  readonly actor: Actor;
  /** The actor whose rights the assistant gets, possibly fewer; undefined if deleted or disabled. */
  readonly asker: () => Promise<Actor | undefined>;
  readonly signal: AbortSignal;
}

/** Calls of our own API in process: no address in between can belong to somebody else, and no token is needed. */
export interface OwnApi {
  /** Path and query if the address is one of ours, otherwise undefined. @throws AppError for a path with `..` */
  pathOf(url: string): string | undefined;
  /** The operation of a path, if its author wrote it out. @throws AppError `missing_permissions` */
  named(written: WrittenCall, method: string, path: string): NamedOperation;
  call(request: OwnRequest): Promise<OwnAnswer>;
}

export interface OwnAnswer {
  readonly status: number;
  readonly body: string;
  readonly etag?: string | undefined;
}

/** Timeout of a call, as for other receivers. */
const answerMs = 60_000;

type Call = Pick<OwnRequest, 'actor' | 'asker' | 'operation'>;

/**
 * The calls a gate has to know of, and the API over them. A call shows a key of 256 random bits that is known only in
 * this process and only while the call lasts, and passes the same gate, scopes and handlers as any request.
 */
export function createOwnApi(publicUrl: () => string) {
  const calls = new Map<string, Call>();
  let app: FastifyInstance | undefined;
  const pathIn = (url: string): string | undefined => {
    const asked = URL.canParse(url) ? new URL(url) : undefined;
    if (!asked || asked.username || asked.password) return undefined;
    const base = [publicUrl(), ...listeningUrls(app)].find((each) => isBelow(asked, each));
    if (base === undefined) return undefined;
    if (/\/(\.|%2e){1,2}([/?#]|$)/i.test(url.replace(/\\/g, '/'))) {
      throw new AppError('invalid_request', 'An address of the own API may not go up with "." or ".."');
    }
    return `${asked.pathname.slice(basePath(base).length)}${asked.search}`;
  };
  const api: OwnApi = {
    pathOf: pathIn,
    named: (written, method, path) => namedOperation({ written, method, path, base: publicUrl(), pathOf: pathIn }),
    call: async ({ path, method, headers, body, signal, ...call }) => {
      if (!app) throw new Error('The own API was called before it was there');
      const key = `Own ${randomBytes(32).toString('base64url')}`;
      const { authorization } = headers;
      const isOwn = authorization === undefined;
      if (isOwn) calls.set(key, call);
      // with a token of their own the caller is not known to be the run, so the secrets of the run are masked
      const sent = isOwn ? { path, headers, body } : openedFor(call.actor).mask({ path, headers, body });
      try {
        const answered = app.inject({
          method: method as 'GET',
          url: sent.path,
          // the answer is read here, so the headers that change its form are ours
          headers: { ...sent.headers, authorization: authorization ?? key, 'accept-encoding': 'identity' },
          ...(sent.body === undefined ? {} : { payload: sent.body }),
        });
        const answer = await Promise.race([answered, late(AbortSignal.any([signal, AbortSignal.timeout(answerMs)]))]);
        // secrets in an answer are for the caller; the answer of a run is read by many
        const { etag } = answer.headers;
        return { status: answer.statusCode, body: withoutSecrets(answer.raw.res, answer.body), etag };
      } finally {
        calls.delete(key);
      }
    },
  };
  return {
    api,
    /** Whether the key belongs to a call under way. */
    isOwn: (authorization: string | undefined): boolean => authorization !== undefined && calls.has(authorization),
    /** Sets the application that answers. */
    bind: (made: FastifyInstance): void => {
      app = made;
    },
    guard: (gate: Gate): Gate => ({
      ...gate,
      authenticate: async (authorization, userAgent, operation) => {
        const call = authorization === undefined ? undefined : calls.get(authorization);
        if (!call) return gate.authenticate(authorization, userAgent, operation);
        if (operation.id !== call.operation.id) {
          throw new AppError('missing_permissions', 'An action calls only the operation that its address names');
        }
        if (isInvocation(operation)) return within(call, await call.asker());
        return call.actor;
      },
    }),
  };
}

/** Whether the operation asks an assistant; decided by the operation reached, so no spelling of the path escapes it. */
export function isInvocation({ method, path }: Operation): boolean {
  return method === 'POST' && path.endsWith('/invoke');
}

/**
 * The asker, with the secrets that were opened for the run, and with the authors of what stands behind it: the question
 * is as much theirs. @throws AppError `missing_permissions` without an actor
 */
function within({ actor: { opened, carriedAuthors } }: Call, asker: Actor | undefined): Actor {
  if (asker) return { ...asker, ...(opened ? { opened } : {}), ...(carriedAuthors ? { carriedAuthors } : {}) };
  const message = 'The person on whose behalf the assistant was to be asked is gone or may not do so any more';
  throw new AppError('missing_permissions', message);
}

function isBelow(asked: URL, base: string): boolean {
  if (!URL.canParse(base) || asked.origin !== new URL(base).origin) return false;
  return asked.pathname.startsWith(`${basePath(base)}/`);
}

/** The path of the base address, without a trailing slash. */
function basePath(base: string): string {
  return new URL(base).pathname.replace(/\/+$/, '');
}

/** Addresses of this process on this machine: where it listens, and the loopback names. */
function listeningUrls(app: FastifyInstance | undefined): string[] {
  const listening = app?.server.address() as AddressInfo | string | null | undefined;
  if (!listening || typeof listening === 'string') return [];
  const { address, port } = listening;
  const here = ['127.0.0.1', 'localhost', '[::1]'];
  const isLocal = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address);
  const hosts = isLocal ? here : [address.includes(':') ? `[${address}]` : address];
  return hosts.map((host) => `http://${host}:${port}`);
}

function late(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new AppError('internal_error', 'The own API did not answer in time'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
