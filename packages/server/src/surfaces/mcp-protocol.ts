import { isRecord } from '@portolan/contract/json-value';
import { type Params, RpcError, type RpcRequest, rpcCodes } from './mcp-json-rpc.ts';

/** Revisions that open with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** Revisions that carry their version in every request, newest first. */
export const modernVersions = ['2026-07-28'] as const;
const supported: readonly string[] = [...modernVersions, ...legacyVersions];

/** Handshake, or version in every request (MCP 2026-07-28, Versioning §Terminology). */
export type Era = 'legacy' | 'modern';

/** Names in `_meta` that MCP 2026-07-28 reserves (Base protocol §_meta). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export function isModern(version: string | undefined): boolean {
  return (modernVersions as readonly (string | undefined)[]).includes(version);
}

/**
 * The version to answer `initialize` with: the requested one if it is supported, else the newest with a handshake (MCP
 * 2025-11-25, Lifecycle §Version Negotiation). Revisions without a handshake are never negotiated.
 */
export function negotiateVersion(asked: string): string {
  return (legacyVersions as readonly string[]).includes(asked) ? asked : legacyVersions[0];
}

/**
 * The era of a request. `_meta` decides, and the headers must agree with it. A request with neither `_meta` nor
 * `MCP-Protocol-Version` counts as 2025-03-26 (MCP 2025-11-25, Transports §Protocol Version Header).
 *
 * @throws RpcError with status 400: `unsupportedProtocolVersion`, `headerMismatch`, `invalidParams` for bad `_meta`
 */
export function readEra(request: RpcRequest, headers: McpHeaders): Era {
  const meta = isRecord(request.params['_meta']) ? request.params['_meta'] : undefined;
  const claimed = meta?.[metaKeys.protocolVersion];
  if (claimed === undefined) {
    if (request.method !== 'initialize') requireSupported(headers.version);
    if (isModern(headers.version)) throw missingMeta(metaKeys.protocolVersion);
    return 'legacy';
  }
  if (typeof claimed !== 'string') throw badMeta(metaKeys.protocolVersion, 'must be a string');
  if (headers.version !== undefined && headers.version !== claimed) {
    throw mismatch(`MCP-Protocol-Version is ${presentTool(headers.version)} and _meta says ${presentTool(claimed)}`);
  }
  requireSupported(claimed);
  if (!isModern(claimed)) return 'legacy';
  checkClient(meta ?? {});
  checkHeaders(request, headers);
  return 'modern';
}

/** @throws RpcError with status 400 if the header names an unsupported version */
export function requireSupported(version: string | undefined): void {
  if (version === undefined || supported.includes(version)) return;
  throw new RpcError(rpcCodes.unsupportedProtocolVersion, `Unsupported protocol version: ${presentTool(version)}`, {
    status: 400,
    data: { supported, requested: version.slice(0, 100) },
  });
}

/** Requires the capabilities; the client's name is optional (MCP 2026-07-28, Base protocol §_meta). */
function checkClient(meta: Params): void {
  const capabilities = meta[metaKeys.clientCapabilities];
  if (capabilities === undefined) throw missingMeta(metaKeys.clientCapabilities);
  if (!isRecord(capabilities)) throw badMeta(metaKeys.clientCapabilities, 'must be an object');
  const info = meta[metaKeys.clientInfo];
  if (info === undefined) return;
  if (!isRecord(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string') {
    throw badMeta(metaKeys.clientInfo, 'must have a name and a version');
  }
}

/**
 * Proxies route by these headers, so they must agree with the body (MCP 2026-07-28, Streamable HTTP §Server
 * Validation).
 */
function checkHeaders({ method, params }: RpcRequest, headers: McpHeaders): void {
  if (headers.version === undefined) throw mismatch('MCP-Protocol-Version is missing');
  if (headers.method === undefined) throw mismatch('Mcp-Method is missing');
  if (headers.method !== method)
    throw mismatch(`Mcp-Method is ${presentTool(headers.method)}, not the method of the body`);
  if ((method !== 'tools/call' && method !== 'prompts/get') || typeof params['name'] !== 'string') return;
  if (headers.name === undefined) throw mismatch('Mcp-Name is missing');
  if (decodeHeader(headers.name) !== params['name']) {
    throw mismatch(`Mcp-Name is ${presentTool(headers.name)}, not the name in the body`);
  }
}

/** Values other than plain ASCII are base64 between markers (MCP 2026-07-28, §Value Encoding). */
function decodeHeader(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}

function missingMeta(key: string): RpcError {
  return badMeta(key, 'is missing');
}

function badMeta(key: string, problem: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `_meta["${key}"] ${problem}`, { status: 400 });
}

function mismatch(problem: string): RpcError {
  return new RpcError(rpcCodes.headerMismatch, `Header mismatch: ${problem}`, { status: 400 });
}

function presentTool(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}
