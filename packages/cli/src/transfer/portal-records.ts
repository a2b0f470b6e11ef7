import { isDeepStrictEqual } from 'node:util';
import {
  createAction,
  getActionPermissions,
  listActions,
  patchActionPermissions,
  replaceAction,
} from '@portolan/contract/actions';
import {
  type BlueprintPermissionsBody,
  getBlueprintPermissions,
  patchBlueprintPermissions,
} from '@portolan/contract/blueprint-permissions';
import { ApiError, type Client } from '@portolan/contract/client';
import { isRecord, toRecord } from '@portolan/contract/json-value';
import {
  createPage,
  getPage,
  getPagePermissions,
  listPages,
  patchPagePermissions,
  replacePage,
} from '@portolan/contract/pages';
import { createScorecard, listAllScorecards, replaceScorecard } from '@portolan/contract/scorecards';
import { createFolder, getSidebar, patchFolder } from '@portolan/contract/sidebars';
import {
  type ActionRecord,
  type FolderRecord,
  type PageRecord,
  type ScorecardRecord,
  type TransferFile,
  type TransferProblem,
  type WorkflowRecord,
  writtenBody,
} from '@portolan/contract/transfer-file';
import { createWorkflow, listWorkflows, replaceWorkflow, validateWorkflow } from '@portolan/contract/workflows';
import type { Note } from './adopt-ownership.ts';
import { holds } from './plan-blueprints.ts';

export const portalKinds = ['scorecard', 'action', 'folder', 'page', 'workflow'] as const;
export type PortalKind = (typeof portalKinds)[number];

/** A record written after the catalog: a scorecard, action, folder or page with its permissions. */
interface PortalRecord {
  readonly line: number;
  readonly blueprint?: string;
  readonly identifier: string;
  readonly body: object;
  readonly permissions?: object;
}

/** A record, and the import's change to it. */
export interface PortalStep {
  readonly kind: PortalKind | 'blueprint';
  readonly record: PortalRecord;
  readonly plannedChange: 'create' | 'update' | 'unchanged';
  /** Absent if the record itself needs no change. */
  readonly write?: () => Promise<unknown>;
  /** Absent if the file has no permissions for it, or they are already in place. */
  readonly permit?: () => Promise<unknown>;
}

interface Writers<Record extends PortalRecord> {
  readonly create: (client: Client, record: Record) => Promise<unknown>;
  readonly replace: (client: Client, record: Record, body: Record['body']) => Promise<unknown>;
}

const scorecards: Writers<ScorecardRecord> = {
  create: (client, { blueprint, body }) =>
    client.call(createScorecard, { params: { blueprint_identifier: blueprint }, body }),
  replace: (client, { blueprint, identifier }, body) => {
    const params = { blueprint_identifier: blueprint, scorecard_identifier: identifier };
    return client.call(replaceScorecard, { params, body });
  },
};
const actions: Writers<ActionRecord> = {
  create: (client, { body }) => client.call(createAction, { body }),
  replace: (client, { identifier }, body) =>
    client.call(replaceAction, { params: { action_identifier: identifier }, body }),
};
const folders: Writers<FolderRecord> = {
  create: (client, { body }) => client.call(createFolder, { body }),
  replace: (client, { identifier }, body) =>
    client.call(patchFolder, { params: { folder_identifier: identifier }, body }),
};
const pages: Writers<PageRecord> = {
  create: (client, record) =>
    isBuiltIn(record) ? pages.replace(client, record, record.body) : client.call(createPage, { body: record.body }),
  replace: (client, { identifier }, body) =>
    client.call(replacePage, { params: { page_identifier: identifier }, body }),
};

const workflows: Writers<WorkflowRecord> = {
  create: (client, { body }) => client.call(createWorkflow, { body }),
  // as written: what the file leaves out is left out
  replace: (client, { identifier, body }) => client.call(replaceWorkflow, { params: { identifier }, body }),
};

