import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Permitted } from '../accounts/index.ts';
import type { Grant } from '../rights/index.ts';

const storedServer = row({
  ...fields(
    'mcp_servers',
    'identifier',
    'title',
    'url',
    'header_names',
    'is_enabled',
    'protocol_version',
    'checked_at',
    'problem',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  /** Sealed JSON of names and values. */
  sealedHeaders: field('mcp_servers', 'sealed_headers'),
  rights: field('mcp_servers', 'rights').as<Grant>(),
});
export type StoredServer = RowOf<typeof storedServer>;

const columns = raw(`s.identifier, s.title, s.url, s.sealed_headers as "sealedHeaders", s.header_names as "headerNames",
  s.is_enabled as "isEnabled", s.rights, s.protocol_version as "protocolVersion", s.checked_at as "checkedAt", s.problem,
  s.created_at as "createdAt", s.created_by as "createdBy", s.updated_at as "updatedAt", s.updated_by as "updatedBy"`);

export function listServerRows(reader: Reader, orgId: string): Promise<StoredServer[]> {
  return reader.rows(
    storedServer.sql`select ${columns} from mcp_servers s where s.org_id = ${orgId} order by s.identifier`,
  );
}

export function findServerRow(reader: Reader, orgId: string, identifier: string): Promise<StoredServer | undefined> {
  return reader.first(
    storedServer.sql`select ${columns} from mcp_servers s where s.org_id = ${orgId} and s.identifier = ${identifier}`,
  );
}

export function lockServerRow(tx: Tx, orgId: string, identifier: string): Promise<StoredServer | undefined> {
  return tx.first(
    storedServer.sql`select ${columns} from mcp_servers s where s.org_id = ${orgId} and s.identifier = ${identifier} for update`,
  );
}

const mcpServerIdentifier = row(fields('mcp_servers', 'identifier'));

/** False if the identifier is in use. */
export async function insertServerRow(tx: Tx, orgId: string, server: Permitted<StoredServer>): Promise<boolean> {
  const { identifier, title, url, sealedHeaders, headerNames, isEnabled, rights, createdAt, createdBy } = server;
  const row = await tx.first(mcpServerIdentifier.sql`
    insert into mcp_servers (org_id, identifier, title, url, sealed_headers, header_names, is_enabled, rights, created_at,
      created_by, updated_at, updated_by)
    values (${orgId}, ${identifier}, ${title}, ${url}, ${sealedHeaders}, ${[...headerNames]}, ${isEnabled},
      ${json(rights)}, ${createdAt}, ${createdBy}, ${createdAt}, ${createdBy})
    on conflict (org_id, identifier) do nothing returning identifier`);
  return row !== undefined;
}

export async function updateServerRow(tx: Tx, orgId: string, server: Permitted<StoredServer>): Promise<void> {
  const { identifier, title, url, sealedHeaders, headerNames, isEnabled, rights, updatedAt, updatedBy } = server;
  await tx.execute(sql`
    update mcp_servers set title = ${title}, url = ${url}, sealed_headers = ${sealedHeaders},
      header_names = ${[...headerNames]}, is_enabled = ${isEnabled}, rights = ${json(rights)}, updated_at = ${updatedAt},
      updated_by = ${updatedBy}
    where org_id = ${orgId} and identifier = ${identifier}`);
}

/** Stores the outcome of a check; not a change by people, so `updated_at` stays. */
export async function noteCheck(
  tx: Tx,
  orgId: string,
  identifier: string,
  check: { readonly at: Date; readonly problem: string | null; readonly protocolVersion?: string | undefined },
): Promise<void> {
  await tx.execute(sql`
    update mcp_servers set checked_at = ${check.at}, problem = ${check.problem},
      protocol_version = coalesce(${check.protocolVersion ?? null}, protocol_version)
    where org_id = ${orgId} and identifier = ${identifier}`);
}

export async function deleteServerRow(tx: Tx, orgId: string, identifier: string): Promise<void> {
  await tx.execute(sql`delete from mcp_servers where org_id = ${orgId} and identifier = ${identifier}`);
}
