import { isRecord } from '@portolan/contract/json-value';
/** Identifies a request; JSON-RPC allows null, MCP does not (MCP 2025-11-25, Base protocol §Requests). */
export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A posted message; only requests are answered. */
export type RpcMessage =
  | RpcRequest
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response' };

/** Codes of JSON-RPC 2.0 §5.1, and of MCP 2026-07-28 (Schema, error codes from -32020 on). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The endpoint refused the request before reading a message. */
  refused: -32000,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022,
} as const;

/** An error of the protocol, not of a tool; `status` is the HTTP status if the message is not in a batch. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;
  /** The scopes without which it was refused; sent as a challenge. */
  readonly neededScopes: readonly string[] | undefined;
  /** The id of the failed request; null if it could not be read. */
  id: RequestId | null = null;

  constructor(
    code: number,
    message: string,
    options: { status?: number; data?: unknown; neededScopes?: readonly string[] } = {},
  ) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.status = options.status ?? 200;
    this.data = options.data;
    this.neededScopes = options.neededScopes;
  }
}

/** Checks one posted message (JSON-RPC 2.0 §4, §5). @throws RpcError `invalidRequest`, `invalidParams` */
export function readMessage(value: unknown): RpcMessage {
  if (!isRecord(value)) throw invalid('A message is a JSON object', null);
  const { jsonrpc, id, method, params } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"', known);
  if (method === undefined && known !== null && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string' || method === '') throw invalid('method must be a string', known);
  if (id !== undefined && known === null) throw invalid('id must be a string or a number', null);
  if (params !== undefined && !isRecord(params)) {
    throw withId(new RpcError(rpcCodes.invalidParams, 'params must be an object', { status: 400 }), known);
  }
  const given = params ?? {};
  return known === null
    ? { kind: 'notification', method, params: given }
    : { kind: 'request', id: known, method, params: given };
}

/** Builds an answer from the serialized members of its result (`"a":1,"b":2`, or empty). */
export function encodeResult(id: RequestId, members: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;
}

export function encodeError({ code, message, data, id }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });
}

export function withId(error: RpcError, id: RequestId | null): RpcError {
  error.id = id;
  return error;
}

function invalid(message: string, id: RequestId | null): RpcError {
  return withId(new RpcError(rpcCodes.invalidRequest, message, { status: 400 }), id);
}