/** The home page and entity pages always exist, but are listed only once someone has changed them. */
function isBuiltIn({ body }: PageRecord): boolean {
  return body.type === 'home' || body.type === 'entity';
}

/** The existing records of each kind, as the API returns them. */
export async function listPortal(client: Client): Promise<Record<PortalKind, readonly NamedRecord[]>> {
  const { items } = (await client.call(getSidebar)).sidebar;
  return {
    scorecard: (await client.call(listAllScorecards)).scorecards,
    action: (await client.call(listActions)).actions,
    folder: items.filter(({ sidebarType }) => sidebarType === 'folder'),
    page: (await client.call(listPages)).pages,
    workflow: (await client.call(listWorkflows)).workflows,
  };
}

interface NamedRecord {
  readonly identifier: string;
  readonly blueprint?: string | undefined;
}

/** Compares the file with the server; sends no request if the file has no portal records. */
export async function planPortal(client: Client, file: TransferFile): Promise<PortalStep[]> {
  const permitted = file.blueprints.filter(({ permissions }) => permissions);
  if (![permitted, ...portalKinds.map((kind) => file[listOf[kind]])].some(({ length }) => length > 0)) return [];
  const there = await listPortal(client);
  const listed = new Set(there.page.map(({ identifier }) => identifier));
  const unlisted: NamedRecord[] = [];
  for (const { identifier } of file.pages.filter((page) => isBuiltIn(page) && !listed.has(page.identifier))) {
    const params = { page_identifier: identifier };
    const answer = await readOrNone(() => client.call(getPage, { params }));
    if (answer) unlisted.push(answer.page);
  }
  const steps = [
    ...file.scorecards.map((record) => planWrite(client, 'scorecard', record, there.scorecard, scorecards)),
    ...file.actions.map((record) => planWrite(client, 'action', record, there.action, actions)),
    ...file.folders.map((record) => planWrite(client, 'folder', record, there.folder, folders)),
    ...file.pages.map((record) => planWrite(client, 'page', record, [...there.page, ...unlisted], pages)),
    ...file.workflows.map((record) => planWrite(client, 'workflow', record, there.workflow, workflows)),
    ...permitted.map((record): PortalStep => ({ kind: 'blueprint', record, plannedChange: 'unchanged' })),
  ];
  const planned: PortalStep[] = [];
  for (const step of steps) planned.push(await planPermit(client, step));
  return planned;
}

const listOf = {
  scorecard: 'scorecards',
  action: 'actions',
  folder: 'folders',
  page: 'pages',
  workflow: 'workflows',
} as const;

