import type { Surface } from '../platform/http/server.ts';
import type { ToolRegistry } from '../platform/tools/registry.ts';
import type { Actor } from '../platform/actor.ts';

export interface McpOptions {
  readonly tools: ToolRegistry;
  readonly authenticate: (authorization: string | undefined, userAgent: string | undefined) => Promise<Actor>;
}

/** `POST /v1/mcp`: the tools of the registry over MCP's streamable HTTP transport. */
export function createMcp(_options: McpOptions): Surface {
  return () => {};
}
