import { createHash } from 'node:crypto';
import { isRecord } from '@portolan/contract/json-value';
import type { McpToolDefinition } from '@portolan/contract/mcp-servers';

/** A sanitized tool definition, with a hash of everything a model would read. */
export interface PinnedTool {
  readonly name: string;
  readonly definition: McpToolDefinition;
  readonly hash: string;
  /** The server's claim: shown to reviewers, trusted nowhere. */
  readonly claimsReadOnly: boolean;
  readonly warnings: readonly string[];
}

const nameMax = 128;
const descriptionMax = 4_000;
const schemaBytesMax = 32 * 1024;
const schemaDepthMax = 30;

/**
 * Undefined for an invalid tool. The hash covers the definition as received, so that a change which sanitizing would
 * hide needs a review too.
 */
export function pinTool(listed: unknown): PinnedTool | undefined {
  if (!isRecord(listed)) return undefined;
  const { name, title, description, inputSchema, annotations } = listed;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.\-/]+$/.test(name) || name.length > nameMax) return undefined;
  const schema = inputSchema ?? { type: 'object' };
  if (!isRecord(schema) || schema['type'] !== 'object' || !isSmall(schema)) return undefined;
  const claims = isRecord(annotations) ? annotations : {};
  const notes = new Set<string>();
  const told = cleaned(typeof description === 'string' ? description : '', notes);
  if (told.length > descriptionMax) notes.add(`The description was cut to ${descriptionMax} characters`);
  const named = typeof title === 'string' ? title : claims['title'];
  const definition: McpToolDefinition = {
    ...(typeof named === 'string' ? { title: cut(cleaned(named, notes), 200) } : {}),
    description: cut(told, descriptionMax),
    inputSchema: cleanedJson(schema, notes) as McpToolDefinition['inputSchema'],
  };
  return {
    name,
    definition,
    hash: hashTool({ name, title, description, inputSchema, annotations }),
    claimsReadOnly: claims['readOnlyHint'] === true,
    warnings: [...notes],
  };
}

/** True if the schema fits the prompt budget and the depth limit of our walkers. */
function isSmall(schema: Record<string, unknown>): boolean {
  return measureDepth(schema, 0) <= schemaDepthMax && JSON.stringify(schema).length <= schemaBytesMax;
}

function measureDepth(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > schemaDepthMax) return depth;
  return Math.max(depth, ...Object.values(value).map((inner) => measureDepth(inner, depth + 1)));
}

/** Never splits a character. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** Read by models but invisible to people: tags, zero-width and direction marks, controls. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{e0000}-\u{e0fff}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

function cleaned(text: string, notes: Set<string>): string {
  const clean = text.replace(invisible, (character) => (/[\n\t]/.test(character) ? character : ''));
  if (clean.length !== text.replaceAll('\r', '').length) notes.add('Invisible characters were taken out');
  return clean;
}

function cleanedJson(value: unknown, notes: Set<string>): unknown {
  if (typeof value === 'string') return cleaned(value, notes);
  if (Array.isArray(value)) return value.map((item) => cleanedJson(item, notes));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '$schema')
      .map(([key, inner]) => [cleaned(key, notes), cleanedJson(inner, notes)]),
  );
}

/** Independent of the order of members. */
function hashTool(listed: Record<string, unknown>): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(listed)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key])]);
}
