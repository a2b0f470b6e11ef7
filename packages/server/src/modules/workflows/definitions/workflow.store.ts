import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, countRow, field, fields, row } from '../../../platform/db/row.ts';
import type { Permitted, SavedAuthority } from '../../accounts/index.ts';
import type { OrganizationModel } from '../../organizations/index.ts';
import type { StoredWorkflow, WorkflowDefinition } from './workflow.ts';

const columns = raw(`w.key, w.id, w.identifier, v.version, v.id as "versionId", v.definition, v.hash, v.authority,
  v.text_authors as "textAuthors", w.created_at as "createdAt", w.created_by as "createdBy",
  v.saved_at as "updatedAt", v.saved_by as "updatedBy"`);

const workflowFields = {
  ...fields('workflows', 'key', 'id', 'identifier', 'created_at', 'created_by'),
  ...fields('workflow_versions', 'version', 'hash', 'text_authors'),
  versionId: field('workflow_versions', 'id'),
  definition: field('workflow_versions', 'definition').as<WorkflowDefinition>(),
  authority: field('workflow_versions', 'authority').as<SavedAuthority>(),
  updatedAt: field('workflow_versions', 'saved_at'),
  updatedBy: field('workflow_versions', 'saved_by'),
};
const workflowRow = row(workflowFields);

/** The current versions, oldest workflow first. */
export function listCurrent(reader: Reader, orgId: string): Promise<readonly StoredWorkflow[]> {
  return reader.rows(workflowRow.sql`
    select ${columns} from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_key = w.key and v.version = w.current_version
    where w.org_id = ${orgId} and w.deleted_at is null order by w.key`);
}

export function findCurrent(reader: Reader, orgId: string, identifier: string): Promise<StoredWorkflow | undefined> {
  return reader.first(workflowRow.sql`
    select ${columns} from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_key = w.key and v.version = w.current_version
    where w.org_id = ${orgId} and w.identifier = ${identifier} and w.deleted_at is null`);
}

export function findCurrentByKey(reader: Reader, orgId: string, key: number): Promise<StoredWorkflow | undefined> {
  return reader.first(workflowRow.sql`
    select ${columns} from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_key = w.key and v.version = w.current_version
    where w.org_id = ${orgId} and w.key = ${key} and w.deleted_at is null`);
}

/** A version, also of a workflow that is deleted. */
export function findVersion(
  reader: Reader,
  orgId: string,
  workflowKey: number,
  version: number,
): Promise<StoredWorkflow | undefined> {
  return reader.first(workflowRow.sql`
    select ${columns} from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_key = w.key
    where w.org_id = ${orgId} and w.key = ${workflowKey} and v.version = ${version}`);
}

const modelledRow = row({ ...workflowFields, model: field('organizations', 'model').as<OrganizationModel>() });

/** A version, with the model of its organization. */
export function findVersionAndModel(
  reader: Reader,
  orgId: string,
  workflowKey: number,
  version: number,
): Promise<(StoredWorkflow & { readonly model: OrganizationModel }) | undefined> {
  return reader.first(modelledRow.sql`
    select ${columns}, o.model from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_key = w.key
    join organizations o on o.id = w.org_id
    where w.org_id = ${orgId} and w.key = ${workflowKey} and v.version = ${version}`);
}

const keyRow = row(fields('workflows', 'key'));

/** The current version, held unchanged for the transaction. */
export async function holdCurrent(tx: Tx, orgId: string, identifier: string): Promise<StoredWorkflow | undefined> {
  const held = await tx.first(keyRow.sql`
    select w.key from workflows w
    where w.org_id = ${orgId} and w.identifier = ${identifier} and w.deleted_at is null for share`);
  return held && findCurrentByKey(tx, orgId, held.key);
}

/** The current version, locked for a change. */
export async function lockCurrent(tx: Tx, orgId: string, identifier: string): Promise<StoredWorkflow | undefined> {
  const locked = await tx.first(keyRow.sql`
    select w.key from workflows w
    where w.org_id = ${orgId} and w.identifier = ${identifier} and w.deleted_at is null for no key update`);
  return locked && findCurrentByKey(tx, orgId, locked.key);
}

