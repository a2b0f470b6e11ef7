import type { McpScope } from '@portolan/contract/mcp-scopes';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse as parseJson } from 'secure-json-parse';
import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/errors.ts';
import { holdsTooMany } from '../platform/http/read-json.ts';
import { actorOfRequest, setActor } from '../platform/http/request-actor.ts';
import type { Surface } from '../platform/http/server.ts';
import type { ToolSet } from '../platform/tools/tool-source.ts';
import { createMcpDispatch, type McpDispatch } from './mcp-dispatch.ts';
import { encodeError, RpcError, rpcCodes } from './mcp-json-rpc.ts';
import { challenge, serveMetadata } from './mcp-metadata.ts';
import type { PromptSource } from './mcp-prompts.ts';
import type { McpHeaders } from './mcp-protocol.ts';
import { type Caller, createMcpTools, type McpToolsOptions } from './mcp-tools.ts';

export interface McpOptions extends McpToolsOptions {
  readonly tools: ToolSet;
  readonly authenticate: (authorization: string | undefined, userAgent: string | undefined) => Promise<Actor>;
  /** The apps that people let in; without it no such token is known. */
  readonly apps?: {
    readonly recognizes: (authorization: string | undefined) => boolean;
    /** @throws AppError `unauthorized` */
    readonly authenticate: (
      authorization: string | undefined,
      userAgent: string | undefined,
    ) => Promise<{ readonly actor: Actor; readonly scopes: readonly McpScope[] }>;
  };
  /** Logs bugs, but not refusals, which are normal answers. Defaults to the application's log. */
  readonly log?: FastifyBaseLogger;
  /** The address that people use: pages from there may call, even if a proxy changes `Host`. */
  readonly publicUrl?: () => string;
  /** Prompts offered beside the tools; none if absent. */
  readonly prompts?: PromptSource;
  readonly version?: string;
}

const paths = ['/v1/mcp', '/mcp'] as const;

/**
 * `POST /v1/mcp` and `/mcp`: the tools of the registry over MCP's streamable HTTP transport, for the revisions from
 * 2024-11-05 to 2026-07-28. Stateless: no session, no standing stream, every answer is one JSON document, and any
 * replica answers any request, with or without `initialize` before it.
 */
export function createMcp(options: McpOptions): Surface {
  const { tools, authenticate, apps, log, publicUrl, prompts, version = '0.1.0', ...limits } = options;
  const dispatch = createMcpDispatch(createMcpTools(tools, limits), version, prompts);
  const addressOf = (host: string | undefined): string => publicUrl?.() ?? `http://${host ?? 'localhost'}`;
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization, host, 'user-agent': userAgent } = request.headers;
    const isOfApp = apps?.recognizes(authorization) ?? false;
    // kept only if authentication fails
    reply.header(
      'www-authenticate',
      challenge(addressOf(host), pathOf(request), {
        ...(isOfApp ? { error: 'invalid_token' } : {}),
        ...(apps ? { scopes: ['mcp:read'] } : {}),
      }),
    );
    if (apps && isOfApp) {
      const { actor, scopes } = await apps.authenticate(authorization, userAgent);
      granted.set(request, scopes);
      setActor(request, { ...actor, origin: 'MCP' });
    } else {
      setActor(request, { ...(await authenticate(authorization, userAgent)), origin: 'MCP' });
    }
    reply.removeHeader('www-authenticate');
  };
  return (app) => {
    serveMetadata(app, addressOf, paths);
    void app.register(async (scope) => {
      readBodiesAsText(scope);
      scope.addHook('onRequest', async (request, reply) => {
        if (isForeign(request, publicUrl?.())) return refuse(reply, 403, 'Requests from this Origin are not accepted');
      });
      for (const url of paths) {
        scope.route({ method: 'POST', url, onRequest: admit, handler: (request, reply) => serve(request, reply) });
        scope.route({ method: ['GET', 'DELETE', 'PUT', 'PATCH'], url, onRequest: refuseMethod, handler: refuseMethod });
      }
    });
  };

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await answerTo(dispatch, request, reply, log);
    if (answer.neededScopes) {
      const scopes = [...new Set([...(granted.get(request) ?? []), ...answer.neededScopes])];
      const more = challenge(addressOf(request.headers.host), pathOf(request), { error: 'insufficient_scope', scopes });
      reply.header('www-authenticate', more);
    }
    if (answer.body === undefined) return reply.status(answer.status).send();
    return sendJson(reply, answer.status, answer.body);
  }
}

