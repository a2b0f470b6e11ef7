import {
  type BlueprintBody,
  type blueprintBody,
  blueprintEchoFields,
  type blueprintPatch,
  type EntityBody,
  entityBody,
  entityEchoFields,
} from '@portolan/contract';
import { usageError } from '../cli-error.ts';

/** The first line of a file; later versions of the form get another number. */
export const transferHeader = { portolan: { format: 'catalog', version: 1 } } as const;

/** A blueprint of a file; what the server answers beside its body is left out. */
export interface BlueprintRecord {
  readonly line: number;
  readonly identifier: string;
  readonly body: BlueprintBody;
}

/** An entity of a file; it has an identifier, so that importing twice changes nothing. */
export interface EntityRecord {
  readonly line: number;
  readonly blueprint: string;
  readonly identifier: string;
  readonly body: EntityBody;
}

/** What is wrong with one record, found in the file or answered by the server. */
export interface Problem {
  readonly line: number;
  readonly blueprint?: string;
  readonly identifier?: string;
  readonly error: string;
  readonly message: string;
}

export interface TransferFile {
  readonly blueprints: readonly BlueprintRecord[];
  readonly entities: readonly EntityRecord[];
  readonly problems: readonly Problem[];
}

/** Names an entity among those of all blueprints. */
export function entityKey({ blueprint, identifier }: { blueprint: string; identifier: string }): string {
  return `${blueprint}\u0000${identifier}`;
}

export function blueprintLine(blueprint: object): string {
  return `${JSON.stringify({ blueprint: without(blueprint, blueprintEchoFields) })}\n`;
}

export function entityLine(blueprint: string, entity: object): string {
  return `${JSON.stringify({ entity: { blueprint, ...without(entity, entityEchoFields) } })}\n`;
}

/**
 * Reads JSON lines: `{"blueprint": …}` and `{"entity": …}` in any order; empty lines are passed over. Records that
 * cannot be read become problems. @throws CliError `usage` for a file of a later version
 */
export function readTransfer(text: string): TransferFile {
  const blueprints: BlueprintRecord[] = [];
  const entities: EntityRecord[] = [];
  const problems: Problem[] = [];
  const firstLines = new Map<string, number>();

  const isFirst = (key: string, line: number, names: Pick<Problem, 'blueprint' | 'identifier'>): boolean => {
    const first = firstLines.get(key);
    if (first === undefined) firstLines.set(key, line);
    else problems.push({ line, ...names, error: 'duplicate_record', message: `is also on line ${first}` });
    return first === undefined;
  };
  const readBlueprint = (value: object, line: number): void => {
    const body = without(value, blueprintEchoFields) as BlueprintBody;
    const { identifier } = body;
    if (!isName(identifier)) problems.push(unreadable(line, 'the blueprint has no identifier'));
    else if (isFirst(identifier, line, { blueprint: identifier })) blueprints.push({ line, identifier, body });
  };
  const readEntity = (value: object, line: number): void => {
    const { blueprint, identifier } = value as Record<string, unknown>;
    if (!isName(blueprint)) problems.push(unreadable(line, 'the entity does not name its blueprint'));
    else if (!isName(identifier)) problems.push({ ...unreadable(line, 'the entity has no identifier'), blueprint });
    else if (isFirst(entityKey({ blueprint, identifier }), line, { blueprint, identifier })) {
      const body = without(value, entityEchoFields) as EntityBody;
      const problem = shapeProblem(entityBody, body);
      if (problem) problems.push({ line, blueprint, identifier, ...problem });
      else entities.push({ line, blueprint, identifier, body });
    }
  };

  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    if (content.trim() === '') continue;
    const record = parseObject(content);
    if (isObject(record?.['blueprint'])) readBlueprint(record['blueprint'], line);
    else if (isObject(record?.['entity'])) readEntity(record['entity'], line);
    else if (isObject(record?.['portolan'])) checkHeader(record['portolan']);
    else problems.push(unreadable(line, 'is not {"blueprint": …} or {"entity": …}'));
  }
  return { blueprints, entities, problems };
}

/** What is wrong with the form of a body, as the contract has it; the server checks everything else. */
export function shapeProblem(
  schema: typeof entityBody | typeof blueprintBody | typeof blueprintPatch,
  body: object,
): Pick<Problem, 'error' | 'message'> | undefined {
  const [issue] = schema.safeParse(body).error?.issues ?? [];
  return issue && { error: 'invalid_request', message: `/${issue.path.join('/')}: ${issue.message}` };
}

function checkHeader(header: object): void {
  const { version } = header as Record<string, unknown>;
  if (version === transferHeader.portolan.version) return;
  throw usageError(
    `The file has version ${JSON.stringify(version)} of the form, and this is for version 1. Use the portolan that wrote it.`,
  );
}

function unreadable(line: number, message: string): Problem {
  return { line, error: 'unreadable_record', message };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
