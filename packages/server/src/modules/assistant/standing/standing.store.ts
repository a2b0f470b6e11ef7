import type { ApprovedEntity, ApprovedInput } from '@portolan/contract/standing-approvals';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { AskedPosition } from '../asked-cursor.ts';
import type { StandingApproval } from './cover-call.ts';

export interface StoredStandingApproval extends StandingApproval {
  readonly agent: string;
  /** The identifier that the action had. */
  readonly action: string;
  readonly givenAt: Date;
  readonly revokedBy: string | null;
  readonly used: number;
  readonly lastUsedAt: Date | null;
}

/** Approvals of an agent and an action that are looked at for a call. */
const askedMax = 50;

const approvalFields = {
  ...fields(
    'ai_standing_approvals',
    'id',
    'agent_version',
    'action_id',
    'action_version',
    'max_per_hour',
    'expires_at',
    'given_by',
    'revoked_at',
  ),
  entity: field('ai_standing_approvals', 'entity').as<ApprovedEntity>(),
  inputs: field('ai_standing_approvals', 'inputs').as<Record<string, ApprovedInput>>(),
  usedInHour: computed.number,
};
const approvalRow = row(approvalFields);
const shownRow = row({
  ...approvalFields,
  ...fields('ai_standing_approvals', 'agent', 'action', 'given_at', 'revoked_by'),
  used: computed.number,
  lastUsedAt: computed.time.orNull(),
});

const columns =
  raw(`a.id, a.agent_version as "agentVersion", a.action_id as "actionId", a.action_version as "actionVersion",
  a.entity, a.inputs, a.max_per_hour as "maxPerHour", a.expires_at as "expiresAt", a.given_by as "givenBy",
  a.revoked_at as "revokedAt"`);

function selectShown(orgId: string, now: Date, condition: Sql): Sql {
  return sql`
    select ${columns}, a.agent, a.action, a.given_at as "givenAt", a.revoked_by as "revokedBy", uses.used,
      uses.in_hour as "usedInHour", uses.last as "lastUsedAt"
    from ai_standing_approvals a, lateral (
      select count(*) as used, count(*) filter (where u.used_at > ${hourBefore(now)}) as in_hour, max(u.used_at) as last
      from ai_standing_uses u where u.org_id = ${orgId} and u.approval_id = a.id) uses
    where a.org_id = ${orgId} ${condition}`;
}

function hourBefore(now: Date): Date {
  return new Date(now.getTime() - 3_600_000);
}

/** Those of an agent, or of all, newest first, after a position. */
export function listStandingRows(
  reader: Reader,
  orgId: string,
  now: Date,
  {
    agent,
    after,
    limit,
  }: { readonly agent: string | undefined; readonly after: AskedPosition | undefined; readonly limit: number },
): Promise<StoredStandingApproval[]> {
  const ofAgent = agent === undefined ? empty : sql`and a.agent = ${agent}`;
  const older = after ? sql`and (a.given_at, a.id) < (${after.askedAt}::timestamptz, ${after.id})` : empty;
  return reader.rows(
    shownRow.sql`
      ${selectShown(orgId, now, sql`${ofAgent} ${older}`)} order by a.given_at desc, a.id desc limit ${limit}`,
  );
}

/** Those that an agent has for an action: first what neither was revoked nor has expired, newest first. */
export function listStandingRowsFor(
  reader: Reader,
  orgId: string,
  now: Date,
  { agent, actionId }: { readonly agent: string; readonly actionId: string },
): Promise<StandingApproval[]> {
  return reader.rows(approvalRow.sql`
    select ${columns}, uses.in_hour as "usedInHour"
    from ai_standing_approvals a, lateral (
      select count(*) as in_hour from ai_standing_uses u
      where u.org_id = ${orgId} and u.approval_id = a.id and u.used_at > ${hourBefore(now)}) uses
    where a.org_id = ${orgId} and a.agent = ${agent} and a.action_id = ${actionId}
    order by a.revoked_at is not null or a.expires_at <= ${now}, a.given_at desc, a.id desc limit ${askedMax}`);
}

