import type { z } from 'zod';
import { type ActionBody, type ActionPermissionsBody, actionBody, actionPermissionsBody } from './actions.ts';
import { type BlueprintPermissionsBody, blueprintPermissionsBody } from './blueprint-permissions.ts';
import { type BlueprintBody, blueprintEchoFields } from './blueprints.ts';
import { type EntityBody, entityBody, entityEchoFields } from './entities.ts';
import { isRecord } from './json-value.ts';
import { type PageBody, type PagePermissionsBody, pageBody, pagePermissionsBody } from './pages.ts';
import { type ScorecardBody, scorecardBody } from './scorecards.ts';
import { type FolderBody, folderBody } from './sidebars.ts';
import { type WorkflowBody, workflowBody } from './workflows.ts';

/** The first line of a file; later versions of the form get another number. */
export const transferHeader = { portolan: { format: 'catalog', version: 1 } } as const;

interface NamedRecord {
  readonly line: number;
  readonly identifier: string;
}

/** A record of a file; what the server answers beside its body is left out. */
interface BodyRecord<Body> extends NamedRecord {
  readonly body: Body;
}

/** A blueprint, and beside it who may do what with its entities. */
export interface BlueprintRecord extends BodyRecord<BlueprintBody> {
  readonly permissions?: BlueprintPermissionsBody;
}

/** An entity; it has an identifier, so that importing twice changes nothing. */
export interface EntityRecord extends BodyRecord<EntityBody> {
  readonly blueprint: string;
  /** Who wrote it, as an organization keeps it; an import is the writer itself and passes this over. */
  readonly datasource?: string;
}

export interface ScorecardRecord extends BodyRecord<ScorecardBody> {
  readonly blueprint: string;
}

/** A self-service action or an automation, and who may run it and approve its runs. */
export interface ActionRecord extends BodyRecord<ActionBody> {
  readonly permissions?: ActionPermissionsBody;
}

export type FolderRecord = BodyRecord<FolderBody>;

/** A page, and who may see and change it. */
export interface PageRecord extends BodyRecord<PageBody> {
  readonly permissions?: PagePermissionsBody;
  /** Its author; an import is the author itself and passes this over. */
  readonly createdBy?: string;
}

/** A workflow in its current version; runs and earlier versions stay where they are. */
export type WorkflowRecord = BodyRecord<WorkflowBody>;

/** What is wrong with one record, found in the file or answered by the server. */
export interface TransferProblem {
  readonly line: number;
  readonly blueprint?: string;
  readonly identifier?: string;
  readonly error: string;
  readonly message: string;
}

export interface TransferFile {
  readonly blueprints: readonly BlueprintRecord[];
  readonly entities: readonly EntityRecord[];
  readonly scorecards: readonly ScorecardRecord[];
  readonly actions: readonly ActionRecord[];
  readonly folders: readonly FolderRecord[];
  readonly pages: readonly PageRecord[];
  readonly workflows: readonly WorkflowRecord[];
  readonly problems: readonly TransferProblem[];
}

/** The file is of another version of the form than this reads. */
export class TransferVersionError extends Error {
  override readonly name = 'TransferVersionError';
}

/** Names an entity among those of all blueprints. */
export function entityKey({ blueprint, identifier }: { blueprint: string; identifier: string }): string {
  return `${blueprint}\u0000${identifier}`;
}

export function blueprintLine(blueprint: object): string {
  return recordLine('blueprint', without(blueprint, blueprintEchoFields));
}

export function entityLine(blueprint: string, entity: object): string {
  return recordLine('entity', { blueprint, ...without(entity, entityEchoFields) });
}

/** A scorecard, action, folder or page as the API answers it, and beside it who may use it. */
export function portalLine(
  kind: 'scorecard' | 'action' | 'folder' | 'page' | 'workflow',
  answered: object,
  permissions?: object,
): string {
  const body = kind === 'workflow' ? without(answered, workflowEchoFields) : writtenBody(answered);
  return recordLine(kind, body, permissions && { permissions });
}

/** What people wrote of a scorecard, action, folder or page that the API answers. */
export function writtenBody(answered: object): object {
  return without(answered, portalEchoFields);
}

function recordLine(kind: RecordKind, body: object, beside: object = {}): string {
  return `${JSON.stringify({ [kind]: body, ...beside })}\n`;
}

/** Beside those of a blueprint: an item of the side bar says what it is. */
const portalEchoFields: readonly string[] = [...blueprintEchoFields, 'sidebarType', 'versionIdentifier'];
/** Of a workflow, whose parts are kept as written otherwise. */
const workflowEchoFields: readonly string[] = [...portalEchoFields, 'id', 'version'];

