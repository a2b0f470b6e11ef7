import { storableValue } from '../../../platform/db/storable.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Outgoing, type OutgoingAnswer, OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { createAnswerReader, type PeerAnswer } from './answer-reader.ts';

export interface Peer {
  /** Shown in every message. */
  readonly name: string;
  readonly url: string;
  /** Never shown, even if the peer echoes them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets opened to reach it. */
  readonly opened: SecretScope;
}

/** Negotiated protocol; valid until the peer reports otherwise. */
export interface Dialect {
  readonly version: string;
  readonly sessionId?: string;
}

export interface McpClientOptions {
  readonly outgoing: Outgoing;
  readonly version: string;
  /** Per request. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const offeredVersion = '2025-11-25';
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const modernVersion = '2026-07-28';
const exchangeMs = 15_000;
const bytesMax = 512 * 1024;
const toolsMax = 200;
const pagesMax = 20;

/**
 * Negotiates the protocol: `initialize` first, which nearly all servers want, then without a handshake, as servers of
 * 2026-07-28 may require.
 * @throws AppError `mcp_server_failed`
 */
export async function connect(peer: Peer, options: McpClientOptions): Promise<Dialect> {
  const clientInfo = { name: 'portolan', version: options.version };
  const params = { protocolVersion: offeredVersion, capabilities: {}, clientInfo };
  const { answer, headers, status } = await exchange(peer, undefined, 'initialize', params, options);
  if (answer && 'result' in answer) {
    const agreed = answer.result['protocolVersion'];
    if (typeof agreed !== 'string' || !legacyVersions.includes(agreed)) {
      throw failure(peer, 'speaks a version of the protocol that is not known here');
    }
    const sessionId = headers['mcp-session-id'];
    const dialect = { version: agreed, ...(sessionId === undefined ? {} : { sessionId }) };
    await notify(peer, dialect, 'notifications/initialized', options);
    return dialect;
  }
  if (status === 401 || status === 403) throw failure(peer, `refused the credentials (status ${status})`);
  const modern: Dialect = { version: modernVersion };
  const discovered = await exchange(peer, modern, 'server/discover', {}, options);
  const served = discovered.answer && 'result' in discovered.answer ? discovered.answer.result : undefined;
  const versions = served?.['supportedVersions'];
  if (Array.isArray(versions) && versions.includes(modernVersion)) return modern;
  throw failure(peer, describeProblem(answer, status));
}

/**
 * More than 200 tools are refused.
 * @throws AppError `mcp_server_failed`
 */
export async function listTools(peer: Peer, dialect: Dialect, options: McpClientOptions): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < pagesMax; page++) {
    const result = await ask(peer, dialect, 'tools/list', cursor === undefined ? {} : { cursor }, options);
    const { tools: listed, nextCursor } = result;
    if (!Array.isArray(listed)) throw failure(peer, 'answered the question for its tools with something else');
    tools.push(...listed);
    if (tools.length > toolsMax) throw failure(peer, `has more than ${toolsMax} tools`);
    if (typeof nextCursor !== 'string' || nextCursor === '') return tools;
    cursor = nextCursor;
  }
  throw failure(peer, `lists its tools on more than ${pagesMax} pages`);
}

/**
 * A failure inside the tool is a result, not an error.
 * @throws AppError `mcp_server_failed`
 */
export function callPeerTool(
  peer: Peer,
  dialect: Dialect,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  options: McpClientOptions,
): Promise<Readonly<Record<string, unknown>>> {
  return ask(peer, dialect, 'tools/call', { ...call }, options);
}

/** The peer dropped the session; connect again. */
export class SessionEnded extends Error {}

async function ask(
  peer: Peer,
  dialect: Dialect,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: McpClientOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { answer, status } = await exchange(peer, dialect, method, params, options);
  if (answer && 'result' in answer) return answer.result;
  if (status === 404 && dialect.sessionId !== undefined) throw new SessionEnded();
  throw failure(peer, describeProblem(answer, status));
}

let lastId = 0;

async function exchange(
  peer: Peer,
  dialect: Dialect | undefined,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: McpClientOptions,
): Promise<{ answer: PeerAnswer | undefined; status: number; headers: OutgoingAnswer['headers'] }> {
  lastId += 1;
  const id = lastId;
  const reader = createAnswerReader(id);
  const body = { jsonrpc: '2.0', id, method, params: withMeta(dialect, params, options) };
  const { status, headers } = await post(peer, headersFor(dialect, method, params), body, options, reader.push);
  return { answer: scrubbed(reader.end(), peer), status, headers };
}

async function notify(peer: Peer, dialect: Dialect, method: string, options: McpClientOptions): Promise<void> {
  await post(peer, headersFor(dialect, method, {}), { jsonrpc: '2.0', method }, options, () => false);
}

async function post(
  peer: Peer,
  own: Readonly<Record<string, string>>,
  body: object,
  { outgoing, timeoutMs = exchangeMs, signal }: McpClientOptions,
  until: (text: string) => boolean,
): Promise<OutgoingAnswer> {
  try {
    const answer = await outgoing.send({
      url: peer.url,
      headers: { ...peer.headers, ...own },
      body: JSON.stringify(body),
      timeoutMs,
      bytesMax,
      until,
      ...(signal ? { signal } : {}),
    });
    if (answer.status >= 300 && answer.status < 400) {
      throw failure(peer, 'sends requests elsewhere; enter the address it wants to be asked at');
    }
    return answer;
  } catch (error) {
    if (error instanceof OutgoingFailure) throw failure(peer, `failed: ${error.message}`, error);
    if ((error as Error | undefined)?.name === 'TimeoutError') throw failure(peer, 'took too long', error);
    throw error;
  }
}

function headersFor(
  dialect: Dialect | undefined,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const { name } = params;
  const isModern = dialect?.version === modernVersion;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(dialect ? { 'mcp-protocol-version': dialect.version } : {}),
    ...(dialect?.sessionId === undefined ? {} : { 'mcp-session-id': dialect.sessionId }),
    ...(isModern ? { 'mcp-method': method } : {}),
    ...(isModern && method === 'tools/call' && typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

/** Since 2026-07-28 every request names client and protocol (Base protocol §_meta). */
function withMeta(
  dialect: Dialect | undefined,
  params: Readonly<Record<string, unknown>>,
  { version }: McpClientOptions,
): Readonly<Record<string, unknown>> {
  if (dialect?.version !== modernVersion) return params;
  const key = 'io.modelcontextprotocol';
  return {
    ...params,
    _meta: {
      [`${key}/protocolVersion`]: modernVersion,
      [`${key}/clientCapabilities`]: {},
      [`${key}/clientInfo`]: { name: 'portolan', version },
    },
  };
}

function describeProblem(answer: PeerAnswer | undefined, status: number): string {
  if (answer && 'error' in answer) {
    const told = answer.error.message.slice(0, 300);
    return `refused (${answer.error.code}${told ? `: ${JSON.stringify(told)}` : ''})`;
  }
  return status >= 400 ? `answered with status ${status}` : 'gave no answer of the protocol';
}

/** Removes credentials that the peer echoes, before a model reads the answer. */
function scrubbed(answer: PeerAnswer | undefined, { opened }: Peer): PeerAnswer | undefined {
  return opened.mask(storableValue(answer)) as PeerAnswer | undefined;
}

function failure(peer: Peer, problem: string, cause?: unknown): AppError {
  return new AppError('mcp_server_failed', `The MCP server "${peer.name}" ${problem}`, { cause });
}
