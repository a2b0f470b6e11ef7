import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';

/** What brings texts of others and can be trusted: an installation, a webhook, a source that is read here. */
export interface TrustedSource {
  readonly kind: 'integration' | 'webhook' | 'source';
  /** Comes never again, unlike the identifier. */
  readonly key: number;
  readonly identifier: string;
}

const trustedRow = row({
  kind: field('trusted_sources', 'kind').as<TrustedSource['kind']>(),
  key: field('trusted_sources', 'source_key'),
  ...fields('trusted_sources', 'identifier'),
});

export function listTrustedSources(reader: Reader, orgId: string): Promise<TrustedSource[]> {
  return reader.rows(trustedRow.sql`
    select kind, source_key as key, identifier from trusted_sources where org_id = ${orgId} order by kind, identifier`);
}

const foundRow = row({ isTrusted: computed.boolean });

export async function isTrustedSource(
  reader: Reader,
  orgId: string,
  { kind, key }: Pick<TrustedSource, 'kind' | 'key'>,
): Promise<boolean> {
  const found = await reader.first(foundRow.sql`
    select exists (select 1 from trusted_sources
      where org_id = ${orgId} and kind = ${kind} and source_key = ${key}) as "isTrusted"`);
  return found?.isTrusted ?? false;
}

/** Trusts these and no others; those that were trusted before stay as they are. */
export async function replaceTrustedSources(
  tx: Tx,
  orgId: string,
  sources: readonly TrustedSource[],
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  const [kinds, keys] = [sources.map(({ kind }) => kind), sources.map(({ key }) => key)];
  await tx.execute(sql`
    delete from trusted_sources where org_id = ${orgId}
      and (kind, source_key) not in (select * from unnest(${kinds}::text[], ${keys}::bigint[]))`);
  await tx.execute(sql`
    insert into trusted_sources (org_id, kind, source_key, identifier, trusted_at, trusted_by)
    select ${orgId}, given.kind, given.source_key, given.identifier, ${at}, ${by}
    from unnest(${kinds}::text[], ${keys}::bigint[], ${sources.map(({ identifier }) => identifier)}::text[])
      as given (kind, source_key, identifier)
    on conflict (org_id, kind, source_key) do nothing`);
}

/** Ends the trust in one that is deleted, or is no longer what somebody trusted. */
export async function endTrust(
  tx: Tx,
  orgId: string,
  { kind, key }: Pick<TrustedSource, 'kind' | 'key'>,
): Promise<void> {
  await tx.execute(sql`delete from trusted_sources where org_id = ${orgId} and kind = ${kind} and source_key = ${key}`);
}