const shapeRow = row({
  ...fields('ai_standing_approvals', 'id'),
  entity: field('ai_standing_approvals', 'entity').as<ApprovedEntity>(),
  inputs: field('ai_standing_approvals', 'inputs').as<Record<string, ApprovedInput>>(),
});

/** Those that hold for the agent and the action as they are, for all that the table alone says. */
export function listHeldShapes(
  tx: Tx,
  orgId: string,
  {
    agent,
    agentVersion,
    actionId,
    actionVersion,
    givenAt,
  }: Pick<StoredStandingApproval, 'agent' | 'agentVersion' | 'actionId' | 'actionVersion' | 'givenAt'>,
) {
  return tx.rows(shapeRow.sql`
    select id, entity, inputs from ai_standing_approvals
    where org_id = ${orgId} and agent = ${agent} and agent_version = ${agentVersion} and action_id = ${actionId}
      and action_version = ${actionVersion} and revoked_at is null and expires_at > ${givenAt}`);
}

export function findStandingRow(reader: Reader, orgId: string, now: Date, id: string) {
  return reader.first(shownRow.sql`${selectShown(orgId, now, sql`and a.id = ${id}`)}`);
}

const heldRow = row(
  fields('ai_standing_approvals', 'id', 'agent', 'agent_version', 'max_per_hour', 'expires_at', 'revoked_at'),
);

/** Held until the end of the transaction, so that its uses are counted one after the other. */
export function lockStandingRow(tx: Tx, orgId: string, id: string) {
  return tx.first(heldRow.sql`
    select id, agent, agent_version as "agentVersion", max_per_hour as "maxPerHour", expires_at as "expiresAt",
      revoked_at as "revokedAt"
    from ai_standing_approvals where org_id = ${orgId} and id = ${id} for update`);
}

const countRow = row({ count: computed.number });

export async function countUsesInHour(tx: Tx, orgId: string, id: string, now: Date): Promise<number> {
  const found = await tx.first(countRow.sql`
    select count(*) as count from ai_standing_uses
    where org_id = ${orgId} and approval_id = ${id} and used_at > ${hourBefore(now)}`);
  return found?.count ?? 0;
}

export async function insertUse(
  tx: Tx,
  orgId: string,
  id: string,
  run: { readonly id: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into ai_standing_uses (org_id, approval_id, run_id, used_at) values (${orgId}, ${id}, ${run.id}, ${run.at})`);
}

/** How many of an agent hold, for all that the table alone says. */
export async function countStandingRows(tx: Tx, orgId: string, agent: string, now: Date): Promise<number> {
  const found = await tx.first(countRow.sql`
    select count(*) as count from ai_standing_approvals
    where org_id = ${orgId} and agent = ${agent} and revoked_at is null and expires_at > ${now}`);
  return found?.count ?? 0;
}

export type NewStandingApproval = Omit<
  StoredStandingApproval,
  'revokedAt' | 'revokedBy' | 'used' | 'usedInHour' | 'lastUsedAt'
>;

export async function insertStandingRow(tx: Tx, orgId: string, made: NewStandingApproval): Promise<void> {
  await tx.execute(sql`
    insert into ai_standing_approvals (org_id, id, agent, agent_version, action_id, action, action_version, entity, inputs,
      max_per_hour, expires_at, given_at, given_by)
    values (${orgId}, ${made.id}, ${made.agent}, ${made.agentVersion}, ${made.actionId}, ${made.action},
      ${made.actionVersion}, ${made.entity === null ? null : json(made.entity)}, ${json(made.inputs)}, ${made.maxPerHour},
      ${made.expiresAt}, ${made.givenAt}, ${made.givenBy})`);
}

/** False if it was revoked before. */
export async function revokeStandingRow(
  tx: Tx,
  orgId: string,
  id: string,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<boolean> {
  const changed = await tx.execute(sql`
    update ai_standing_approvals set revoked_at = ${at}, revoked_by = ${by}
    where org_id = ${orgId} and id = ${id} and revoked_at is null`);
  return changed === 1;
}
