import type { McpServerTool } from '@portolan/contract/mcp-servers';
import { type Actor, openedFor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { fetchTools } from './fetch-tools.ts';
import { presentTool } from './present-server.ts';
import { findServer } from './read-servers.ts';
import { noteCheck } from './server.store.ts';
import { storeTools } from './store-tools.ts';

/**
 * New and changed tools wait for review.
 * @throws AppError `not_found`, `mcp_server_failed` (stored with the server too), `stale_version`
 */
export async function refreshTools(deps: ConnectorsDeps, actor: Actor, identifier: string): Promise<McpServerTool[]> {
  const server = await findServer(deps.database, actor, identifier);
  try {
    const fetched = await fetchTools(deps, actor.orgId, server, openedFor(actor));
    const tools = await deps.unitOfWork(actor, (work) => storeTools(work, server, fetched));
    return tools.map(presentTool);
  } catch (error) {
    if (error instanceof AppError && error.code === 'mcp_server_failed') {
      const check = { at: deps.clock.now(), problem: error.message };
      await deps.unitOfWork(actor, ({ tx }) => noteCheck(tx, actor.orgId, identifier, check));
    }
    throw error;
  }
}

/**
 * Stores nothing.
 * @throws AppError `not_found`
 */
export async function testServer(deps: ConnectorsDeps, actor: Actor, identifier: string) {
  const server = await findServer(deps.database, actor, identifier);
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const { dialect, tools, problem } = await fetchTools(deps, actor.orgId, server, openedFor(actor));
    const names = tools.map(({ name }) => name).sort();
    return { reached: true, problem, protocolVersion: dialect.version, tools: names, milliseconds: took() };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'mcp_server_failed') throw error;
    return { reached: false, problem: error.message, protocolVersion: null, tools: [], milliseconds: took() };
  }
}
