import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import { newId } from '../../../platform/ids.ts';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import type { ActionSnapshot, Approval, FollowedWorkflow, RunInvocation, StoredRun } from './run.ts';

const columns = raw(`r.id, r.status, r.status_label as "statusLabel", r.action_key as "actionKey",
  r.action_identifier as "actionIdentifier", r.action, r.authority,
  r.requested_with as "requestedWith", r.edited_by as "editedBy", r.blueprint, r.entity, r.properties, r.source, r.link, r.summary,
  r.external_run_id as "externalRunId", r.payload, r.response, r.draft, r.invocation, r.decision, r.required_approval as "requiredApproval",
  r.event, r.installation_id as "installationId", r.claimed_until as "claimedUntil",
  r.acknowledged_at as "acknowledgedAt", r.dispatched_at as "dispatchedAt", r.depth, r.followed, r.created_by as "createdBy",
  r.created_by_kind as "createdByKind", r.impersonated_by as "impersonatedBy", r.updated_by as "updatedBy",
  r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt"`);

const storedRun = row({
  ...fields(
    'action_runs',
    'id',
    'status',
    'status_label',
    'action_key',
    'action_identifier',
    'edited_by',
    'blueprint',
    'entity',
    'summary',
    'external_run_id',
    'installation_id',
    'claimed_until',
    'acknowledged_at',
    'dispatched_at',
    'depth',
    'created_by',
    'impersonated_by',
    'updated_by',
    'created_at',
    'updated_at',
    'ended_at',
  ),
  action: field('action_runs', 'action').as<StoredRun['action']>(),
  authority: field('action_runs', 'authority').as<StoredRun['authority']>(),
  requestedWith: field('action_runs', 'requested_with').as<StoredRun['requestedWith']>(),
  properties: field('action_runs', 'properties').as<StoredRun['properties']>(),
  source: field('action_runs', 'source').as<StoredRun['source']>(),
  link: field('action_runs', 'link').as<StoredRun['link']>(),
  payload: field('action_runs', 'payload').as<StoredRun['payload']>(),
  response: field('action_runs', 'response').as<StoredRun['response']>(),
  draft: field('action_runs', 'draft').as<StoredRun['draft']>(),
  invocation: field('action_runs', 'invocation').as<StoredRun['invocation']>(),
  decision: field('action_runs', 'decision').as<CallDecision>().orNull(),
  requiredApproval: field('action_runs', 'required_approval').as<StoredRun['requiredApproval']>(),
  event: field('action_runs', 'event').as<unknown>(),
  followed: field('action_runs', 'followed').as<StoredRun['followed']>(),
  createdByKind: field('action_runs', 'created_by_kind').as<StoredRun['createdByKind']>(),
});

export function findRun(reader: Reader, orgId: string, id: string): Promise<StoredRun | undefined> {
  return reader.first(storedRun.sql`select ${columns} from action_runs r where r.org_id = ${orgId} and r.id = ${id}`);
}

/** The run that started a run; undefined if there is none, or it is deleted. */
export function findCause(reader: Reader, orgId: string, id: string): Promise<StoredRun | undefined> {
  return reader.first(storedRun.sql`
    select ${columns} from action_runs r join action_runs led on led.org_id = r.org_id and led.caused_by = r.id
    where led.org_id = ${orgId} and led.id = ${id}`);
}

const causeRow = row({ causedBy: field('action_runs', 'caused_by') });

/** Whether a workflow started a run. */
export async function isOfWorkflow(reader: Reader, orgId: string, id: string): Promise<boolean> {
  const found = await reader.first(causeRow.sql`
    select r.caused_by as "causedBy" from action_runs r where r.org_id = ${orgId} and r.id = ${id}`);
  return found?.causedBy?.startsWith('wfr_') === true;
}

const whoRow = row({ who: computed.text });

/**
 * All requesters along the chain back to the first run: requesters, the users they acted for, editors of drafts, and
 * for automations their author and the user whose change triggered them.
 */