const kinds = ['blueprint', 'entity', 'scorecard', 'action', 'folder', 'page', 'workflow'] as const;
type RecordKind = (typeof kinds)[number];
type Lists = Omit<TransferFile, 'problems'>;
interface RecordForm {
  readonly list: keyof Lists;
  readonly echo: readonly string[];
  readonly body?: z.ZodType;
  readonly permissions?: z.ZodType;
}

/** A blueprint's form depends on whether it is created or changed, and is checked when that is known. */
const forms: Readonly<Record<RecordKind, RecordForm>> = {
  blueprint: { list: 'blueprints', echo: blueprintEchoFields, permissions: blueprintPermissionsBody },
  entity: { list: 'entities', echo: entityEchoFields, body: entityBody },
  scorecard: { list: 'scorecards', echo: [...portalEchoFields, 'blueprint'], body: scorecardBody },
  action: { list: 'actions', echo: portalEchoFields, body: actionBody, permissions: actionPermissionsBody },
  folder: { list: 'folders', echo: portalEchoFields, body: folderBody },
  page: { list: 'pages', echo: portalEchoFields, body: pageBody, permissions: pagePermissionsBody },
  workflow: { list: 'workflows', echo: workflowEchoFields, body: workflowBody },
};

type Reviver = (key: string, value: unknown) => unknown;

/**
 * Reads JSON lines: `{"blueprint": …}`, `{"entity": …}` and so on, in any order; empty lines are passed over. Records that
 * cannot be read become problems. `revive` sees every value before it is checked, as that of `JSON.parse` does.
 * @throws TransferVersionError for a file of another version
 */
export function readTransfer(text: string, revive?: Reviver): TransferFile {
  const lists = { blueprints: [], entities: [], scorecards: [], actions: [], folders: [], pages: [], workflows: [] };
  const problems: TransferProblem[] = [];
  const firstLines = new Map<string, number>();
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    if (content.trim() === '') continue;
    const value = parseObject(content, revive);
    const kind = kinds.find((name) => isRecord(value?.[name]));
    if (value && kind) {
      const read = readRecord(kind, value, line, firstLines);
      if ('error' in read) problems.push(read);
      else (lists[forms[kind].list] as object[]).push(read);
    } else if (isRecord(value?.['portolan'])) checkHeader(value['portolan']);
    else problems.push(unreadable(line, `names no ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`));
  }
  return { ...lists, problems };
}

/** The record on a line, or what is wrong with it. `firstLines` remembers which line named a record first. */
function readRecord(
  kind: RecordKind,
  content: Readonly<Record<string, unknown>>,
  line: number,
  firstLines: Map<string, number>,
): BodyRecord<object> | TransferProblem {
  const { echo, ...schemas } = forms[kind];
  const value = content[kind] as Readonly<Record<string, unknown>>;
  const { blueprint, identifier } = value;
  const isPart = kind === 'entity' || kind === 'scorecard';
  if (isPart && !isName(blueprint)) return unreadable(line, `the ${kind} does not name its blueprint`);
  const part = isPart ? { blueprint: String(blueprint) } : {};
  if (!isName(identifier)) return { ...unreadable(line, `the ${kind} has no identifier`), ...part };

  const names = kind === 'blueprint' ? { blueprint: identifier } : { ...part, identifier };
  const key = JSON.stringify([kind, names]);
  const first = firstLines.get(key);
  if (first !== undefined) return { line, ...names, error: 'duplicate_record', message: `is also on line ${first}` };
  firstLines.set(key, line);

  const body = without(value, echo);
  const beside = without(content, [kind]);
  const problem =
    shapeProblem(schemas.body, body) ??
    ('permissions' in beside ? shapeProblem(schemas.permissions, beside.permissions, '/permissions') : undefined);
  return problem ? { line, ...names, ...problem } : { line, ...part, identifier, body, ...beside };
}

/** What is wrong with the form of a body, as the contract has it; the server checks everything else. */
export function shapeProblem(
  schema: z.ZodType | undefined,
  body: unknown,
  at = '',
): Pick<TransferProblem, 'error' | 'message'> | undefined {
  const [issue] = schema?.safeParse(body).error?.issues ?? [];
  return issue && { error: 'invalid_request', message: `${at}/${issue.path.join('/')}: ${issue.message}` };
}

function checkHeader(header: object): void {
  const { version } = header as Record<string, unknown>;
  if (version === transferHeader.portolan.version) return;
  throw new TransferVersionError(
    `The file has version ${JSON.stringify(version)} of the form, and this is for version 1. Use the portolan that wrote it.`,
  );
}

function unreadable(line: number, message: string): TransferProblem {
  return { line, error: 'unreadable_record', message };
}

function parseObject(text: string, revive?: Reviver): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text, revive);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
