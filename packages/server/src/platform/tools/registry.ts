import { isRecord } from '@portolan/contract/json-value';
import { z } from 'zod';
import type { ToolDeclaration } from './tool.ts';
import type { PatternMatcher } from './tool-patterns.ts';

/** A JSON Schema object, ready for MCP and for model providers. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A declared tool with its schemas prepared once. */
export interface RegisteredTool {
  readonly declaration: ToolDeclaration;
  readonly inputSchema: JsonSchema;
}

/** Every tool of the installation, ordered by name. */
export interface ToolRegistry {
  readonly tools: readonly RegisteredTool[];
  /** By name or alias. */
  find(name: string): RegisteredTool | undefined;
}

/** @throws Error if a name or alias is declared twice or breaks the rule of prefixes */
export function createToolRegistry(declarations: readonly ToolDeclaration[]): ToolRegistry {
  const byName = new Map<string, RegisteredTool>();
  const tools = [...declarations]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((declaration) => ({ declaration, inputSchema: toInputSchema(declaration) }));
  for (const registered of tools) {
    const problem = toolNameProblem(registered.declaration);
    if (problem) throw new Error(problem);
    for (const name of [registered.declaration.name, ...(registered.declaration.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`Two tools are named ${name}`);
      byName.set(name, registered);
    }
  }
  return { tools, find: (name) => byName.get(name) };
}

const readPrefixes = /^(list|get|search|track|describe)_/;
const actionPrefix = /^run_/;

/**
 * What is wrong with a tool's name: the prefixes of the default pattern promise that a tool only reads, and `run_`
 * that it executes an action (specification, tool patterns).
 */
export function toolNameProblem({ name, aliases = [], matchedAs, effect }: ToolDeclaration): string | undefined {
  for (const each of [name, ...aliases]) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(each)) return `${each} is not a tool name: letters, digits, _ and -, up to 64`;
  }
  for (const each of [name, ...aliases, ...(matchedAs === undefined ? [] : [matchedAs])]) {
    if (readPrefixes.test(each) && effect !== 'read')
      return `${each} is named like a read-only tool and has effect ${effect}`;
    if (actionPrefix.test(each) && effect === 'read') return `${each} is named like an action tool and only reads`;
  }
  return undefined;
}

function toInputSchema(declaration: ToolDeclaration): JsonSchema {
  const {
    $schema: _,
    definitions,
    ...schema
  } = z.toJSONSchema(declaration.input, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  if (schema['type'] !== 'object') throw new Error(`The input of tool ${declaration.name} is not an object`);
  return inlined(schema, (definitions ?? {}) as Record<string, unknown>, []) as JsonSchema;
}

/**
 * Named schemas written out where they are used: providers read `$ref` differently or not at all, and draft 7 ignores
 * what stands beside one, descriptions too. A schema inside itself becomes "anything" there.
 */
function inlined(schema: unknown, definitions: Record<string, unknown>, inside: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, definitions, inside));
  if (!isRecord(schema)) return schema;
  const { $ref, allOf, ...rest } = schema as Record<string, unknown>;
  if (Array.isArray(allOf) && allOf.length === 1) return inlined({ ...allOf[0], ...rest }, definitions, inside);
  const own = Object.fromEntries(
    Object.entries(allOf === undefined ? rest : { ...rest, allOf }).map(([key, value]) => [
      key,
      inlined(value, definitions, inside),
    ]),
  );
  if (typeof $ref !== 'string') return own;
  const name = $ref.slice('#/definitions/'.length);
  if ($ref === '#' || inside.includes(name)) return own;
  const { id: __, ...target } = inlined(definitions[name] ?? {}, definitions, [...inside, name]) as Record<
    string,
    unknown
  >;
  return { ...target, ...own };
}

export interface SelectOptions {
  readonly matches: PatternMatcher;
  /** Called once for each unusable pattern. */
  readonly onProblem?: (pattern: string, error: Error) => void;
}

/**
 * The tools that at least one pattern selects, in the order given. An alias selects its tool only where it is written out:
 * a pattern over aliases would reach tools of names that it does not match. No patterns select nothing, and a pattern that
 * is invalid or too slow selects nothing: an allow-list fails closed.
 */
export function selectTools(
  tools: readonly RegisteredTool[],
  patterns: readonly string[],
  { matches, onProblem }: SelectOptions,
): RegisteredTool[] {
  const selected = new Set<RegisteredTool>();
  for (const pattern of new Set(patterns)) {
    try {
      const named = namesIn(pattern);
      // a pattern that fails on one name contributes nothing from there on
      for (const tool of tools) {
        const { name, aliases = [], matchedAs = name } = tool.declaration;
        if (selected.has(tool)) continue;
        if (matches(pattern, matchedAs) || aliases.some((each) => named.has(each))) selected.add(tool);
      }
    } catch (error) {
      onProblem?.(pattern, error as Error);
    }
  }
  return tools.filter((tool) => selected.has(tool));
}

/** The names that a pattern spells out: one, or several between bars. */
function namesIn(pattern: string): ReadonlySet<string> {
  const [, list = ''] = /^\^?(?:\((?:\?:)?([\w|]+)\)|\w+)\$?$/.exec(pattern) ?? [];
  return new Set((list || pattern.replace(/^\^|\$$/g, '')).split('|'));
}
