import type { McpServer, McpServerTool } from '@portolan/contract/mcp-servers';
import { presentLists } from '../rights/index.ts';
import { offeredName } from './offered-name.ts';
import type { StoredServer } from './server.store.ts';
import type { StoredTool } from './tool.store.ts';

/** Only `approved` tools are offered: their definition is exactly the reviewed one. */
export function toolState(tool: StoredTool): McpServerTool['state'] {
  if (!tool.isPresent) return 'gone';
  if (tool.decision === null) return 'new';
  if (tool.decidedHash !== tool.hash) return 'changed';
  return tool.decision === 'approve' ? 'approved' : 'declined';
}

export function presentTool(tool: StoredTool): McpServerTool {
  const state = toolState(tool);
  const wasOther = state === 'changed' && tool.decidedDefinition !== null;
  return {
    name: tool.name,
    offeredAs: offeredName(tool),
    state,
    hash: tool.hash,
    definition: tool.definition,
    ...(wasOther ? { decidedDefinition: tool.decidedDefinition as McpServerTool['definition'] } : {}),
    readOnly: tool.isReadOnly,
    claimsReadOnly: tool.claimsReadOnly,
    warnings: [...tool.warnings],
    decidedAt: tool.decidedAt?.toISOString() ?? null,
    decidedBy: tool.decidedBy,
  };
}

export function presentServer(
  server: StoredServer,
  tools: readonly StoredTool[],
  teamNames: ReadonlyMap<string, string>,
): McpServer {
  const states = tools.filter((tool) => tool.server === server.identifier).map(toolState);
  const count = (...wanted: readonly McpServerTool['state'][]) =>
    states.filter((state) => wanted.includes(state)).length;
  return {
    identifier: server.identifier,
    ...(server.title === null ? {} : { title: server.title }),
    url: server.url,
    headers: [...server.headerNames],
    enabled: server.isEnabled,
    permissions: presentLists(server.rights, teamNames),
    ...(server.protocolVersion === null ? {} : { protocolVersion: server.protocolVersion }),
    checkedAt: server.checkedAt?.toISOString() ?? null,
    problem: server.problem,
    tools: { offered: server.isEnabled ? count('approved') : 0, toReview: count('new', 'changed'), all: states.length },
    createdAt: server.createdAt.toISOString(),
    createdBy: server.createdBy,
    updatedAt: server.updatedAt.toISOString(),
    updatedBy: server.updatedBy,
  };
}