/** What the app of a request was allowed; absent for every other caller. */
const granted = new WeakMap<FastifyRequest, readonly McpScope[]>();

function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? paths[0];
}

/** Aborts the running tool if the client disconnects. */
function answerTo(
  dispatch: McpDispatch,
  request: FastifyRequest,
  reply: FastifyReply,
  log: FastifyBaseLogger | undefined,
): ReturnType<McpDispatch> {
  const actor = actorOfRequest(request);
  if (!actor) throw new Error('An MCP request came past its authentication');
  const stop = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort();
  });
  const text = String(request.body ?? '');
  if (holdsTooMany(text)) {
    const error = new RpcError(rpcCodes.invalidRequest, 'The body holds too many values; send them in parts');
    return Promise.resolve({ status: 400, body: encodeError(error) });
  }
  let posted: unknown;
  try {
    posted = parseJson(text);
  } catch {
    const error = new RpcError(rpcCodes.parseError, 'The body is not valid JSON');
    return Promise.resolve({ status: 400, body: encodeError(error) });
  }
  return dispatch(posted, readMcpHeaders(request), {
    actor,
    signal: stop.signal,
    isReadOnly: isReadOnly(request),
    ...grantedTo(request),
    ...actionHeaders(request),
    onDefect: (error, tool) =>
      (log ?? request.log).error({ err: error, tool, requestId: request.id }, 'MCP call failed'),
  });
}

function grantedTo(request: FastifyRequest): Pick<Caller, 'granted'> {
  const scopes = granted.get(request);
  return scopes ? { granted: scopes } : {};
}

/** Accepts JSON types only, unparsed: invalid JSON has its own answer (JSON-RPC 2.0 §5.1). */
function readBodiesAsText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[^;]+\+json/]) {
    scope.addContentTypeParser(type, { parseAs: 'string' }, async (_request: unknown, text: string) => text);
  }
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, text: string) => {
    if (text !== '') throw new AppError('unsupported_media_type', 'Send the body as application/json');
  });
}

/**
 * True if a page of another site sent the request (MCP 2025-11-25, Transports §Security Warning). Programs send no
 * `Origin`. The scheme is not compared, because a proxy may have terminated TLS.
 */
function isForeign({ headers: { origin, host } }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (origin === undefined) return false;
  const from = parseHost(origin);
  if (from === undefined) return true;
  return from !== host?.toLowerCase() && (publicUrl === undefined || from !== parseHost(publicUrl));
}

function parseHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

function readMcpHeaders({ headers }: FastifyRequest): McpHeaders {
  return {
    version: single(headers['mcp-protocol-version']),
    method: single(headers['mcp-method']),
    name: single(headers['mcp-name']),
  };
}

/** Anything but a clear "no" enables read-only mode, so that a typo cannot permit writes. */
function isReadOnly({ headers }: FastifyRequest): boolean {
  const value = single(headers['x-read-only-mode']);
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase());
}

/**
 * `x-allowed-actions-to-run` lists the only actions that may run, separated by commas; an empty value allows none.
 * `x-tools-mode: run-action` offers one tool instead of one per action (assistant reference §4.4, §4.6).
 */
function actionHeaders({ headers }: FastifyRequest): Pick<Caller, 'allowedActions' | 'gathersActions'> {
  const allowed = single(headers['x-allowed-actions-to-run']);
  const mode = single(headers['x-tools-mode'])?.trim().toLowerCase();
  return {
    ...(allowed === undefined
      ? {}
      : { allowedActions: new Set(allowed.split(',').flatMap((name) => name.trim() || [])) }),
    gathersActions: mode === 'run-action' || mode === 'run_action',
  };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Stateless: no stream to open by GET, no session to end by DELETE (Transports §Listening, §Sessions). */
async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return refuse(reply.header('allow', 'POST'), 405, 'Send JSON-RPC messages by POST');
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return sendJson(reply, status, encodeError(new RpcError(rpcCodes.refused, message)));
}

function sendJson(reply: FastifyReply, status: number, json: string): FastifyReply {
  return reply.status(status).header('content-type', 'application/json; charset=utf-8').send(json);
}
