import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type SelectOptions, selectTools, type ToolRegistry } from '../../platform/tools/registry.ts';
import { matchToolPattern } from '../../platform/tools/tool-patterns.ts';
import type { OfferedTool } from './loop/run-loop.ts';

/** The tools that a list of patterns selects, as they are declared to a model. */
export interface Offer {
  readonly tools: readonly OfferedTool[];
  /** Whether some of them change anything. */
  readonly hasActionTools: boolean;
}

/** What `within` selects too, where it is given: an agent's own patterns bound those of a request. */
export type OfferTools = (patterns: readonly string[], within?: readonly string[]) => Offer;

/**
 * Selects from the developer set; rights are checked by each tool at the call. Most runs have the same patterns, so
 * selections are kept, and with them the declarations that providers cache by identity.
 */
export function createOffer(tools: ToolRegistry, log: FastifyBaseLogger): OfferTools {
  const kept = new LRUCache<string, Offer>({ max: 200 });
  const developer = tools.tools.filter(({ declaration }) => declaration.audience === 'developer');
  return (patterns, within) => {
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
    const bounded = within ? selectTools(developer, within, options) : developer;
    const selected = selectTools(bounded, patterns, options);
    const offer: Offer = {
      tools: selected.map(({ declaration: { name, description }, inputSchema }) => ({
        name,
        description,
        inputSchema,
      })),
      hasActionTools: selected.some(({ declaration }) => declaration.effect !== 'read'),
    };
    // a pattern that ran out of time may do better next time
    if (isComplete) kept.set(key, offer);
    return offer;
  };
}