/** What workflows that would be written name, and neither the file nor the organization has; and their faults. */
export async function missingForWorkflows(
  client: Client,
  file: TransferFile,
  steps: readonly PortalStep[],
): Promise<{ readonly notes: Note[]; readonly problems: TransferProblem[] }> {
  const brought = new Set([...file.blueprints, ...file.actions, ...file.workflows].map(({ identifier }) => identifier));
  const notes: Note[] = [];
  const problems: TransferProblem[] = [];
  for (const { kind, record, write } of steps) {
    if (kind !== 'workflow' || !write) continue;
    const { identifier, line, body } = record as WorkflowRecord;
    const { issues, warnings } = await client.call(validateWorkflow, { body });
    for (const { path, code, message } of issues) {
      problems.push({ line, identifier, error: code, message: `${path}: ${message}` });
    }
    for (const { path, message } of warnings) {
      const named = [...message.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
      if (!named.some((name) => brought.has(name)))
        notes.push({ line, workflow: identifier, message: `${path}: ${message}` });
    }
  }
  return { notes, problems };
}

function planWrite<Record extends PortalRecord>(
  client: Client,
  kind: PortalKind,
  record: Record,
  there: readonly NamedRecord[],
  { create, replace }: Writers<Record>,
): PortalStep {
  const isSame = ({ identifier, blueprint }: NamedRecord): boolean =>
    identifier === record.identifier && (kind !== 'scorecard' || blueprint === record.blueprint);
  const current = there.find(isSame);
  if (!current) return { kind, record, plannedChange: 'create', write: () => create(client, record) };
  if (holds(current, record.body)) return { kind, record, plannedChange: 'unchanged' };
  // fields that the record omits stay unchanged
  const body: Record['body'] = { ...writtenBody(current), ...record.body };
  return { kind, record, plannedChange: 'update', write: () => replace(client, record, body) };
}

async function planPermit(client: Client, step: PortalStep): Promise<PortalStep> {
  const { permissions, identifier } = step.record;
  if (!permissions) return step;
  const { read, change } = permissionCalls(client, step.kind, identifier);
  const current = step.plannedChange === 'create' ? undefined : await readOrNone(read);
  if (current && covers(current.permissions, permissions)) return step;
  return {
    ...step,
    plannedChange: step.plannedChange === 'unchanged' ? 'update' : step.plannedChange,
    permit: () => change(permissions),
  };
}

function permissionCalls(client: Client, kind: PortalStep['kind'], identifier: string): PermissionCalls {
  if (kind === 'action') {
    const params = { action_identifier: identifier };
    return {
      read: () => client.call(getActionPermissions, { params }),
      change: (body) => client.call(patchActionPermissions, { params, body }),
    };
  }
  if (kind === 'page') {
    const params = { page_identifier: identifier };
    return {
      read: () => client.call(getPagePermissions, { params }),
      change: (body) => client.call(patchPagePermissions, { params, body }),
    };
  }
  const params = { blueprint_identifier: identifier };
  return {
    read: () => client.call(getBlueprintPermissions, { params }),
    change: (body) => client.call(patchBlueprintPermissions, { params, body: body as BlueprintPermissionsBody }),
  };
}

interface PermissionCalls {
  readonly read: () => Promise<{ readonly permissions: object }>;
  readonly change: (body: object) => Promise<unknown>;
}

/** The result; undefined if it does not exist yet, for example before the import creates its blueprint. */
async function readOrNone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether every grant in the file is already in place; lists are compared as a whole. */
function covers(current: unknown, written: object): boolean {
  return Object.entries(written).every(([key, value]) => {
    const there = toRecord(current)[key];
    return isRecord(value) ? covers(there, value) : isDeepStrictEqual(there ?? null, value);
  });
}

/**
 * Writes new and changed records, then permissions. Refused records are retried as long as others succeed, since a page
 * may depend on a folder or page later in the file. Returns those that stay refused.
 */
export async function writePortal(steps: readonly PortalStep[]): Promise<TransferProblem[]> {
  let waiting = steps.filter(({ write }) => write);
  let refused: Refusal[] = [];
  do {
    refused = await attemptAll(waiting, ({ write }) => write?.());
    const isStuck = refused.length === waiting.length;
    waiting = isStuck ? [] : refused.map(({ step }) => step);
  } while (waiting.length > 0);
  const missing = new Set(refused.map(({ step }) => step));
  const unpermitted = await attemptAll(
    steps.filter((step) => !missing.has(step)),
    ({ permit }) => permit?.(),
  );
  return [...refused, ...unpermitted].map(({ problem }) => problem);
}

interface Refusal {
  readonly step: PortalStep;
  readonly problem: TransferProblem;
}

async function attemptAll(
  steps: readonly PortalStep[],
  attempt: (step: PortalStep) => Promise<unknown> | undefined,
): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const step of steps) {
    try {
      await attempt(step);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.body) throw error;
      const { line, blueprint, identifier } = step.record;
      const names = blueprint === undefined ? { identifier } : { blueprint, identifier };
      refused.push({ step, problem: { line, ...names, error: error.body.error, message: error.message } });
    }
  }
  return refused;
}
