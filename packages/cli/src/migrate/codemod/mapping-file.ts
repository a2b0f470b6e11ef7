import { isRecord } from '@portolan/contract/json-value';
import {
  findFileItems,
  type Json,
  type ManualItem,
  type OrganizationDocuments,
  parsePointer,
} from '@portolan/team-references';
import { type Document, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';
import type { TextEdit } from './text-edit.ts';

const depthMax = 200;

export interface FileFinding {
  readonly item: ManualItem;
  /** Offset of its value in the file. */
  readonly start: number;
  readonly edits: readonly TextEdit[];
}

/** The findings of a file, and why some or all of its documents could not be read. */
export interface FileFindings {
  readonly found: readonly FileFinding[];
  readonly unread?: string;
}

/**
 * Finds references to teams in a YAML or JSON file of mappings, entities or workflows, with edits that leave the rest
 * of the file unchanged.
 */
export function findInMappingFile(file: string, source: string, organization: OrganizationDocuments): FileFindings {
  if (!/team|relations/i.test(source)) return { found: [] };
  const documents = parseAllDocuments(source, { prettyErrors: false });
  if (!Array.isArray(documents)) return { found: [] };
  let unread: string | undefined;
  const found = documents.flatMap((document): FileFinding[] => {
    const [error] = document.errors;
    const plain = error === undefined ? toPlain(document) : undefined;
    if (error !== undefined) unread = `it does not parse (${error.message})`;
    else if (plain === undefined) unread = 'its aliases make it too large';
    else if (isTooDeep(plain)) unread = 'it is nested too deeply';
    else {
      const items = findFileItems(file, plain as Json, organization);
      return items.map((item) => ({ item, ...toFinding(item, document, source, file) }));
    }
    return [];
  });
  return { found, ...(unread === undefined ? {} : { unread }) };
}

function toFinding(item: ManualItem, document: Document, source: string, file: string): Omit<FileFinding, 'item'> {
  const path = parsePointer(item.pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const node = document.getIn(path, true) as Node | undefined;
  const start = node?.range?.[0] ?? 0;
  const value = item.suggestion?.value;
  const others = item.suggestion?.edits.some(({ pointer }) => pointer !== item.pointer) ?? false;
  if (node === undefined || value === undefined || value === null || others) return { start, edits: [] };
  return { start, edits: toEdits(node, value, source, file, item.why) };
}

/** Edits a list item by item, which keeps its layout. */
function toEdits(node: Node, value: Json, source: string, file: string, message: string): TextEdit[] {
  const range = node.range;
  if (isSeq(node) && Array.isArray(value) && value.length === node.items.length)
    return node.items.flatMap((item, at) => {
      const isSame = isScalar(item) && item.value === value[at];
      return isSame ? [] : toEdits(item as Node, value[at]!, source, file, message);
    });
  const before = range ? source.slice(range[0], range[1]) : '';
  if (!range || !isScalar(node) || /^[|>]/.test(before)) return [];
  const after = typeof value === 'string' ? quotedAs(before, value, file) : flow(value, file);
  return [{ start: range[0], end: range[1], after, rule: 'mapping/team', message }];
}

/** Limits aliases, which could expand a small file enormously. */
function toPlain(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Deeper than any document that the server accepts, so it cannot be a mapping. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** Keeps the quotes around a text, or the absence of quotes if none are needed. */
function quotedAs(before: string, value: string, file: string): string {
  if (file.endsWith('.json') || before.startsWith('"')) return JSON.stringify(value);
  const single = `'${value.replaceAll("'", "''")}'`;
  if (before.startsWith("'")) return single;
  return /^[\w./][\w./ -]*$/.test(value) && !/^(true|false|null|yes|no|on|off|~|[\d.+-]+)$/i.test(value)
    ? value
    : single;
}

/** An object on one line, with single quotes so that expressions stay readable. */
function flow(value: unknown, file: string): string {
  if (file.endsWith('.json')) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => flow(each, file)).join(', ')}]`;
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${flow(inner, file)}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