export async function listRequesters(reader: Reader, orgId: string, id: string): Promise<string[]> {
  const rows = await reader.rows(whoRow.sql`
    with recursive chain as (
      select r.id, r.caused_by, r.created_by, r.created_by_kind, r.impersonated_by, r.edited_by, r.authority, r.event
      from action_runs r where r.org_id = ${orgId} and r.id = ${id}
      union
      select r.id, r.caused_by, r.created_by, r.created_by_kind, r.impersonated_by, r.edited_by, r.authority, r.event
      from action_runs r join chain c on r.org_id = ${orgId} and r.id = c.caused_by)
    select distinct who from chain, unnest(edited_by || array[created_by, impersonated_by,
      case when created_by_kind = 'system' then authority #>> '{by,id}' end,
      case when created_by_kind = 'system' then event #>> '{trigger,by,userId}' end]) as who
    where who is not null`);
  return rows.map(({ who }) => who);
}

const runName = row(fields('action_runs', 'org_id', 'id'));
export type RunName = RowOf<typeof runName>;

/** Runs of all organizations that need everyone's approval and have at least one. */
export function listPartlyApproved(reader: Reader, after: string, limit: number): Promise<RunName[]> {
  return reader.rows(runName.sql`
    select r.org_id as "orgId", r.id from action_runs r /* all organizations */
    where r.status = 'WAITING_FOR_APPROVAL' and r.required_approval ->> 'type' = 'ALL' and r.id > ${after}
      and exists (select 1 from action_run_approvals a
        where a.org_id = r.org_id and a.run_id = r.id and a.gate = 'APPROVAL' and a.state = 'APPROVED')
    order by r.id limit ${limit}`);
}

export function findRunOfCall(
  reader: Reader,
  orgId: string,
  { id, call }: Pick<RunInvocation, 'id' | 'call'>,
): Promise<StoredRun | undefined> {
  return reader.first(storedRun.sql`
    select ${columns} from action_runs r
    where r.org_id = ${orgId} and r.invocation ->> 'id' = ${id} and r.invocation ->> 'call' = ${call}`);
}

const agentDraft = row({ ...fields('action_runs', 'org_id', 'id'), agent: computed.text });

/** Drafts of agents, in all organizations. */
export function listAgentDrafts(reader: Reader, after: string, limit: number): Promise<AgentDraft[]> {
  return reader.rows(agentDraft.sql`
    select org_id as "orgId", id, invocation ->> 'agent' as agent from action_runs /* all organizations */
    where status = 'DRAFT' and invocation ->> 'agent' is not null and id > ${after} order by id limit ${limit}`);
}

export interface AgentDraft extends RunName {
  readonly agent: string;
}

/** Locks the run, so that the second of two decisions waits. */
export function lockRun(tx: Tx, orgId: string, id: string): Promise<StoredRun | undefined> {
  return tx.first(
    storedRun.sql`select ${columns} from action_runs r where r.org_id = ${orgId} and r.id = ${id} for no key update`,
  );
}

/** Runs that match all conditions on `action_runs r`, newest first. */
export function selectRuns(
  reader: Reader,
  orgId: string,
  conditions: readonly Sql[],
  limit: number,
): Promise<StoredRun[]> {
  return reader.rows(storedRun.sql`
    select ${columns} from action_runs r where ${join([sql`r.org_id = ${orgId}`, ...conditions], ' and ')}
    order by r.key desc limit ${limit}`);
}

export interface RunOrigin {
  /** The run whose change triggered this one. */
  readonly causedBy?: string | undefined;
  readonly eventId?: string | undefined;
  /** Authors of the texts that an assistant had read, with its caller. */
  readonly label?: readonly string[] | undefined;
}

