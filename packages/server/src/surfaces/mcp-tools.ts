import { isRecord } from '@portolan/contract/json-value';
import type { McpScope } from '@portolan/contract/mcp-scopes';
import { type Actor, isAdmin } from '../platform/actor.ts';
import { missingToolScope } from '../platform/scopes.ts';
import { callTool, type ToolOutcome } from '../platform/tools/call-tool.ts';
import { neededMcpScopes } from '../platform/tools/mcp-scopes.ts';
import type { RegisteredTool } from '../platform/tools/registry.ts';
import type { ToolDeclaration } from '../platform/tools/tool.ts';
import { startPrefix, type ToolSet } from '../platform/tools/tool-source.ts';
import { createElicitation, type MadeDraft } from './mcp-elicitation.ts';
import { type Params, RpcError, rpcCodes } from './mcp-json-rpc.ts';

export interface Caller {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** `x-read-only-mode`: tools that write are neither listed nor callable. */
  readonly isReadOnly: boolean;
  /** The only actions that may run; absent means all that the caller has the right to. */
  readonly allowedActions?: ReadonlySet<string>;
  /** Offers one tool that runs any action instead of one tool per action. */
  readonly gathersActions?: boolean;
  /** What a person allowed the app that calls; absent for callers that are no such apps. */
  readonly granted?: readonly McpScope[];
  /** Reports unexpected errors, which are bugs rather than answers to the caller. */
  readonly onDefect: (error: unknown, tool?: string) => void;
}

export interface McpToolsOptions {
  /** Time limit of a call; the registry's default if absent. */
  readonly deadlineMs?: number;
  /** Largest tool result, as JSON in UTF-8. */
  readonly resultBytesMax?: number;
  /** Signs what clients hand back when they repeat a call; replicas share it. */
  readonly stateKey?: Buffer;
}

/** The tools as MCP presents them. Both methods return the serialized members of a result. */
export interface McpTools {
  /** One page, by name. @throws RpcError `invalidParams` for a malformed cursor */
  list(params: Params, caller: Caller): Promise<string>;
  /**
   * Calls a tool by name or alias. Any failure inside, invalid arguments included, is a result with `isError`, which a
   * model can read and correct (MCP 2025-11-25, Tools §Error Handling).
   *
   * @throws RpcError `invalidParams` for a tool that does not exist or that the caller may not see; with status 403 where
   * the person would have to allow the app more
   */
  call(params: Params, caller: Caller): Promise<string>;
  /**
   * The same for clients that can ask their person in the middle of a call (MCP 2026-07-28, Multi Round-Trip Requests): a
   * call that made a draft asks to open it, and answers what became of it when the client repeats the call.
   */
  callOrAsk(params: Params, caller: Caller): Promise<CallResult>;
}

export interface CallResult {
  readonly resultType: 'complete' | 'input_required';
  /** Serialized. */
  readonly members: string;
}

const pageSize = 100;
const resultBytesMaxDefault = 256 * 1024;