export async function countWorkflows(reader: Reader, orgId: string): Promise<number> {
  const [counted] = await reader.rows(
    countRow.sql`select count(*)::int as count from workflows w where w.org_id = ${orgId} and w.deleted_at is null`,
  );
  return counted?.count ?? 0;
}

/** What a version is made of, and by whom. */
export interface WrittenVersion {
  readonly id: string;
  readonly definition: Permitted<WorkflowDefinition>;
  readonly hash: string;
  readonly authority: SavedAuthority;
  readonly authors: readonly string[];
  readonly note: string | null;
  readonly at: Date;
  readonly by: string;
}

/** Stores a workflow with its first version; undefined if the identifier is in use. */
export async function insertWorkflow(
  tx: Tx,
  orgId: string,
  id: string,
  written: WrittenVersion,
): Promise<StoredWorkflow | undefined> {
  const { definition, at, by } = written;
  const inserted = await tx.first(keyRow.sql`
    insert into workflows as w (org_id, id, identifier, current_version, created_at, created_by, updated_at, updated_by)
    values (${orgId}, ${id}, ${definition.identifier}, 1, ${at}, ${by}, ${at}, ${by})
    on conflict (org_id, identifier) where deleted_at is null do nothing
    returning w.key`);
  if (!inserted) return undefined;
  await insertVersion(tx, orgId, inserted.key, 1, written);
  return findCurrentByKey(tx, orgId, inserted.key);
}

/** Makes a version the current one of a locked workflow. @throws DatabaseError with constraint `workflows_by_identifier` */
export async function appendVersion(
  tx: Tx,
  orgId: string,
  { key, version }: Pick<StoredWorkflow, 'key' | 'version'>,
  written: WrittenVersion,
): Promise<StoredWorkflow> {
  await insertVersion(tx, orgId, key, version + 1, written);
  await tx.execute(sql`
    update workflows set identifier = ${written.definition.identifier}, current_version = ${version + 1},
      updated_at = ${written.at}, updated_by = ${written.by}
    where org_id = ${orgId} and key = ${key}`);
  return (await findCurrentByKey(tx, orgId, key)) as StoredWorkflow;
}

async function insertVersion(tx: Tx, orgId: string, key: number, version: number, written: WrittenVersion) {
  const { id, definition, hash, authority, authors, note, at, by } = written;
  await tx.execute(sql`
    insert into workflow_versions (org_id, workflow_key, version, id, definition, hash, authority, text_authors, note,
      saved_at, saved_by)
    values (${orgId}, ${key}, ${version}, ${id}, ${json(definition)}, ${hash}, ${json(authority)}, ${[...authors]},
      ${note}, ${at}, ${by})`);
}

/** Frees the identifier and takes the triggers away; versions and runs stay until their retention. */
export async function markDeleted(tx: Tx, orgId: string, key: number, at: Date, by: string): Promise<void> {
  await tx.execute(sql`
    update workflows set deleted_at = ${at}, updated_at = ${at}, updated_by = ${by}
    where org_id = ${orgId} and key = ${key}`);
  await tx.execute(sql`delete from workflow_triggers where org_id = ${orgId} and workflow_key = ${key}`);
  await tx.execute(sql`delete from workflow_hooks where org_id = ${orgId} and workflow_key = ${key}`);
  await tx.execute(sql`delete from workflow_pauses where org_id = ${orgId} and workflow_key = ${key}`);
}

const versionRow = row({
  ...fields('workflow_versions', 'version', 'note', 'saved_at', 'saved_by'),
  identifier: field('workflow_versions', 'id'),
  isCurrent: computed.boolean,
});
export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

/** Versions of a workflow, newest first. */
export function listVersions(reader: Reader, orgId: string, key: number, limit: number) {
  return reader.rows(versionRow.sql`
    select v.version, v.id as identifier, v.note, v.saved_at as "savedAt", v.saved_by as "savedBy",
      v.version = w.current_version as "isCurrent"
    from workflow_versions v join workflows w on w.org_id = v.org_id and w.key = v.workflow_key
    where v.org_id = ${orgId} and v.workflow_key = ${key} order by v.version desc limit ${limit}`);
}
