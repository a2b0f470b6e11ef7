import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import { connect, type Dialect, listTools } from './client/mcp-client.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { openPeer } from './open-peer.ts';
import { type PinnedTool, pinTool } from './pin-tool.ts';
import type { StoredServer } from './server.store.ts';

export interface FetchedTools {
  readonly dialect: Dialect;
  readonly tools: readonly PinnedTool[];
  /** One sentence on tools left out; null if none. */
  readonly problem: string | null;
}

/** For all pages together. */
const wholeMs = 25_000;

/**
 * Lists a server's tools, negotiating first unless the dialect is known.
 * @throws AppError `mcp_server_failed`
 * @throws SessionEnded if the server dropped the session
 */
export async function fetchTools(
  deps: Pick<ConnectorsDeps, 'outgoing' | 'secrets' | 'version'>,
  orgId: string,
  server: StoredServer,
  opened: SecretScope,
  known: { readonly dialect?: Dialect | undefined; readonly signal?: AbortSignal } = {},
): Promise<FetchedTools> {
  const peer = await openPeer(deps.secrets, orgId, server, opened);
  const timeout = AbortSignal.timeout(wholeMs);
  const signal = known.signal ? AbortSignal.any([known.signal, timeout]) : timeout;
  const options = { outgoing: deps.outgoing, version: deps.version, signal };
  const dialect = known.dialect ?? (await connect(peer, options));
  const listed = await listTools(peer, dialect, options);
  const byName = new Map<string, PinnedTool>();
  for (const item of listed) {
    const pinned = pinTool(item);
    if (pinned && !byName.has(pinned.name)) byName.set(pinned.name, pinned);
  }
  const left = listed.length - byName.size;
  const problem =
    left === 0 ? null : `${left} of ${listed.length} tools were left out: their names or inputs cannot be offered`;
  return { dialect, tools: [...byName.values()], problem };
}
