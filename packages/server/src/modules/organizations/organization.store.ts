import sql, { raw } from 'sql-template-tag';
import type { z } from 'zod';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Organization, OrganizationModel } from './organization.ts';

const columns = raw(
  'id, name, model, plan, quotas, cutover, demo_of as "demoOf", created_at as "createdAt", updated_at as "updatedAt"',
);

export async function insertOrganization(tx: Tx, organization: Organization): Promise<void> {
  const { id, name, model, plan, quotas, cutover, demoOf, createdAt, updatedAt } = organization;
  await tx.execute(sql`
    insert into organizations (id, name, model, plan, quotas, cutover, demo_of, created_at, updated_at)
    values (${id}, ${name}, ${model}, ${plan}, ${json(quotas)}, ${json(cutover)}, ${demoOf}, ${createdAt},
      ${updatedAt})`);
}

export async function updateOrganizationRow(tx: Tx, organization: Organization): Promise<void> {
  await tx.execute(sql`
    update organizations set name = ${organization.name}, plan = ${organization.plan},
      quotas = ${json(organization.quotas)}, cutover = ${json(organization.cutover)},
      updated_at = ${organization.updatedAt}
    where id = ${organization.id}`);
}

const organizationRow = row({
  ...fields('organizations', 'id', 'name', 'model', 'plan', 'demo_of', 'created_at', 'updated_at'),
  quotas: field('organizations', 'quotas').as<Organization['quotas']>(),
  cutover: field('organizations', 'cutover').as<Organization['cutover']>(),
});

export function findOrganization(reader: Reader, id: string): Promise<Organization | undefined> {
  return reader.first(organizationRow.sql`select ${columns} from organizations where id = ${id}`);
}

/** Locks the row, so that concurrent changes do not overwrite each other. */
export function lockOrganization(tx: Tx, id: string): Promise<Organization | undefined> {
  return tx.first(organizationRow.sql`select ${columns} from organizations where id = ${id} for update`);
}

/** Any number that no other lock uses. */
const firstOrganizationLock = 4_771_003;

/** Whether there is no organization; concurrent callers wait for this transaction. */
export async function lockEmptyInstallation(tx: Tx): Promise<boolean> {
  await tx.rows(sql`select pg_advisory_xact_lock(${firstOrganizationLock})`);
  return (await tx.rows(sql`select 1 from organizations limit 1`)).length === 0;
}

export function listOrganizationRows(reader: Reader, after: string, limit: number): Promise<Organization[]> {
  return reader.rows(
    organizationRow.sql`select ${columns} from organizations where id > ${after} order by id limit ${limit}`,
  );
}

/** What people set for their whole organization; keys as on the wire. */
export interface OrganizationSettings {
  readonly settings?: Readonly<Record<string, z.core.util.JSONType>>;
  readonly announcement?: Readonly<Record<string, unknown>>;
}

export interface OwnOrganization extends Pick<Organization, 'id' | 'name' | 'model' | 'createdAt' | 'updatedAt'> {
  readonly settings: OrganizationSettings;
}

const ownOrganization = row({
  ...fields('organizations', 'id', 'name', 'model', 'created_at', 'updated_at'),
  settings: field('organizations', 'settings').as<OrganizationSettings>(),
});

export function findSettings(reader: Reader, id: string): Promise<OwnOrganization | undefined> {
  return reader.first(ownOrganization.sql`
    select id, name, model, settings, created_at as "createdAt", updated_at as "updatedAt"
    from organizations where id = ${id}`);
}

export async function updateSettingsRow(
  tx: Tx,
  id: string,
  { name, settings, at }: { readonly name: string; readonly settings: OrganizationSettings; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update organizations set name = ${name}, settings = ${json(settings)}, updated_at = ${at} where id = ${id}`);
}

/**
 * `frozen`: teams stay as they are until the model changes. `flipping`: the change is imminent, and standings are not
 * cached.
 */
export type MigrationPhase = 'frozen' | 'flipping';

const modelRow = row(fields('organizations', 'model', 'migration_phase'));
export type ModelRow = RowOf<typeof modelRow>;

/** The model, which then stays as it is until the transaction ends. */
export function holdModelRow(tx: Tx, orgId: string): Promise<ModelRow | undefined> {
  return tx.first(modelRow.sql`
    select model, migration_phase as "migrationPhase" from organizations where id = ${orgId} for share`);
}

/** Locks the model for the transaction that changes it. */
export function lockModel(tx: Tx, orgId: string): Promise<ModelRow | undefined> {
  return tx.first(modelRow.sql`
    select model, migration_phase as "migrationPhase" from organizations where id = ${orgId} for no key update`);
}

export async function setMigrationPhase(tx: Tx, orgId: string, phase: MigrationPhase | null): Promise<void> {
  await tx.execute(sql`update organizations set migration_phase = ${phase} where id = ${orgId}`);
}

/** Sets the model and ends the migration, from the commit on. */
export async function setModel(tx: Tx, orgId: string, model: OrganizationModel): Promise<void> {
  await tx.execute(sql`update organizations set model = ${model}, migration_phase = null where id = ${orgId}`);
}
