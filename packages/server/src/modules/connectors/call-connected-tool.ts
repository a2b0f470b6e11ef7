import { LRUCache } from 'lru-cache';
import { type Actor, isAdmin, openedFor, systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { CallFacts } from '../../platform/tools/call-decision.ts';
import type { ToolContext } from '../../platform/tools/tool.ts';
import { isNamedIn } from '../rights/index.ts';
import { callPeerTool, type Dialect, SessionEnded } from './client/mcp-client.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { describeArguments } from './describe-arguments.ts';
import { fetchTools } from './fetch-tools.ts';
import { offeredName } from './offered-name.ts';
import { openPeer } from './open-peer.ts';
import { toolState } from './present-server.ts';
import { type ForeignResult, readResult } from './read-result.ts';
import { findServerRow, type StoredServer } from './server.store.ts';
import { storeTools } from './store-tools.ts';
import { listToolRows, type StoredTool } from './tool.store.ts';

/** A server's protocol dialect and its tools at the last check. */
interface Standing {
  readonly dialect: Dialect;
  readonly checkedAt: number;
  readonly hashes: ReadonlyMap<string, string>;
}

/** Keyed by everything whose change makes it another server. */
export type Standings = LRUCache<string, Standing>;

export function createStandings(): Standings {
  return new LRUCache({ max: 500, ttl: 60 * 60_000 });
}

/** A check of a server's tools is reused this long. */
const checkedForMs = 60_000;

export interface CalledTool {
  readonly server: string;
  readonly name: string;
  readonly hash: string;
}

/**
 * Calls an approved tool. Rights, the server's switch and the approval are checked again; if the server's tools differ
 * from the approved ones, it is not called.
 * @throws AppError `not_found`, `approval_required`, `stale_version`, `mcp_server_failed`
 */
export async function callConnectedTool(
  deps: ConnectorsDeps,
  standings: Standings,
  context: ToolContext,
  called: CalledTool,
  given: Readonly<Record<string, unknown>>,
): Promise<ForeignResult> {
  const { actor, signal } = context;
  const server = await findServerRow(deps.database, actor.orgId, called.server);
  const tools = server ? await listToolRows(deps.database, actor.orgId, server.identifier) : [];
  const tool = tools.find(({ name }) => name === called.name);
  if (!server?.isEnabled || !tool || !mayUse(actor, server)) throw gone(called);
  if (toolState(tool) !== 'approved' || tool.hash !== called.hash) throw changed(tool);
  await assertMayRun(context, { tool, tools }, given);
  const use = async (): Promise<ForeignResult> => {
    const { dialect } = await checkedStanding(deps, standings, actor, server, tool, signal);
    const peer = await openPeer(deps.secrets, actor.orgId, server, openedFor(actor));
    const options = { outgoing: deps.outgoing, version: deps.version, signal, timeoutMs: callMs };
    const result = await callPeerTool(peer, dialect, { name: tool.name, arguments: given }, options);
    const read = readResult({ server: server.identifier, tool: tool.name }, result);
    if (result['isError'] === true) throw reported(tool, read);
    return read;
  };
  try {
    return await use();
  } catch (error) {
    // an ended session did not run the call, so a retry repeats nothing
    if (!(error instanceof SessionEnded)) throw error;
    standings.delete(peerKey(actor.orgId, server));
    return use();
  }
}

const callMs = 25_000;

export function mayUse(actor: Actor, { rights }: StoredServer): boolean {
  return isAdmin(actor) || isNamedIn(actor, rights);
}

/**
 * Only actions have drafts, so a tool that may write elsewhere, or is sent what was read here, runs only if that was
 * asked for, or for a person's own client.
 */
async function assertMayRun(
  { actor, invocation }: ToolContext,
  { tool, tools }: { readonly tool: StoredTool; readonly tools: readonly StoredTool[] },
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  // the client asks its person for approval
  const isPersonal = invocation === undefined && actor.origin !== 'AI';
  if (isPersonal) return;
  const decision = await invocation?.decide(connectedCall(tool, tools, given));
  if (decision?.result === 'execute') return;
  const why = decision?.rule === 'manual' ? 'the execution mode is Manual Approval' : lowerFirst(decision?.reason);
  const what = tool.isReadOnly ? 'sends its arguments to' : 'may change something on';
  throw new AppError(
    'approval_required',
    `${offeredName(tool)} ${what} the server "${tool.server}" and was not run: ${why}, and there is no draft of a call to another server. Tell the person what you would have called and with what.`,
  );
}

function connectedCall(
  tool: StoredTool,
  tools: readonly StoredTool[],
  given: Readonly<Record<string, unknown>>,
): CallFacts {
  const { title } = tool.definition;
  return {
    kind: tool.isReadOnly ? 'lookup' : 'connected',
    server: { identifier: tool.server, tool: tool.name, tools: tools.map(offeredName) },
    identifier: offeredName(tool),
    names: [offeredName(tool), tool.name, ...(title ? [title] : [])],
    isDestructive: false,
    inputs: describeArguments(tool, given),
    needsApproval: false,
    // rights on another server are not known here
    mayMake: () => Promise.resolve(false),
  };
}

function lowerFirst(text = 'a person decides'): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

async function checkedStanding(
  deps: ConnectorsDeps,
  standings: Standings,
  actor: Actor,
  server: StoredServer,
  tool: StoredTool,
  signal: AbortSignal,
): Promise<Standing> {
  const key = peerKey(actor.orgId, server);
  const known = standings.get(key);
  const isFresh = known !== undefined && performance.now() - known.checkedAt < checkedForMs;
  if (isFresh && known.hashes.get(tool.name) === tool.hash) return known;
  const fetched = await fetchTools(deps, actor.orgId, server, openedFor(actor), { dialect: known?.dialect, signal });
  const hashes = new Map(fetched.tools.map(({ name, hash }) => [name, hash]));
  const standing = { dialect: fetched.dialect, checkedAt: performance.now(), hashes };
  standings.set(key, standing);
  if (hashes.get(tool.name) === tool.hash) return standing;
  await deps.unitOfWork(systemActor(actor.orgId, actor.model), (work) => storeTools(work, server, fetched));
  throw changed(tool);
}

function peerKey(orgId: string, { identifier, url, sealedHeaders }: StoredServer): string {
  return JSON.stringify([orgId, identifier, url, sealedHeaders]);
}

function gone(called: CalledTool): AppError {
  return new AppError('not_found', `There is no tool named ${offeredName(called)}`);
}

function changed(tool: StoredTool): AppError {
  return new AppError(
    'stale_version',
    `${offeredName(tool)} is not as it was approved, so it was not called. An administrator has to review the tools of the server "${tool.server}".`,
  );
}

function reported(tool: StoredTool, { text, structured }: ForeignResult): AppError {
  const told = (text ?? (structured ? JSON.stringify(structured) : '')).slice(0, 2_000).replace(/[\ud800-\udbff]$/, '');
  return new AppError('mcp_server_failed', `${offeredName(tool)} answered with an error: ${told || 'no words'}`);
}
