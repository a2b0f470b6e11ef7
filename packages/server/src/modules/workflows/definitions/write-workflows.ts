import { createHash } from 'node:crypto';
import { toRecord } from '@portolan/contract/json-value';
import type { WorkflowIssue } from '@portolan/contract/workflows';
import type { Actor } from '../../../platform/actor.ts';
import { lockCount } from '../../../platform/db/count-lock.store.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { momentOfChange } from '../../../platform/read-version.ts';
import { writtenBy } from '../../../platform/text-authors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import {
  authorityWhenSaved,
  type GrantChange,
  grantedScopes,
  type Permitted,
  permitGrants,
  type ResolveTeams,
  type SavedAuthority,
  saveAuthority,
  warnOfAuthority,
  writtenTeams,
} from '../../accounts/index.ts';
import { checkDefinition } from './check-definition.ts';
import { checkRecursion } from './check-recursion.ts';
import { warnOfReferences } from './check-references.ts';
import { nextTick, parseCron } from './cron.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { diffDefinitions } from './diff-definitions.ts';
import { isTrigger } from './graph.ts';
import { replaceHooks } from './hook.store.ts';
import { limits } from './limits.ts';
import { presentWorkflow } from './present-workflow.ts';
import { replaceTriggers, type TriggerRow } from './trigger.store.ts';
import { readPermissions, toGrant } from './trigger-rights.ts';
import {
  appendVersion,
  countWorkflows,
  findCurrent,
  findVersion,
  insertWorkflow,
  lockCurrent,
  markDeleted,
  type WrittenVersion,
} from './workflow.store.ts';
import type { StoredWorkflow, TriggerType, WorkflowDefinition, WorkflowNode } from './workflow.ts';

export interface SaveOptions {
  readonly note?: string | undefined;
  /** Refuses names that the organization does not have. */
  readonly strict?: boolean;
  /** The version that the change follows on. */
  readonly expectedVersion?: number | undefined;
}

export interface WrittenWorkflow {
  readonly workflow: StoredWorkflow;
  readonly warnings: readonly WorkflowIssue[];
}

export interface Verdict {
  readonly definition: WorkflowDefinition;
  readonly issues: readonly WorkflowIssue[];
  readonly warnings: readonly WorkflowIssue[];
}

/** Checks a workflow without saving it. @throws AppError `invalid_request` if it is no object */
export async function validateWorkflow(deps: DefinitionsDeps, actor: Actor, body: unknown): Promise<Verdict> {
  const { definition, faults, warnings } = checkDefinition(body);
  if (faults.length > 0) return { definition, issues: faults, warnings };
  const [unresolved, circles] = [
    await warnOfReferences(deps, actor, definition),
    await checkRecursion(deps, actor, definition),
  ];
  return { definition, issues: circles, warnings: [...warnings, ...unresolved] };
}

/** @throws AppError `invalid_workflow`, `identifier_taken`, `limit_reached` */
export async function createWorkflow(
  deps: DefinitionsDeps,
  actor: Actor,
  body: unknown,
  options: SaveOptions = {},
): Promise<WrittenWorkflow> {
  const { definition, warnings } = await checked(deps, actor, body, options);
  return deps.unitOfWork(actor, async (work) => ({
    workflow: await createWithin(work, definition, options),
    warnings: [...warnings, ...warnOfToken(actor)],
  }));
}

/** Stores a checked definition as a workflow. @throws AppError `identifier_taken`, `limit_reached` */
export async function createWithin(
  work: Work,
  definition: WorkflowDefinition,
  { note }: SaveOptions,
): Promise<StoredWorkflow> {
  const { tx, actor } = work;
  await lockCount(tx, actor.orgId, 'workflows');
  if ((await countWorkflows(tx, actor.orgId)) >= limits.workflowsPerOrganization) {
    const message = `There are ${limits.workflowsPerOrganization} workflows, which is as many as there may be; delete one`;
    throw new AppError('limit_reached', message);
  }
  const written = toVersion(work, permitTriggers(work.actor, definition), { note, at: work.now });
  const workflow = await insertWorkflow(tx, actor.orgId, newId('wf_'), written);
  if (!workflow) throw identifierTaken(definition.identifier);
  await saveTriggers(work, workflow);
  record(work, 'CREATE', undefined, workflow);
  return workflow;
}

