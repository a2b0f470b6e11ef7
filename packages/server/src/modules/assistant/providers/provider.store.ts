import type { ReceiptsMode } from '@portolan/contract/assistant';
import type { LlmOverrides } from '@portolan/contract/llm-providers';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

export interface Stamps {
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A provider of an organization; `port` is the operator's. */
export interface StoredProvider extends Stamps {
  readonly provider: string;
  readonly isEnabled: boolean;
  /** Names of secrets, not their values. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly models: LlmOverrides['models'];
}

export interface StoredDefaults extends Stamps {
  readonly provider: string;
  readonly model: string;
}

const stamps = `created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt",
  updated_by as "updatedBy"`;
const columns = raw(`provider, is_enabled as "isEnabled", config, models, ${stamps}`);
const defaultsColumns = raw(`provider, model, ${stamps}`);

const storedProvider = row({
  ...fields('llm_providers', 'provider', 'is_enabled', 'created_at', 'created_by', 'updated_at', 'updated_by'),
  config: field('llm_providers', 'config').as<Readonly<Record<string, unknown>>>(),
  models: field('llm_providers', 'models').as<LlmOverrides['models']>(),
});

export function listProviderRows(reader: Reader, orgId: string): Promise<StoredProvider[]> {
  return reader.rows(
    storedProvider.sql`select ${columns} from llm_providers where org_id = ${orgId} order by created_at, provider`,
  );
}

export function findProviderRow(reader: Reader, orgId: string, provider: string): Promise<StoredProvider | undefined> {
  return reader.first(
    storedProvider.sql`select ${columns} from llm_providers where org_id = ${orgId} and provider = ${provider}`,
  );
}

export function lockProviderRow(tx: Tx, orgId: string, provider: string): Promise<StoredProvider | undefined> {
  return tx.first(
    storedProvider.sql`select ${columns} from llm_providers where org_id = ${orgId} and provider = ${provider} for update`,
  );
}

/** Returns true if it was new. */
export async function insertProviderRow(tx: Tx, orgId: string, row: StoredProvider): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into llm_providers (org_id, provider, is_enabled, config, models, created_at, created_by, updated_at,
      updated_by)
    values (${orgId}, ${row.provider}, ${row.isEnabled}, ${json(row.config)}, ${json(row.models)}, ${row.createdAt},
      ${row.createdBy}, ${row.updatedAt}, ${row.updatedBy})
    on conflict (org_id, provider) do nothing`);
  return inserted > 0;
}

export async function updateProviderRow(tx: Tx, orgId: string, row: StoredProvider): Promise<void> {
  await tx.execute(sql`
    update llm_providers set is_enabled = ${row.isEnabled}, config = ${json(row.config)}, models = ${json(row.models)},
      updated_at = ${row.updatedAt}, updated_by = ${row.updatedBy}
    where org_id = ${orgId} and provider = ${row.provider}`);
}

export async function deleteProviderRow(tx: Tx, orgId: string, provider: string): Promise<void> {
  await tx.execute(sql`delete from llm_providers where org_id = ${orgId} and provider = ${provider}`);
}

const storedDefaults = row(
  fields('llm_defaults', 'provider', 'model', 'created_at', 'created_by', 'updated_at', 'updated_by'),
);

export function findDefaultsRow(reader: Reader, orgId: string): Promise<StoredDefaults | undefined> {
  return reader.first(storedDefaults.sql`select ${defaultsColumns} from llm_defaults where org_id = ${orgId}`);
}

export async function putDefaultsRow(tx: Tx, orgId: string, row: StoredDefaults): Promise<void> {
  await tx.execute(sql`
    insert into llm_defaults (org_id, provider, model, created_at, created_by, updated_at, updated_by)
    values (${orgId}, ${row.provider}, ${row.model}, ${row.createdAt}, ${row.createdBy}, ${row.updatedAt},
      ${row.updatedBy})
    on conflict (org_id) do update set provider = excluded.provider, model = excluded.model,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
}

const choiceRow = row({
  providers: computed.json.as<readonly Pick<StoredProvider, 'provider' | 'isEnabled' | 'config' | 'models'>[]>(),
  standard: computed.json.as<{ readonly provider: string; readonly model: string }>().orNull(),
  receipts: computed.text.as<ReceiptsMode>().orNull(),
});

/**
 * The providers and defaults that determine the model of an invocation, and whether all answers of the organization have
 * to be backed; null if nobody said.
 */
export type ChoiceRow = RowOf<typeof choiceRow>;

/** One statement, because every invocation reads it. */
export async function readChoice(reader: Reader, orgId: string): Promise<ChoiceRow> {
  const row = await reader.first(choiceRow.sql`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('provider', p.provider, 'isEnabled', p.is_enabled,
        'config', p.config, 'models', p.models) order by p.created_at, p.provider), '[]'::jsonb)
        from llm_providers p where p.org_id = ${orgId}) as providers,
      (select jsonb_build_object('provider', d.provider, 'model', d.model)
        from llm_defaults d where d.org_id = ${orgId}) as standard,
      (select p.receipts from ai_policies p where p.org_id = ${orgId}) as receipts`);
  return row ?? { providers: [], standard: null, receipts: null };
}
