import type { McpToolDefinition } from '@portolan/contract/mcp-servers';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, row } from '../../platform/db/row.ts';
import type { PinnedTool } from './pin-tool.ts';

/** Latest definition and the decision on it. */
export interface StoredTool extends PinnedTool {
  readonly server: string;
  readonly isPresent: boolean;
  readonly decision: 'approve' | 'decline' | null;
  readonly decidedHash: string | null;
  readonly decidedDefinition: McpToolDefinition | null;
  /** Set by an administrator: the tool writes nothing. */
  readonly isReadOnly: boolean;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
}

const columns = raw(`t.server, t.name, t.definition, t.hash, t.claims_read_only as "claimsReadOnly", t.warnings,
  t.is_present as "isPresent", t.decision, t.decided_hash as "decidedHash",
  t.decided_definition as "decidedDefinition", t.is_read_only as "isReadOnly", t.decided_at as "decidedAt",
  t.decided_by as "decidedBy"`);

const storedTool = row({
  ...fields(
    'mcp_server_tools',
    'server',
    'is_present',
    'decision',
    'decided_hash',
    'is_read_only',
    'decided_at',
    'decided_by',
    'name',
    'hash',
    'claims_read_only',
    'warnings',
  ),
  decidedDefinition: field('mcp_server_tools', 'decided_definition').as<McpToolDefinition>(),
  definition: field('mcp_server_tools', 'definition').as<StoredTool['definition']>(),
});

export function listToolRows(reader: Reader, orgId: string, server?: string): Promise<StoredTool[]> {
  const ofServer = server === undefined ? sql`true` : sql`t.server = ${server}`;
  return reader.rows(
    storedTool.sql`select ${columns} from mcp_server_tools t where t.org_id = ${orgId} and ${ofServer} order by t.server, t.name`,
  );
}

/** Tools approved in their current definition, of servers that are switched on. */
export function listApprovedRows(reader: Reader, orgId: string): Promise<StoredTool[]> {
  return reader.rows(storedTool.sql`
    select ${columns} from mcp_server_tools t
    join mcp_servers s on s.org_id = t.org_id and s.identifier = t.server
    where t.org_id = ${orgId} and s.is_enabled and t.is_present and t.decision = 'approve' and t.decided_hash = t.hash
    order by t.server, t.name`);
}

/** Replaces the list. Missing tools are deleted if undecided, otherwise marked as gone. */
export async function replacePresent(tx: Tx, orgId: string, server: string, tools: readonly PinnedTool[]) {
  const names = tools.map(({ name }) => name);
  await tx.execute(sql`
    delete from mcp_server_tools
    where org_id = ${orgId} and server = ${server} and decision is null and not name = any(${names})`);
  await tx.execute(sql`
    update mcp_server_tools set is_present = false
    where org_id = ${orgId} and server = ${server} and not name = any(${names})`);
  for (const { name, definition, hash, claimsReadOnly, warnings } of tools) {
    await tx.execute(sql`
      insert into mcp_server_tools (org_id, server, name, definition, hash, claims_read_only, warnings)
      values (${orgId}, ${server}, ${name}, ${json(definition)}, ${hash}, ${claimsReadOnly}, ${[...warnings]})
      on conflict (org_id, server, name) do update set definition = excluded.definition, hash = excluded.hash,
        claims_read_only = excluded.claims_read_only, warnings = excluded.warnings, is_present = true`);
  }
}

export async function decideOnTool(
  tx: Tx,
  orgId: string,
  { server, name }: Pick<StoredTool, 'server' | 'name'>,
  decided: {
    readonly decision: 'approve' | 'decline';
    readonly isReadOnly: boolean;
    readonly at: Date;
    readonly by: string;
  },
): Promise<void> {
  await tx.execute(sql`
    update mcp_server_tools set decision = ${decided.decision}, decided_hash = hash, decided_definition = definition,
      is_read_only = ${decided.isReadOnly}, decided_at = ${decided.at}, decided_by = ${decided.by}
    where org_id = ${orgId} and server = ${server} and name = ${name}`);
}

/** All tools need a new review; old decisions are kept for comparison. */
export async function withdrawDecisions(tx: Tx, orgId: string, server: string): Promise<void> {
  await tx.execute(sql`
    update mcp_server_tools set decided_hash = null, is_read_only = false, is_present = false
    where org_id = ${orgId} and server = ${server}`);
}
