import { scopesCover } from './scopes.ts';

/** What a connected app may be allowed to do over MCP, from least to most. */
export const mcpScopes = ['mcp:read', 'mcp:act', 'mcp:build'] as const;
export type McpScope = (typeof mcpScopes)[number];

/** The scopes of the API that each stands for. */
const apiScopes: Readonly<Record<McpScope, readonly string[]>> = {
  'mcp:read': ['read:*'],
  'mcp:act': ['execute:actions'],
  'mcp:build': ['create:*', 'update:*', 'delete:*'],
};

export function isMcpScope(text: string): text is McpScope {
  return (mcpScopes as readonly string[]).includes(text);
}

/** What the scopes of MCP allow, as scopes of the API; all three together allow everything that a tool does. */
export function toApiScopes(granted: readonly McpScope[]): string[] {
  return mcpScopes.every((scope) => granted.includes(scope)) ? ['*'] : granted.flatMap((scope) => apiScopes[scope]);
}

/** The least scopes of MCP that allow what needs these scopes of the API. */
export function mcpScopesFor(needed: readonly string[]): McpScope[] {
  if (needed.includes('*')) return [...mcpScopes];
  const wanted = new Set(needed.map((each) => mcpScopes.find((scope) => covers(scope, each)) ?? 'mcp:build'));
  return wanted.size === 0 ? ['mcp:read'] : mcpScopes.filter((scope) => wanted.has(scope));
}

function covers(scope: McpScope, needed: string): boolean {
  return scopesCover(apiScopes[scope], needed);
}