/** Tool descriptions are serialized once and reused by every request. */
export function createMcpTools(tools: ToolSet, options: McpToolsOptions = {}): McpTools {
  const { deadlineMs, resultBytesMax = resultBytesMaxDefault, stateKey } = options;
  const { registry } = tools;
  const elicitation = createElicitation(stateKey);

  /** @throws RpcError as `call` does */
  async function findOffered({ name, arguments: given }: Params, caller: Caller) {
    if (typeof name !== 'string') throw invalidParams('name must be a string');
    if (given !== undefined && given !== null && !isRecord(given)) throw invalidParams('arguments must be an object');
    const found = await findTool(tools, name, caller);
    const tool = found?.declaration;
    if (!tool || !isOffered(tool, caller)) throw invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
    return { found, tool };
  }

  async function outcomeOf({ found, tool }: Awaited<ReturnType<typeof findOffered>>, params: Params, caller: Caller) {
    if (!isListed(tool, caller)) return readOnlyRefusal(tool);
    requireGrant(tool, caller);
    return run(found, params['arguments'], caller, deadlineMs);
  }

  /** What became of a draft, as its person may see it; whatever that is, nothing runs again. */
  async function followDraft({ runId, url, expiresAt }: MadeDraft, caller: Caller): Promise<ToolOutcome> {
    const tracking = registry.find(runId.startsWith('wfr_') ? 'get_workflow_run' : 'track_action_run');
    const tracked = tracking && (await run(tracking, { runId }, caller, deadlineMs));
    const { status } =
      (tracked?.isError === false ? (tracked.content as { run?: { status?: unknown } }).run : {}) ?? {};
    const isOpen = status === undefined || status === 'DRAFT';
    const content = isOpen ? { mode: 'draft', runId, url, expiresAt } : { mode: 'executed', runId, status, url };
    return { isError: false, content };
  }

  return {
    list: async ({ cursor }, caller) => {
      const after = readCursor(cursor);
      const own = await listOwn(tools, caller);
      const all = own.length === 0 ? registry.tools : [...registry.tools, ...own].sort(byName);
      const rest = all.filter(
        ({ declaration }) =>
          declaration.name > after &&
          isListed(declaration, caller) &&
          isAllowed(declaration, caller) &&
          missingToolScope(caller.actor, declaration) === undefined,
      );
      const page = rest.slice(0, pageSize);
      const next = rest.length > page.length ? `,"nextCursor":"${page.at(-1)?.declaration.name}"` : '';
      return `"tools":[${page.map(toolJson).join(',')}]${next}`;
    },
    call: async (params, caller) => {
      const offered = await findOffered(params, caller);
      return encodeOutcome(await outcomeOf(offered, params, caller), resultBytesMax, offered.tool);
    },
    callOrAsk: async (params, caller) => {
      const offered = await findOffered(params, caller);
      const { tool } = offered;
      const call = { params, tool: tool.name, actor: caller.actor };
      const before = elicitation.recall(call);
      const outcome = before ? await followDraft(before, caller) : await outcomeOf(offered, params, caller);
      const question = before ? undefined : elicitation.ask(outcome, call);
      return question === undefined
        ? { resultType: 'complete', members: encodeOutcome(outcome, resultBytesMax, tool) }
        : { resultType: 'input_required', members: question };
    },
  };
}

/** Everything that somebody without any restriction could call over MCP now. */
export async function offeredTools(tools: ToolSet, actor: Actor): Promise<ToolDeclaration[]> {
  const all = [...tools.registry.tools, ...(await tools.listOwn(actor))];
  return all.map(({ declaration }) => declaration).filter(({ audience }) => audience === 'developer' || isAdmin(actor));
}

/** The caller's own tools; in read-only mode, action tools are not even looked up. */
async function listOwn(tools: ToolSet, caller: Caller): Promise<readonly RegisteredTool[]> {
  if (caller.isReadOnly && tools.sources.every(({ prefix }) => prefix === startPrefix)) return [];
  return tools.listOwn(caller.actor, {
    select: (listed) => listed.filter(({ declaration }) => isAllowed(declaration, caller)),
    gathers: caller.gathersActions ?? false,
  });
}

/** A tool that stands for many covers only the actions that the client allows. */
async function findTool(tools: ToolSet, name: string, caller: Caller): Promise<RegisteredTool | undefined> {
  if (tools.sources.some(({ gathered }) => gathered?.name === name)) {
    const own = await listOwn(tools, { ...caller, gathersActions: true, isReadOnly: false });
    return own.find(({ declaration }) => declaration.name === name);
  }
  const found = await tools.find(caller.actor, name);
  return found && isAllowed(found.declaration, caller) ? found : undefined;
}

function isAllowed(
  { name, matchedAs = name, stands, runsWhatIsNamed }: ToolDeclaration,
  { allowedActions }: Caller,
): boolean {
  if (allowedActions && runsWhatIsNamed) return false;
  if (!allowedActions || !matchedAs.startsWith(startPrefix) || stands === 'for-many') return true;
  return allowedActions.has(matchedAs.slice(startPrefix.length));
}

function byName(left: RegisteredTool, right: RegisteredTool): number {
  return left.declaration.name < right.declaration.name ? -1 : 1;
}

const written = new WeakMap<RegisteredTool, string>();

function toolJson(tool: RegisteredTool): string {
  const before = written.get(tool);
  if (before !== undefined) return before;
  const json = JSON.stringify(describe(tool));
  written.set(tool, json);
  return json;
}