export async function insertRun(tx: Tx, orgId: string, run: StoredRun, origin: RunOrigin = {}): Promise<void> {
  const { causedBy = null, eventId = null, label } = origin;
  const own = run.source === 'AUTOMATION' ? 1 : 0;
  await tx.execute(sql`
    insert into action_runs (org_id, id, status, status_label, action_key, action_identifier, action, authority,
      requested_with, blueprint, entity, properties, source, draft, invocation, decision, label, required_approval, event, installation_id, depth, created_by, created_by_kind,
      edited_by, impersonated_by, updated_by, created_at, updated_at, ended_at, caused_by, chain_depth, event_id)
    select ${orgId}, ${run.id}, ${run.status}, ${run.statusLabel}, ${run.actionKey}, ${run.actionIdentifier},
      ${json(run.action)}, ${run.authority && json(run.authority)}, ${run.requestedWith && json(run.requestedWith)},
      ${run.blueprint}, ${run.entity}, ${json(run.properties)}, ${run.source},
      ${run.draft && json(run.draft)}, ${run.invocation && json(run.invocation)}, ${run.decision && json(run.decision)},
      ${labelOfRun(orgId, run, causedBy, label)},
      ${run.requiredApproval && json(run.requiredApproval)},
      ${run.event === null ? null : json(run.event)}, ${run.installationId}, ${run.depth}, ${run.createdBy},
      ${run.createdByKind}, ${[...run.editedBy]}::text[], ${run.impersonatedBy}, ${run.updatedBy}, ${run.createdAt}, ${run.updatedAt}, ${run.endedAt}, ${causedBy},
      ${own}::int + coalesce((
        select p.chain_depth from action_runs p where p.org_id = ${orgId} and p.id = ${causedBy}), (
        select w.depth from workflow_runs w where w.org_id = ${orgId} and w.id = ${causedBy}), 0), ${eventId}`);
}

/**
 * A run has the authors of the texts that led to it: what an assistant had read, the entity of an automation's event, and
 * those of the run whose change triggered it. Null if a person asked for it; what its templates read is added later.
 */
function labelOfRun(
  orgId: string,
  { source, blueprint, entity }: StoredRun,
  causedBy: string | null,
  read: readonly string[] | undefined,
): Sql {
  const ofCause = sql`(select p.label from action_runs p where p.org_id = ${orgId} and p.id = ${causedBy})`;
  const ofEvent = sql`coalesce((
    select e.text_authors from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    where e.org_id = ${orgId} and b.identifier = ${blueprint} and e.identifier = ${entity}), '{outside}')`;
  const own = read ? sql`${[...read]}::text[]` : source === 'AUTOMATION' ? ofEvent : sql`null::text[]`;
  return sql`(select case when o.own is null then o.cause else merge_text_authors(coalesce(o.cause, '{}'), o.own) end
    from (select ${own} as own, ${ofCause} as cause) o)`;
}

const labelRow = row({ label: computed.json.as<string[]>().orNull() });

/** Authors of the texts that led to a run and that its templates read; none if a person asked for it and they read none. */
export async function findRunLabel(reader: Reader, orgId: string, id: string): Promise<readonly string[]> {
  const found = await reader.first(labelRow.sql`
    select to_json(label) as label from action_runs where org_id = ${orgId} and id = ${id}`);
  return found?.label ?? [];
}

