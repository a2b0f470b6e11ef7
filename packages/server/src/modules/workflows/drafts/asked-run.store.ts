import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { AskedRun } from './asked-run.ts';

const columns = raw(`c.id, c.state, c.workflow_key as "workflowKey", c.workflow_identifier as "workflowIdentifier",
  c.version, c.trigger_node as "triggerNode", c.inputs, c.draft, c.invocation, c.call, c.decision,
  c.text_authors as "textAuthors", c.requested_with as "requestedWith", c.depth, c.caused_by as "causedBy",
  c.created_by as "createdBy", c.created_by_kind as "createdByKind", c.created_at as "createdAt",
  c.expires_at as "expiresAt", c.decided_at as "decidedAt", c.decided_by as "decidedBy", c.comment`);

const table = 'workflow_run_calls';
const askedFields = {
  ...fields(
    table,
    'id',
    'workflow_key',
    'workflow_identifier',
    'version',
    'trigger_node',
    'invocation',
    'call',
    'text_authors',
    'depth',
    'caused_by',
    'created_by',
    'created_at',
    'expires_at',
    'decided_at',
    'decided_by',
    'comment',
  ),
  state: field(table, 'state').as<AskedRun['state']>(),
  inputs: field(table, 'inputs').as<AskedRun['inputs']>(),
  draft: field(table, 'draft').as<NonNullable<AskedRun['draft']>>(),
  decision: field(table, 'decision').as<NonNullable<AskedRun['decision']>>(),
  requestedWith: field(table, 'requested_with').as<AskedRun['requestedWith']>(),
  createdByKind: field(table, 'created_by_kind').as<AskedRun['createdByKind']>(),
};
const askedRow = row(askedFields);
const listedRow = row({ ...askedFields, orgId: field(table, 'org_id'), key: field(table, 'key') });

export function findAskedRun(reader: Reader, orgId: string, id: string): Promise<AskedRun | undefined> {
  return reader.first(askedRow.sql`
    select ${columns} from workflow_run_calls c where c.org_id = ${orgId} and c.id = ${id}`);
}

export function lockAskedRun(tx: Tx, orgId: string, id: string): Promise<AskedRun | undefined> {
  return tx.first(askedRow.sql`
    select ${columns} from workflow_run_calls c where c.org_id = ${orgId} and c.id = ${id} for update`);
}

export function findAskedByCall(
  reader: Reader,
  orgId: string,
  { id, call }: { readonly id: string; readonly call: string },
): Promise<AskedRun | undefined> {
  return reader.first(askedRow.sql`
    select ${columns} from workflow_run_calls c
    where c.org_id = ${orgId} and c.invocation = ${id} and c.call = ${call}`);
}

/** What an invocation asked for, in the order of its calls. */
export function listAskedBy(reader: Reader, orgId: string, invocation: string, limit: number) {
  return reader.rows(askedRow.sql`
    select ${columns} from workflow_run_calls c
    where c.org_id = ${orgId} and c.invocation = ${invocation} order by c.key limit ${limit}`);
}

export interface ListedDraft extends AskedRun {
  readonly orgId: string;
  readonly key: number;
}

/** Drafts of an organization, newest first, from before a key. */
export function listDraftRows(
  reader: Reader,
  orgId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly ListedDraft[]> {
  const conditions: Sql[] = [sql`c.org_id = ${orgId}`, sql`c.state = 'DRAFT'`];
  if (before !== undefined) conditions.push(sql`c.key < ${before}`);
  return reader.rows(listedRow.sql`
    select ${columns}, c.org_id as "orgId", c.key from workflow_run_calls c
    where ${join(conditions, ' and ')} order by c.key desc limit ${limit}`);
}

/** Drafts of all organizations, after an id. */
export function listAllDrafts(reader: Reader, after: string, limit: number): Promise<readonly ListedDraft[]> {
  return reader.rows(listedRow.sql`
    select ${columns}, c.org_id as "orgId", c.key from workflow_run_calls c
    where c.state = 'DRAFT' and c.id > ${after} order by c.id limit ${limit} /* all organizations */`);
}

const idRow = row(fields(table, 'id'));

/** False if the same call has asked already. */
export async function insertAskedRun(tx: Tx, orgId: string, asked: AskedRun): Promise<boolean> {
  const inserted = await tx.first(idRow.sql`
    insert into workflow_run_calls (org_id, id, state, workflow_key, workflow_identifier, version, trigger_node, inputs,
      draft, invocation, call, decision, text_authors, requested_with, depth, caused_by, created_by, created_by_kind,
      created_at, expires_at)
    values (${orgId}, ${asked.id}, ${asked.state}, ${asked.workflowKey}, ${asked.workflowIdentifier}, ${asked.version},
      ${asked.triggerNode}, ${json(asked.inputs)}, ${asked.draft && json(asked.draft)}, ${asked.invocation}, ${asked.call},
      ${asked.decision && json(asked.decision)}, ${[...asked.textAuthors]}, ${json(asked.requestedWith)}, ${asked.depth},
      ${asked.causedBy}, ${asked.createdBy}, ${asked.createdByKind}, ${asked.createdAt}, ${asked.expiresAt})
    on conflict do nothing returning id`);
  return inserted !== undefined;
}

/** Writes the decision on a draft that is locked. */
export async function closeDraft(
  tx: Tx,
  orgId: string,
  id: string,
  decided: Pick<AskedRun, 'state' | 'decidedAt' | 'decidedBy' | 'comment'>,
): Promise<void> {
  await tx.execute(sql`
    update workflow_run_calls set state = ${decided.state}, decided_at = ${decided.decidedAt},
      decided_by = ${decided.decidedBy}, comment = ${decided.comment}
    where org_id = ${orgId} and id = ${id}`);
}

const orgRow = row(fields(table, 'org_id'));

export async function listOrganizationsWithAsked(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(orgRow.sql`
    select distinct org_id as "orgId" from workflow_run_calls where created_at < ${before} /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

/** Deletes what was asked for before, unless its run is there still. */
export function deleteAskedBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from workflow_run_calls where org_id = ${orgId} and id in (
      select c.id from workflow_run_calls c
      where c.org_id = ${orgId} and c.created_at < ${before}
        and not exists (select 1 from workflow_runs r where r.org_id = ${orgId} and r.id = c.id)
      order by c.created_at limit ${limit})`);
}
