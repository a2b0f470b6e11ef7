import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { countRow, field, fields, row } from '../../../platform/db/row.ts';
import type { Proposal } from './proposal.ts';

const columns = raw(`p.id, p.key, p.state, p.goal, p.identifier, p.definition, p.workflow_key as "workflowKey",
  p.base_version as "baseVersion", p.warnings, p.test, p.questions, p.invocation, p.call, p.agent, p.decision,
  p.text_authors as "textAuthors", p.created_by as "createdBy", p.created_by_kind as "createdByKind",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.decided_at as "decidedAt", p.decided_by as "decidedBy",
  p.comment`);

const table = 'workflow_proposals';
const proposalRow = row({
  ...fields(
    table,
    'id',
    'key',
    'goal',
    'identifier',
    'workflow_key',
    'base_version',
    'questions',
    'invocation',
    'call',
    'agent',
    'text_authors',
    'created_by',
    'created_at',
    'expires_at',
    'decided_at',
    'decided_by',
    'comment',
  ),
  state: field(table, 'state').as<Proposal['state']>(),
  definition: field(table, 'definition').as<Proposal['definition']>(),
  warnings: field(table, 'warnings').as<Proposal['warnings']>(),
  test: field(table, 'test').as<NonNullable<Proposal['test']>>(),
  decision: field(table, 'decision').as<NonNullable<Proposal['decision']>>(),
  createdByKind: field(table, 'created_by_kind').as<Proposal['createdByKind']>(),
});

export function findProposalRow(reader: Reader, orgId: string, id: string): Promise<Proposal | undefined> {
  return reader.first(proposalRow.sql`
    select ${columns} from workflow_proposals p where p.org_id = ${orgId} and p.id = ${id}`);
}

export function lockProposal(tx: Tx, orgId: string, id: string): Promise<Proposal | undefined> {
  return tx.first(proposalRow.sql`
    select ${columns} from workflow_proposals p where p.org_id = ${orgId} and p.id = ${id} for update`);
}

export function findProposalOfCall(
  reader: Reader,
  orgId: string,
  { id, call }: { readonly id: string; readonly call: string },
): Promise<Proposal | undefined> {
  return reader.first(proposalRow.sql`
    select ${columns} from workflow_proposals p
    where p.org_id = ${orgId} and p.invocation = ${id} and p.call = ${call}`);
}

/** What an invocation proposed, in the order of its calls. */
export function listProposalsFromInvocation(reader: Reader, orgId: string, invocation: string, limit: number) {
  return reader.rows(proposalRow.sql`
    select ${columns} from workflow_proposals p
    where p.org_id = ${orgId} and p.invocation = ${invocation} and p.call is not null order by p.key limit ${limit}`);
}

export interface OpenProposals {
  readonly now: Date;
  readonly createdBy?: string | undefined;
  /** Of the workflow of this name. */
  readonly identifier?: string;
}

function isOpen(orgId: string, { now, createdBy, identifier }: OpenProposals): Sql {
  const conditions: Sql[] = [sql`p.org_id = ${orgId}`, sql`p.state = 'OPEN'`, sql`p.expires_at > ${now}`];
  if (createdBy !== undefined) conditions.push(sql`p.created_by = ${createdBy}`);
  if (identifier !== undefined) conditions.push(sql`p.identifier = ${identifier}`);
  return join(conditions, ' and ');
}

/** Newest first. */
export function listOpenProposals(reader: Reader, orgId: string, open: OpenProposals, limit: number) {
  return reader.rows(proposalRow.sql`
    select ${columns} from workflow_proposals p where ${isOpen(orgId, open)} order by p.key desc limit ${limit}`);
}

export async function countOpenProposals(reader: Reader, orgId: string, open: OpenProposals): Promise<number> {
  const [counted] = await reader.rows(
    countRow.sql`select count(*)::int as count from workflow_proposals p where ${isOpen(orgId, open)}`,
  );
  return counted?.count ?? 0;
}

const idRow = row(fields(table, 'id'));

/** False if the same call has proposed already. */
export async function insertProposal(tx: Tx, orgId: string, made: Omit<Proposal, 'key'>): Promise<boolean> {
  const inserted = await tx.first(idRow.sql`
    insert into workflow_proposals (org_id, id, state, goal, identifier, definition, workflow_key, base_version, warnings,
      test, questions, invocation, call, agent, decision, text_authors, created_by, created_by_kind, created_at, expires_at)
    values (${orgId}, ${made.id}, ${made.state}, ${made.goal}, ${made.identifier}, ${json(made.definition)},
      ${made.workflowKey}, ${made.baseVersion}, ${json(made.warnings)}, ${made.test && json(made.test)},
      ${[...made.questions]}, ${made.invocation}, ${made.call}, ${made.agent}, ${made.decision && json(made.decision)},
      ${[...made.textAuthors]}, ${made.createdBy}, ${made.createdByKind}, ${made.createdAt}, ${made.expiresAt})
    on conflict do nothing returning id`);
  return inserted !== undefined;
}

/** Writes the decision on a proposal that is locked. */
export async function closeProposal(
  tx: Tx,
  orgId: string,
  { id, state, decidedAt, decidedBy, comment }: Pick<Proposal, 'id' | 'state' | 'decidedAt' | 'decidedBy' | 'comment'>,
): Promise<void> {
  await tx.execute(sql`
    update workflow_proposals set state = ${state}, decided_at = ${decidedAt}, decided_by = ${decidedBy},
      comment = ${comment}
    where org_id = ${orgId} and id = ${id}`);
}

const orgRow = row(fields(table, 'org_id'));

export async function listOrganizationsWithProposals(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(orgRow.sql`
    select distinct org_id as "orgId" from workflow_proposals where created_at < ${before} /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

export function deleteProposalsBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from workflow_proposals where org_id = ${orgId} and id in (
      select p.id from workflow_proposals p where p.org_id = ${orgId} and p.created_at < ${before}
      order by p.created_at limit ${limit})`);
}
