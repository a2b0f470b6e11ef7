import { findFileItems, type JsonObject, type ManualItem, type OrganizationDocuments } from '@portolan/team-references';
import { isScalar, parseAllDocuments } from 'yaml';
import type { TextEdit } from './text-edit.ts';

const depthMax = 200;

export interface FileFinding {
  readonly item: ManualItem;
  /** Where its value stands in the file. */
  readonly start: number;
  readonly edit?: TextEdit;
}

/**
 * What a YAML or JSON file of mappings or entities writes as teams, with edits that leave the rest of the file as it is.
 * A file that is neither, or does not parse, has nothing.
 */
export function findInMappingFile(file: string, source: string, organization: OrganizationDocuments): FileFinding[] {
  if (!/\bteam\b|relations/.test(source)) return [];
  // aliases could make a small file a large one
  const documents = parseAllDocuments(source, { prettyErrors: false });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document): FileFinding[] => {
    if (document.errors.length > 0) return [];
    const plain: unknown = plainOf(document);
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain) || isTooDeep(plain)) return [];
    return findFileItems(file, plain as JsonObject, organization).map((item) => {
      const path = item.pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      const node = document.getIn(
        path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
        true,
      );
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      const start = range?.[0] ?? 0;
      const value = item.suggestion?.value;
      const others = item.suggestion?.edits.some(({ pointer }) => pointer !== item.pointer) ?? false;
      if (range === undefined || value === undefined || value === null || others) return { item, start };
      const before = source.slice(range[0], range[1]);
      if (!isScalar(node) || /^[|>]/.test(before)) return { item, start };
      const after = typeof value === 'string' ? quotedAs(before, value, file) : flow(value, file);
      return { item, start, edit: { start: range[0], end: range[1], after, rule: 'mapping/team', message: item.why } };
    });
  });
}

function plainOf(document: ReturnType<typeof parseAllDocuments>[number]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Deeper than the server takes any document: then it is no mapping. */
function isTooDeep(value: object): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A text in the quotes that stand there; without any where none stood and none are needed. */
function quotedAs(before: string, value: string, file: string): string {
  if (file.endsWith('.json') || before.startsWith('"')) return JSON.stringify(value);
  const single = `'${value.replaceAll("'", "''")}'`;
  if (before.startsWith("'")) return single;
  return /^[\w./][\w./ -]*$/.test(value) && !/^(true|false|null|yes|no|on|off|~|[\d.+-]+)$/i.test(value)
    ? value
    : single;
}

/** An object on one line, texts in single quotes so that expressions stay readable. */
function flow(value: unknown, file: string): string {
  if (file.endsWith('.json')) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => flow(each, file)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${flow(inner, file)}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
