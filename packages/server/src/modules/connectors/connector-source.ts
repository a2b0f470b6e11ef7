import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { outside } from '../../platform/text-authors.ts';
import type { RegisteredTool } from '../../platform/tools/registry.ts';
import { tool } from '../../platform/tools/tool.ts';
import type { ToolSource } from '../../platform/tools/tool-source.ts';
import { callConnectedTool, createStandings, mayUse } from './call-connected-tool.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { connectorPrefix, matchedName, offeredName } from './offered-name.ts';
import { listServerRows } from './server.store.ts';
import { listApprovedRows, type StoredTool } from './tool.store.ts';

/**
 * Approved tools of connected servers, for callers with the right. Listing reads only the database: a server that is
 * down delays no invocation.
 */
export function createConnectorSource(deps: ConnectorsDeps): ToolSource {
  const standings = createStandings();
  // providers and MCP cache declarations by identity
  const made = new LRUCache<string, RegisteredTool>({ max: 2_000 });

  function offered(orgId: string, row: StoredTool): RegisteredTool {
    const key = JSON.stringify([orgId, row.server, row.name, row.hash, row.isReadOnly]);
    const known = made.get(key);
    if (known) return known;
    const { server, name, hash, definition } = row;
    const declared: RegisteredTool = {
      declaration: tool({
        name: offeredName(row),
        matchedAs: matchedName(row),
        title: definition.title ?? name,
        description: `Of the connected MCP server "${server}", in its own words: ${definition.description || 'nothing'}`,
        describedBy: [outside],
        effect: row.isReadOnly ? 'read' : 'destructive',
        isIdempotent: row.isReadOnly,
        audience: 'developer',
        input: z.record(z.string(), z.unknown()),
        run: (context, given) => callConnectedTool(deps, standings, context, { server, name, hash }, given),
      }),
      inputSchema: definition.inputSchema,
    };
    made.set(key, declared);
    return declared;
  }

  async function list(actor: Actor): Promise<RegisteredTool[]> {
    const rows = await listApprovedRows(deps.database, actor.orgId);
    if (rows.length === 0) return [];
    const servers = await listServerRows(deps.database, actor.orgId);
    const usable = new Set(servers.filter((server) => mayUse(actor, server)).map(({ identifier }) => identifier));
    return rows.filter(({ server }) => usable.has(server)).map((row) => offered(actor.orgId, row));
  }

  return {
    prefix: connectorPrefix,
    list,
    find: async (actor, name) => (await list(actor)).find(({ declaration }) => declaration.name === name),
  };
}