export async function addToRunLabel(tx: Tx, orgId: string, id: string, authors: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update action_runs set label = merge_text_authors(coalesce(label, '{}'), ${[...authors]}::text[])
    where org_id = ${orgId} and id = ${id} and not coalesce(label, '{}') @> ${[...authors]}::text[]`);
}

const runEntityRow = row({
  blueprint: field('action_runs', 'blueprint').notNull(),
  identifier: field('action_runs', 'entity').notNull(),
});

export function findRunEntity(reader: Reader, orgId: string, id: string) {
  return reader.first(runEntityRow.sql`
    select blueprint, entity as identifier from action_runs
    where org_id = ${orgId} and id = ${id} and blueprint is not null and entity is not null`);
}

/** Updates every column that can change. */
export async function updateRunRow(tx: Tx, orgId: string, run: StoredRun): Promise<void> {
  await tx.execute(sql`
    update action_runs set status = ${run.status}, status_label = ${run.statusLabel}, entity = ${run.entity},
      properties = ${json(run.properties)}, link = ${json(run.link)}, summary = ${run.summary},
      external_run_id = ${run.externalRunId}, payload = ${run.payload && json(run.payload)},
      response = ${run.response && json(run.response)}, decision = ${run.decision && json(run.decision)}, draft = ${run.draft && json(run.draft)},
      installation_id = ${run.installationId}, claimed_until = ${run.claimedUntil}, acknowledged_at = ${run.acknowledgedAt},
      dispatched_at = ${run.dispatchedAt}, followed = ${run.followed && json(run.followed)}, updated_by = ${run.updatedBy}, updated_at = ${run.updatedAt},
      ended_at = ${run.endedAt}
    where org_id = ${orgId} and id = ${run.id}`);
}

/** Binds a draft to the current action, and stores its editor. */
export async function rebindDraftRow(tx: Tx, orgId: string, run: StoredRun): Promise<void> {
  await tx.execute(sql`
    update action_runs set action = ${json(run.action)}, authority = ${run.authority && json(run.authority)},
      edited_by = ${[...run.editedBy]}
    where org_id = ${orgId} and id = ${run.id}`);
}

/** Claims waiting runs of an installation, oldest first, skipping rows that others are claiming. */
export function claimRunRows(
  tx: Tx,
  orgId: string,
  claim: {
    readonly installationId: string;
    readonly exclude: readonly string[];
    readonly limit: number;
    readonly now: Date;
    readonly until: Date;
  },
): Promise<StoredRun[]> {
  const { installationId, exclude, limit, now, until } = claim;
  return tx.rows(storedRun.sql`
    update action_runs r set claimed_until = ${until}
    where r.org_id = ${orgId} and r.id in (
      select w.id from action_runs w
      where w.org_id = ${orgId} and w.installation_id = ${installationId} and w.status = 'IN_PROGRESS'
        and w.acknowledged_at is null and w.payload is not null
        and (w.claimed_until is null or w.claimed_until <= ${now}) and w.action_identifier <> all(${exclude})
      order by w.key limit ${limit} for update skip locked)
    returning ${columns}`);
}

export async function insertApproval(
  tx: Tx,
  orgId: string,
  runId: string,
  { userId, gate, state, description }: Approval,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into action_run_approvals (org_id, run_id, user_id, gate, state, description, at)
    values (${orgId}, ${runId}, ${userId}, ${gate}, ${state}, ${description}, ${at})
    on conflict (org_id, run_id, gate, user_id) do nothing`);
}

const actionRunApprovalRow = row(fields('action_run_approvals', 'user_id', 'gate', 'state', 'description', 'at'));

/** Decisions on a run, in order. */
export function listApprovals(
  reader: Reader,
  orgId: string,
  runId: string,
): Promise<(Approval & { readonly at: Date })[]> {
  return reader.rows(actionRunApprovalRow.sql`
    select user_id as "userId", gate, state, description, at from action_run_approvals
    where org_id = ${orgId} and run_id = ${runId} order by at, user_id`);
}

/** Users who approved at the action's gate; approvals of drafts do not count. */
export async function approvedBy(reader: Reader, orgId: string, runId: string): Promise<ReadonlySet<string>> {
  const approvals = await listApprovals(reader, orgId, runId);
  return new Set(
    approvals.filter(({ gate, state }) => gate === 'APPROVAL' && state === 'APPROVED').map(({ userId }) => userId),
  );
}

const storedRunLog = row(fields('action_run_logs', 'id', 'run_id', 'message', 'created_by', 'created_at'));
export type StoredRunLog = RowOf<typeof storedRunLog>;

export async function insertRunLog(tx: Tx, orgId: string, log: StoredRunLog): Promise<void> {
  await tx.execute(sql`
    insert into action_run_logs (org_id, run_id, id, message, created_by, created_at)
    values (${orgId}, ${log.runId}, ${log.id}, ${log.message}, ${log.createdBy}, ${log.createdAt})`);
}

