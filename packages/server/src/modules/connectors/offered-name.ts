import { safeToolName } from '../../platform/tools/tool-source.ts';

/**
 * Prefix of all connected tools' names. No tool of ours has it, and it is none of the prefixes that mean read-only, so
 * a server cannot pass its tool off as one.
 */
export const connectorPrefix = 'mcp_';

/** The name that tool patterns match: server, two underscores, tool. */
export function matchedName({ server, name }: { readonly server: string; readonly name: string }): string {
  return `${connectorPrefix}${server}__${name}`;
}

/** The name a model calls: the same, with characters that providers refuse replaced. */
export function offeredName(tool: { readonly server: string; readonly name: string }): string {
  return safeToolName(matchedName(tool));
}
