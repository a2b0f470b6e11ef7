import { isRecord } from '@portolan/contract/json-value';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../platform/actor.ts';
import { mergeAuthors } from '../../platform/text-authors.ts';
import { type RegisteredTool, type SelectOptions, selectTools } from '../../platform/tools/registry.ts';
import { matchToolPattern } from '../../platform/tools/tool-patterns.ts';
import type { ToolSet } from '../../platform/tools/tool-source.ts';
import type { OfferedTool } from './loop/loop-input.ts';

export interface Offer {
  readonly tools: readonly OfferedTool[];
  /** True if any of them writes. */
  readonly hasActionTools: boolean;
  /** Who wrote names and descriptions of the tools. */
  readonly describedBy: readonly string[];
  /** By offered name; no other tool can be called. */
  find(name: string): RegisteredTool | undefined;
}

/** Selects tools by patterns; `within` is a second list that must match too (an agent's). */
export type OfferTools = (actor: Actor, patterns: readonly string[], within?: readonly string[]) => Promise<Offer>;

interface Selection {
  readonly shared: readonly RegisteredTool[];
  readonly offer: Offer;
  /** The caller's own tools, filtered by these patterns. */
  selectOwn(tools: readonly RegisteredTool[]): readonly RegisteredTool[];
}

/**
 * Selects developer tools and the caller's own; each tool checks rights at the call. Selections of shared tools are
 * cached, because most invocations have the same patterns, and with them the declarations that providers cache by
 * identity. The caller's own are listed only if a pattern could match them.
 */
export function createOffer(tools: ToolSet, log: FastifyBaseLogger): OfferTools {
  const kept = new LRUCache<string, Selection>({ max: 200 });
  const developer = tools.registry.tools.filter(({ declaration }) => declaration.audience === 'developer');

  function select(patterns: readonly string[], within: readonly string[] | undefined): Selection {
    const key = JSON.stringify([patterns, within]);
    const known = kept.get(key);
    if (known) return known;
    let isComplete = true;
    const options: SelectOptions = {
      matches: matchToolPattern,
      onProblem: (pattern, error) => {
        isComplete = false;
        log.warn({ pattern, reason: error.message }, 'a tool pattern matches nothing');
      },
    };
    const choose = (from: readonly RegisteredTool[]): readonly RegisteredTool[] =>
      selectTools(within ? selectTools(from, within, options) : from, patterns, options);
    const shared = choose(developer);
    const selection: Selection = { shared, offer: toOffer(shared), selectOwn: choose };
    // a pattern that timed out may succeed next time
    if (isComplete) kept.set(key, selection);
    return selection;
  }

  return async (actor, patterns, within) => {
    const { shared, offer, selectOwn } = select(patterns, within);
    if (tools.sources.length === 0) return offer;
    const own = await tools.listOwn(actor, {
      patterns,
      select: (listed) => selectOwn(listed.filter(({ declaration }) => declaration.audience === 'developer')),
    });
    return own.length === 0 ? offer : toOffer([...shared, ...own]);
  };
}

function toOffer(selected: readonly RegisteredTool[]): Offer {
  const byName = new Map(selected.map((tool) => [tool.declaration.name, tool]));
  return {
    tools: selected.map(declare),
    hasActionTools: selected.some(({ declaration }) => declaration.effect !== 'read'),
    describedBy: mergeAuthors(selected.flatMap(({ declaration }) => declaration.describedBy ?? [])),
    find: (name) => byName.get(name),
  };
}

/**
 * Without "not empty" and without patterns that repeat a format, which no model needs to be told; the call checks them
 * all the same.
 */
function withoutPlainLimits(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPlainLimits);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'minLength' || value !== 1)
      .filter(([key]) => key !== 'pattern' || schema['format'] !== 'date-time')
      .map(([key, value]) => [key, withoutPlainLimits(value)]),
  );
}

const declared = new WeakMap<RegisteredTool, OfferedTool>();

function declare(tool: RegisteredTool): OfferedTool {
  const before = declared.get(tool);
  if (before) return before;
  const { name, description } = tool.declaration;
  const made = { name, description, inputSchema: withoutPlainLimits(tool.inputSchema) as OfferedTool['inputSchema'] };
  declared.set(tool, made);
  return made;
}