/** Tools for builders are offered to administrators only; for others they do not exist. */
function isOffered({ audience }: ToolDeclaration, { actor }: Caller): boolean {
  return audience === 'developer' || isAdmin(actor);
}

function isListed(tool: ToolDeclaration, caller: Caller): boolean {
  return isOffered(tool, caller) && (!caller.isReadOnly || tool.effect === 'read');
}

/** Asks the app to ask its person for more (MCP 2025-11-25, Authorization §Scope Challenge Handling). */
function requireGrant(tool: ToolDeclaration, { granted }: Caller): void {
  const needed = neededMcpScopes(tool);
  if (!granted || needed.every((scope) => granted.includes(scope))) return;
  throw new RpcError(rpcCodes.refused, `${tool.name} needs more than the app was allowed: ${needed.join(' ')}`, {
    status: 403,
    neededScopes: needed,
  });
}

/** A cursor is the name of the last listed tool, so it stays valid across replicas, restarts and removed tools. */
function readCursor(cursor: unknown): string {
  if (cursor === undefined || cursor === null) return '';
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(cursor)) {
    throw invalidParams('cursor is not one that an earlier page gave');
  }
  return cursor;
}

/** Declares draft 7 explicitly, because MCP reads schemas without `$schema` as 2020-12 (2025-11-25, Tools). */
function describe({ declaration, inputSchema }: RegisteredTool): Record<string, unknown> {
  return {
    name: declaration.name,
    title: declaration.title,
    description: declaration.description,
    inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', ...inputSchema },
    annotations: toAnnotations(declaration),
  };
}

/**
 * Hints for the client's own confirmations (MCP 2025-11-25, Tools §Tool). Deleting is idempotent, but an action runs
 * each time; any change may trigger actions that call external systems.
 */
function toAnnotations({ name, title, effect, isIdempotent }: ToolDeclaration): Record<string, unknown> {
  const isAction = name.startsWith(startPrefix);
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destructive',
    idempotentHint: isIdempotent ?? (effect === 'read' || (effect === 'destructive' && !isAction)),
    openWorldHint: effect !== 'read',
  };
}

async function run(
  found: RegisteredTool,
  given: unknown,
  { actor, signal, onDefect }: Caller,
  deadlineMs: number | undefined,
): Promise<ToolOutcome> {
  const tool = found.declaration;
  try {
    return await callTool(
      { find: () => found },
      tool.name,
      given,
      { actor, signal },
      { ...(deadlineMs !== undefined && { deadlineMs }), onUnexpected: onDefect },
    );
  } catch (error) {
    // a recursive schema exhausts the stack on arguments nested thousands of levels deep
    if (!(error instanceof RangeError)) throw error;
    return failure('invalid_request', `The arguments of ${tool.name} are nested too deeply`);
  }
}

/**
 * Sends the result twice: structured, and as text for clients without structured content (MCP 2025-11-25, Tools
 * §Structured Content). A result above the limit is refused, because a truncated one would silently lose data.
 */
function encodeOutcome(outcome: ToolOutcome, bytesMax: number, tool: ToolDeclaration): string {
  const body = outcome.isError ? { ok: false, ...outcome.content } : outcome.content;
  const json = JSON.stringify(body) ?? 'null';
  if (json.length * 3 > bytesMax && Buffer.byteLength(json) > bytesMax) {
    const problem = outcome.isError ? 'its error' : 'its result';
    const advice = 'Ask for fewer things (limit), fewer properties (include) or by a narrower query.';
    return encodeOutcome(
      failure('payload_too_large', `${tool.name}: ${problem} is larger than ${bytesMax} bytes. ${advice}`),
      Number.POSITIVE_INFINITY,
      tool,
    );
  }
  const structured = isRecord(body) ? `,"structuredContent":${json}` : '';
  const error = outcome.isError ? ',"isError":true' : '';
  return `"content":[{"type":"text","text":${JSON.stringify(json)}}]${structured}${error}`;
}

function readOnlyRefusal({ name }: ToolDeclaration): ToolOutcome {
  return failure('missing_permissions', `${name} changes something, and the client asked for read-only mode`);
}

function failure(error: (ToolOutcome & { isError: true })['content']['error'], message: string): ToolOutcome {
  return { isError: true, content: { error, message } };
}

function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
