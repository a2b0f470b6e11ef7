import type { McpServer, McpServerTool } from '@portolan/contract/mcp-servers';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { teamNames } from '../accounts/index.ts';
import { presentServer, presentTool } from './present-server.ts';
import { findServerRow, listServerRows, type StoredServer } from './server.store.ts';
import { listToolRows } from './tool.store.ts';

export async function listServers(reader: Reader, actor: Actor): Promise<McpServer[]> {
  const servers = await listServerRows(reader, actor.orgId);
  const tools = await listToolRows(reader, actor.orgId);
  const names = await namesIn(reader, actor, servers);
  return servers.map((server) => presentServer(server, tools, names));
}

/** @throws AppError `not_found` */
export async function getServer(reader: Reader, actor: Actor, identifier: string): Promise<McpServer> {
  return shownServer(reader, actor, await findServer(reader, actor, identifier));
}

export async function shownServer(reader: Reader, actor: Actor, server: StoredServer): Promise<McpServer> {
  const tools = await listToolRows(reader, actor.orgId, server.identifier);
  return presentServer(server, tools, await namesIn(reader, actor, [server]));
}

/** @throws AppError `not_found` */
export async function findServer(reader: Reader, actor: Actor, identifier: string): Promise<StoredServer> {
  const server = await findServerRow(reader, actor.orgId, identifier);
  if (!server) throw serverMissing(identifier);
  return server;
}

/** @throws AppError `not_found` */
export async function listServerTools(reader: Reader, actor: Actor, identifier: string): Promise<McpServerTool[]> {
  const server = await findServer(reader, actor, identifier);
  return (await listToolRows(reader, actor.orgId, server.identifier)).map(presentTool);
}

export function serverMissing(identifier: string) {
  return notFound('MCP server', identifier.slice(0, 200));
}

function namesIn(reader: Reader, { orgId, model }: Actor, servers: readonly StoredServer[]) {
  return teamNames(reader, orgId, model, [...new Set(servers.flatMap(({ rights }) => rights.teams ?? []))]);
}