/**
 * Saves a new version; another identifier renames the workflow. An equal one makes no version, unless it brings more
 * authority than is left of the last.
 * @throws AppError `invalid_workflow`, `not_found`, `identifier_taken`, `version_changed`
 */
export async function replaceWorkflow(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  body: unknown,
  options: SaveOptions = {},
): Promise<WrittenWorkflow> {
  const { definition, warnings } = await checked(deps, actor, body, options);
  const save = () => deps.unitOfWork(actor, (work) => changeWithin(work, identifier, () => definition, options));
  const workflow = await namedOnce(definition.identifier, save);
  return { workflow, warnings: [...warnings, ...warnOfToken(actor)] };
}

/** Saves what a function makes of the current version. @throws AppError as `replaceWorkflow` */
export async function changeWithin(
  work: Work,
  identifier: string,
  change: (before: StoredWorkflow) => WorkflowDefinition,
  options: SaveOptions = {},
): Promise<StoredWorkflow> {
  const { tx, actor } = work;
  const before = await lockCurrent(tx, actor.orgId, identifier);
  if (!before) throw notFound('Workflow', identifier);
  await assertVersion(work, before, options.expectedVersion);
  const definition = change(before);
  const isRenamed = definition.identifier !== identifier;
  if (isRenamed && (await findCurrent(tx, actor.orgId, definition.identifier))) {
    throw identifierTaken(definition.identifier);
  }
  const { isMore } = await authorityWhenSaved(work, before);
  if (hashDefinition(definition) === before.hash && !isMore) return before;
  const permitted = permitTriggers(actor, definition, before.definition);
  const written = toVersion(work, permitted, { note: options.note, at: momentOfChange(before, work.now) });
  const after = await appendVersion(tx, actor.orgId, before, written);
  await saveTriggers(work, after);
  record(work, 'UPDATE', before, after);
  return after;
}

/** It starts no more runs, and its identifier is free. @throws AppError `not_found` */
export function deleteWorkflow({ unitOfWork }: DefinitionsDeps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const workflow = await lockCurrent(work.tx, actor.orgId, identifier);
    if (!workflow) throw notFound('Workflow', identifier);
    await markDeleted(work.tx, actor.orgId, workflow.key, work.now, actor.id);
    record(work, 'DELETE', workflow, undefined);
  });
}

/** @throws AppError `invalid_workflow`, `invalid_request` */
export async function checked(deps: DefinitionsDeps, actor: Actor, body: unknown, { strict, note }: SaveOptions) {
  if (note !== undefined && note.length > 500) {
    throw invalidRequest([{ path: '{query}/note', message: 'has more than 500 characters' }]);
  }
  const { definition, issues, warnings } = await validateWorkflow(deps, actor, body);
  const refused = strict ? warnings.filter(({ code }) => code === 'unresolved_reference') : [];
  const faults = [...issues, ...refused];
  if (faults.length > 0) throw invalidWorkflow(faults);
  return { definition, warnings };
}

export function invalidWorkflow(faults: readonly WorkflowIssue[]): AppError {
  const [first, ...more] = faults;
  const head = `${first?.path || '(workflow)'}: ${first?.message ?? ''}`;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
  return new AppError('invalid_workflow', `The workflow is not valid. ${head}${rest}`, { details: [...faults] });
}

function warnOfToken(actor: Actor): WorkflowIssue[] {
  return warnOfAuthority({ authority: saveAuthority(actor) }).map((message) => ({
    path: '',
    code: 'restricted_token',
    message,
  }));
}

async function assertVersion({ tx, actor }: Work, before: StoredWorkflow, expected: number | undefined): Promise<void> {
  if (expected === undefined || expected === before.version) return;
  const { identifier, version, updatedBy } = before;
  const read = await findVersion(tx, actor.orgId, before.key, expected);
  const message = `The workflow "${identifier}" is at version ${version}, saved by ${updatedBy}, and not at ${expected}; read it again`;
  throw new AppError('version_changed', message, {
    details: { version, expected, ...(read ? { diff: diffDefinitions(read.definition, before.definition) } : {}) },
  });
}

export async function namedOnce<Value>(identifier: string, save: () => Promise<Value>): Promise<Value> {
  try {
    return await save();
  } catch (error) {
    // two renames at once
    if (error instanceof DatabaseError && error.constraint === 'workflows_by_identifier') {
      throw identifierTaken(identifier);
    }
    throw error;
  }
}

