import { asAppError } from '../platform/errors.ts';
import {
  encodeError,
  encodeResult,
  RpcError,
  type RpcMessage,
  type RpcRequest,
  readMessage,
  rpcCodes,
  withId,
} from './mcp-json-rpc.ts';
import { getPrompt, listPrompts, type PromptSource } from './mcp-prompts.ts';
import {
  type Era,
  isModern,
  legacyVersions,
  type McpHeaders,
  metaKeys,
  modernVersions,
  negotiateVersion,
  readEra,
  requireSupported,
} from './mcp-protocol.ts';
import type { Caller, McpTools } from './mcp-tools.ts';

/** JSON, or no body if the message asks for no answer. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: string;
  /** What the app would have to be allowed. */
  readonly neededScopes?: readonly string[];
}

/** Answers a posted message or batch. Never rejects. */
export type McpDispatch = (posted: unknown, headers: McpHeaders, caller: Caller) => Promise<McpAnswer>;

/** Messages per batch, which are handled concurrently. */
const batchMax = 25;

const instructions = [
  'Portolan is a developer portal: a catalog of services, teams, environments and whatever else this organization',
  'describes. Blueprints are the kinds of things, entities are the things. Call list_blueprints first if you do not',
  'know which blueprint a question is about, then search_entities or list_entities; count_entities answers "how many".',
  'describe_user_details tells who is asking. Everything happens with the rights of the caller.',
].join(' ');

/** JSON-RPC over the tools. The common parts of answers are serialized once, to keep the overhead of a call small. */
export function createMcpDispatch(tools: McpTools, version: string, prompts?: PromptSource): McpDispatch {
  const serverInfo = { name: 'portolan', title: 'Portolan', version };
  const shared = { capabilities: { tools: {}, ...(prompts ? { prompts: {} } : {}) }, instructions };
  const modernMembers = members({ resultType: 'complete', _meta: { [metaKeys.serverInfo]: serverInfo } });
  const askingMembers = members({ resultType: 'input_required', _meta: { [metaKeys.serverInfo]: serverInfo } });
  // rights can change at any time, so clients must not cache (MCP 2026-07-28, CacheableResult)
  const cacheMembers = members({ ttlMs: 0, cacheScope: 'private' });
  const discovered = members({ supportedVersions: [...modernVersions, ...legacyVersions], ...shared });

  async function answerRequest(request: RpcRequest, era: Era, caller: Caller): Promise<string> {
    const { method, params } = request;
    if (method === 'tools/call') {
      if (era !== 'modern') return tools.call(params, caller);
      const { resultType, members: own } = await tools.callOrAsk(params, caller);
      return joined(own, resultType === 'complete' ? modernMembers : askingMembers);
    }
    if (method === 'tools/list') {
      return joined(await tools.list(params, caller), era === 'modern' && joined(modernMembers, cacheMembers));
    }
    if (prompts && method === 'prompts/list') {
      return joined(await listPrompts(prompts, caller.actor), era === 'modern' && joined(modernMembers, cacheMembers));
    }
    if (prompts && method === 'prompts/get') {
      return joined(await getPrompt(prompts, params, caller.actor), era === 'modern' && modernMembers);
    }
    if (era === 'modern') {
      if (method === 'server/discover') return joined(discovered, joined(modernMembers, cacheMembers));
    } else {
      if (method === 'initialize') return initialize(params['protocolVersion']);
      if (method === 'ping') return '';
    }
    // an unknown method has its own status only since 2026-07-28 (Streamable HTTP §Protocol Version Header)
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method.slice(0, 100)}`, {
      status: era === 'modern' ? 404 : 200,
    });
  }

  function initialize(asked: unknown): string {
    if (typeof asked !== 'string') throw new RpcError(rpcCodes.invalidParams, 'protocolVersion must be a string');
    return members({ protocolVersion: negotiateVersion(asked), serverInfo, ...shared });
  }

  async function answer(request: RpcRequest, headers: McpHeaders, caller: Caller): Promise<McpAnswer> {
    try {
      const era = readEra(request, headers);
      return { status: 200, body: encodeResult(request.id, await answerRequest(request, era, caller)) };
    } catch (error) {
      return failed(withId(asRpcError(error, caller), request.id));
    }
  }

  async function answerOne(posted: unknown, headers: McpHeaders, caller: Caller): Promise<McpAnswer> {
    const message = attempt(() => readMessage(posted));
    if (message instanceof RpcError) return failed(message);
    if (message.kind === 'request') return answer(message, headers, caller);
    const refusal = attempt(() => accept(message, headers));
    return refusal instanceof RpcError ? failed(refusal) : { status: 202 };
  }

  /** Batches exist only in 2025-03-26 (Base protocol §Batching), where `initialize` must not be in one. */
  async function answerBatch(batch: readonly unknown[], headers: McpHeaders, caller: Caller): Promise<McpAnswer> {
    const problem = batchProblem(batch, headers);
    if (problem) return failed(new RpcError(rpcCodes.invalidRequest, problem, { status: 400 }));
    const answers = await Promise.all(batch.map((posted) => answerOne(posted, headers, caller)));
    const bodies = answers.flatMap(({ body }) => body ?? []);
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(',')}]` };
  }

  return (posted, headers, caller) =>
    Array.isArray(posted) ? answerBatch(posted, headers, caller) : answerOne(posted, headers, caller);
}

/** Notifications are ignored: the server keeps no session state. */
function accept(message: Exclude<RpcMessage, RpcRequest>, headers: McpHeaders): void {
  requireSupported(headers.version);
  if (message.kind === 'response' && isModern(headers.version)) {
    throw new RpcError(rpcCodes.invalidRequest, 'A client sends no responses', { status: 400 });
  }
}

function batchProblem(batch: readonly unknown[], headers: McpHeaders): string | undefined {
  if (batch.length === 0) return 'A batch has at least one message';
  if (batch.length > batchMax) return `A batch has at most ${batchMax} messages`;
  if (isModern(headers.version)) return `Protocol version ${headers.version} has no batches`;
  const methods = batch.map((posted) => (posted as { method?: unknown } | null)?.method);
  return methods.includes('initialize') ? 'initialize stands alone' : undefined;
}

function asRpcError(error: unknown, caller: Caller): RpcError {
  if (error instanceof RpcError) return error;
  const told = asAppError(error, 'Something failed inside. The id of the request is in x-trace-id.');
  if (told.code !== 'service_unavailable') caller.onDefect(error);
  // a temporary failure keeps its HTTP status, so that clients wait and retry
  const status = told.code === 'service_unavailable' ? told.status : 200;
  return new RpcError(rpcCodes.internalError, told.message, { status });
}

function attempt<Result>(read: () => Result): Result | RpcError {
  try {
    return read();
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

function failed(error: RpcError): McpAnswer {
  const { neededScopes } = error;
  return { status: error.status, body: encodeError(error), ...(neededScopes ? { neededScopes } : {}) };
}

/** The members of an object as JSON, without the braces. */
function members(object: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(object).slice(1, -1);
}

function joined(first: string, second: string | false): string {
  return second === false ? first : `${first},${second}`;
}
