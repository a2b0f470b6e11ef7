import { type McpScope, mcpScopesFor } from '@portolan/contract/mcp-scopes';
import type { ToolDeclaration } from './tool.ts';

/** The scopes of MCP that a connected app needs to call a tool; the same answer as `missingToolScope` gives. */
export function neededMcpScopes({ scope, effect }: Pick<ToolDeclaration, 'scope' | 'effect'>): McpScope[] {
  if (scope === null) return mcpScopesFor([]);
  return mcpScopesFor([scope ?? (effect === 'read' ? 'read:*' : '*')].flat());
}