function identifierTaken(identifier: string): AppError {
  return new AppError('identifier_taken', `A workflow with identifier "${identifier}" exists; the identifier is taken`);
}

function hashDefinition(definition: WorkflowDefinition): string {
  return createHash('sha256').update(JSON.stringify(definition)).digest('hex');
}

/** Refuses to let others start a workflow for whoever may not start it. @throws AppError as `permitGrants` */
function permitTriggers(
  actor: Actor,
  definition: WorkflowDefinition,
  before?: WorkflowDefinition,
): Permitted<WorkflowDefinition> {
  const permissionsIn = (nodes: readonly WorkflowNode[] | undefined, name: string) =>
    readPermissions(nodes?.find((node) => node.identifier === name));
  const changes = definition.nodes
    .filter(({ config }) => config.type === 'SELF_SERVE_TRIGGER')
    .map(
      ({ identifier }): GrantChange => ({
        before: permissionsIn(before?.nodes, identifier),
        after: permissionsIn(definition.nodes, identifier),
        what: `start the workflow "${definition.identifier}"`,
        scopes: grantedScopes.execute,
      }),
    );
  return permitGrants(actor, definition, changes);
}

function toVersion(
  { actor }: Work,
  definition: Permitted<WorkflowDefinition>,
  { note, at }: { readonly note: string | undefined; readonly at: Date },
): WrittenVersion {
  const authority: SavedAuthority = saveAuthority(actor);
  return {
    id: newId('wfv_'),
    definition,
    hash: hashDefinition(definition),
    authority,
    authors: writtenBy(actor),
    note: note ?? null,
    at,
    by: actor.id,
  };
}

async function saveTriggers(work: Work, { key, identifier, definition }: StoredWorkflow): Promise<void> {
  const triggers = definition.nodes.filter(isTrigger);
  const names = triggers.flatMap((node) => readPermissions(node).teams ?? []);
  const resolve = await writtenTeams(work, { kind: 'workflow', identifier }, names);
  const rows = triggers.map((node) => toTriggerRow(node, resolve, work.now));
  await replaceTriggers(work.tx, work.actor.orgId, key, rows);
  const hooks = triggers.filter(({ config }) => config.type === 'WEBHOOK_TRIGGER');
  const named = hooks.map((node) => node.identifier);
  await replaceHooks(work.tx, work.actor.orgId, key, named, work.now);
}

function toTriggerRow(node: WorkflowNode, resolve: ResolveTeams, now: Date): TriggerRow {
  const { identifier, config } = node;
  const event = toRecord(config['event']);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const published = config['published'] !== false;
  const cron = config.type === 'SCHEDULE_TRIGGER' ? text(config['cron']) : null;
  const schedule = cron === null || !published ? undefined : parseCron(cron);
  const isEvent = config.type === 'EVENT_TRIGGER';
  const isRun = config.type === 'RUN_TRIGGER';
  const ofRun = text(event[event['type'] === 'ACTION_RUN_ENDED' ? 'actionIdentifier' : 'workflowIdentifier']);
  return {
    node: identifier,
    kind: config.type as TriggerType,
    published,
    permitted: config.type === 'SELF_SERVE_TRIGGER' ? toGrant(readPermissions(node), resolve) : null,
    event: isEvent || isRun ? text(event['type']) : null,
    blueprint: isEvent ? text(event['blueprintIdentifier']) : null,
    property: isEvent ? text(event['propertyIdentifier']) : isRun ? ofRun : null,
    cron,
    nextRunAt: schedule === undefined || typeof schedule === 'string' ? null : (nextTick(schedule, now) ?? null),
  };
}

function record(
  work: Work,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredWorkflow | undefined,
  after: StoredWorkflow | undefined,
): void {
  const { identifier } = (after ?? before) as StoredWorkflow;
  work.record({
    event: { CREATE: 'workflow.created', UPDATE: 'workflow.updated', DELETE: 'workflow.deleted' }[action],
    action,
    resourceType: 'workflow',
    identifier,
    context: { workflow: identifier },
    ...(before ? { before: presentWorkflow(before) } : {}),
    ...(after ? { after: presentWorkflow(after) } : {}),
  });
}
