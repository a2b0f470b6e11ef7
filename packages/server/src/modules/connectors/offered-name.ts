import { safeToolName } from '../../platform/tools/tool-source.ts';

/**
 * What the names of tools of connected servers begin with. None of ours does, and it is none of the prefixes that promise
 * something: a server cannot pass its tool off as one that only reads.
 */
export const connectorPrefix = 'mcp_';

/** What patterns match: the server, two underscores, and the tool as its server calls it. */
export function matchedName({ server, name }: { readonly server: string; readonly name: string }): string {
  return `${connectorPrefix}${server}__${name}`;
}

/** What a model calls: the same, made safe where providers would refuse it. */
export function offeredName(tool: { readonly server: string; readonly name: string }): string {
  return safeToolName(matchedName(tool));
}
