import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { FetchedTools } from './fetch-tools.ts';
import { toolState } from './present-server.ts';
import { serverMissing } from './read-servers.ts';
import { lockServerRow, noteCheck, type StoredServer } from './server.store.ts';
import { listToolRows, replacePresent, type StoredTool } from './tool.store.ts';

/**
 * Stores the current list. A tool that differs from its reviewed definition is not offered from now on.
 * @throws AppError `not_found`, `stale_version` if the server was changed during the check
 */
export async function storeTools(work: Work, server: StoredServer, fetched: FetchedTools): Promise<StoredTool[]> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const held = await lockServerRow(tx, orgId, server.identifier);
  if (!held) throw serverMissing(server.identifier);
  if (held.url !== server.url || held.sealedHeaders !== server.sealedHeaders) {
    throw new AppError(
      'stale_version',
      `The MCP server "${server.identifier}" was changed while it was asked; try again`,
    );
  }
  const before = await listToolRows(tx, orgId, server.identifier);
  await replacePresent(tx, orgId, server.identifier, fetched.tools);
  const check = { at: now, problem: fetched.problem, protocolVersion: fetched.dialect.version };
  await noteCheck(tx, orgId, server.identifier, check);
  const after = await listToolRows(tx, orgId, server.identifier);
  if (JSON.stringify(fingerprints(before)) !== JSON.stringify(fingerprints(after))) {
    work.record({
      event: 'mcp-server.tools-changed',
      action: 'UPDATE',
      resourceType: 'mcp-server',
      identifier: server.identifier,
      context: {},
      before: { tools: fingerprints(before) },
      after: { tools: fingerprints(after) },
    });
  }
  return after;
}

/** Shows which tools changed, without the servers' own texts, which do not belong in the log. */
export function fingerprints(tools: readonly StoredTool[]) {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, { hash: tool.hash, state: toolState(tool), readOnly: tool.isReadOnly }]),
  );
}