/** Adds a line by the platform to the log. */
export function noteOnRun(
  tx: Tx,
  orgId: string,
  runId: string,
  { message, createdBy, at }: { readonly message: string; readonly createdBy: string; readonly at: Date },
): Promise<void> {
  const log = { id: newId('log_'), runId, message: message.slice(0, 10_000), createdBy, createdAt: at };
  return insertRunLog(tx, orgId, log);
}

const idRow = row({ id: computed.text });

/** The given workflows that runs of the organization already follow. */
export async function listFollowedIds(
  reader: Reader,
  orgId: string,
  { service, org, repo }: Pick<FollowedWorkflow, 'service' | 'org' | 'repo'>,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await reader.rows(idRow.sql`
    select r.followed ->> 'id' as id from action_runs r
    where r.org_id = ${orgId} and coalesce(r.followed ->> 'service', 'GITHUB') = ${service ?? 'GITHUB'}
      and r.followed ->> 'org' = ${org} and r.followed ->> 'repo' = ${repo}
      and r.followed ->> 'id' = any(${[...ids]}::text[])`);
  return rows.map(({ id }) => id);
}

export function listRunLogRows(
  reader: Reader,
  orgId: string,
  runId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredRunLog[]> {
  return reader.rows(storedRunLog.sql`
    select id, run_id as "runId", message, created_by as "createdBy", created_at as "createdAt" from action_run_logs
    where org_id = ${orgId} and run_id = ${runId} order by key limit ${limit} offset ${offset}`);
}

export function listExpiredDrafts(
  reader: Reader,
  { now, after, limit }: { readonly now: Date; readonly after: string; readonly limit: number },
): Promise<RunName[]> {
  return reader.rows(runName.sql`
    select org_id as "orgId", id from action_runs /* all organizations */
    where status = 'DRAFT' and (draft ->> 'expiresAt')::timestamptz <= ${now} and id > ${after}
    order by id limit ${limit}`);
}

const actionRunOrgId = row(fields('action_runs', 'org_id'));

export async function listRunningOrganizations(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(
    actionRunOrgId.sql`select distinct org_id as "orgId" from action_runs where ended_at < ${before} /* all organizations */`,
  );
  return rows.map(({ orgId }) => orgId);
}

/** Deletes ended runs, oldest first, and returns how many. */
export function deleteRunsBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from action_runs where org_id = ${orgId} and id in (
      select id from action_runs where org_id = ${orgId} and ended_at < ${before} order by ended_at limit ${limit})`);
}

/** The part of a run that listeners receive. */
export interface RunFacts {
  readonly id: string;
  /** Number of automation runs in its chain, including itself. */
  readonly depth: number;
  readonly actionIdentifier: string;
  /** As of the run's creation. */
  readonly action: ActionSnapshot;
}

const actionRunRow = row({
  ...fields('action_runs', 'id', 'action_identifier'),
  depth: field('action_runs', 'chain_depth'),
  action: field('action_runs', 'action').as<ActionSnapshot>(),
});

export function findRunFacts(reader: Reader, orgId: string, ids: readonly string[]): Promise<RunFacts[]> {
  return reader.rows(actionRunRow.sql`
    select r.id, r.chain_depth as depth, r.action_identifier as "actionIdentifier", r.action from action_runs r
    where r.org_id = ${orgId} and r.id = any(${ids}::text[])`);
}

const chainDepth = row({ id: computed.text, depth: computed.number });

/** How long the chains are that these runs end, of actions or of workflows: a loop may go through both. */
export async function findChainDepths(
  reader: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.rows(chainDepth.sql`
    select r.id, r.chain_depth as depth from action_runs r where r.org_id = ${orgId} and r.id = any(${ids}::text[])
    union all
    select w.id, w.depth from workflow_runs w where w.org_id = ${orgId} and w.id = any(${ids}::text[])`);
  return new Map(rows.map(({ id, depth }) => [id, depth]));
}
