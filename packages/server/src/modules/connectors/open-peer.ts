import { AppError } from '../../platform/errors.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { SealedColumn } from '../identity/index.ts';
import type { Peer } from './client/mcp-client.ts';
import type { ConnectorSecrets } from './connectors.deps.ts';
import type { StoredServer } from './server.store.ts';

/** A value sealed for one server cannot be opened for another. */
function sealPurpose(identifier: string): string {
  return `mcp-server:${identifier}`;
}

export const connectorSealedColumns: readonly SealedColumn[] = [
  { table: 'mcp_servers', column: 'sealed_headers', purpose: (row) => sealPurpose(row['identifier'] ?? '') },
];

export function sealHeaders(
  { sealer }: ConnectorSecrets,
  orgId: string,
  identifier: string,
  headers: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(headers).length === 0) return null;
  return sealer.seal(orgId, sealPurpose(identifier), JSON.stringify(headers));
}

const reference = /\{\{\s*\.secrets(?:\.([A-Za-z0-9_-]{1,100})|\["([A-Za-z0-9_-]{1,100})"\])\s*\}\}/g;

export function takesSecrets(headers: Readonly<Record<string, string>>): boolean {
  return Object.values(headers).some((text) => text.search(reference) >= 0);
}

/**
 * Opens the headers for one call.
 * @throws AppError `mcp_server_failed` for an unknown secret
 */
export async function openPeer(
  secrets: ConnectorSecrets,
  orgId: string,
  server: StoredServer,
  opened: SecretScope,
): Promise<Peer> {
  const { identifier, url, sealedHeaders } = server;
  if (sealedHeaders === null) return { name: identifier, url, headers: {}, opened };
  const written = JSON.parse(secrets.sealer.open(orgId, sealPurpose(identifier), sealedHeaders, opened)) as Record<
    string,
    string
  >;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(written)) {
    headers[name.toLowerCase()] = await withSecrets(secrets, orgId, identifier, value, opened);
  }
  return { name: identifier, url, headers, opened };
}

async function withSecrets(
  secrets: ConnectorSecrets,
  orgId: string,
  server: string,
  text: string,
  opened: SecretScope,
): Promise<string> {
  let filled = '';
  let from = 0;
  for (const match of text.matchAll(reference)) {
    const name = match[1] ?? match[2] ?? '';
    const value = await secrets.secretValue(orgId, name, opened);
    if (value === undefined || !/^[\x20-\x7e]*$/.test(value)) {
      const message = `The MCP server "${server}" needs the secret "${name}", which is not there or is no text for a header`;
      throw new AppError('mcp_server_failed', message);
    }
    filled += text.slice(from, match.index) + value;
    from = match.index + match[0].length;
  }
  return filled + text.slice(from);
}
