import type { Entity, EntityReadQuery, SearchQuery } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { DatabaseError } from '../../../platform/db/engine.ts';
import { entityParts } from '../list-entities.ts';
import { createPresenter } from '../present-entities.ts';
import type { ReadDeps } from '../read-entities.ts';
import { type Condition, toSql } from './condition.ts';
import { conditionOverAll } from './search-entities.ts';

interface Log {
  warn(context: object, message: string): void;
}

/** A search over all blueprints as it is answered: entities part by part, and what is known once they are all read. */
export interface StreamedSearch {
  readonly parts: AsyncIterable<Partial<Entity>[]>;
  readonly tail: () => { matchingBlueprints: string[]; failedBlueprints?: string[] };
}

/**
 * Searches all blueprints that the caller may read. Where partial results are allowed, groups of blueprints are searched
 * one after another, and those that the database gave up on are named instead of failing the request.
 */
export async function streamSearch(
  deps: ReadDeps,
  actor: Actor,
  query: SearchQuery,
  options: Partial<EntityReadQuery>,
  isPartialAllowed: boolean,
  log: Log,
): Promise<StreamedSearch> {
  const { condition, blueprints, parts } = await conditionOverAll(deps, actor, query);
  const present = await createPresenter(deps, actor, blueprints, options);
  const matching = new Set<string>();
  const failed = new Set<string>();

  async function* read(of: Condition): AsyncGenerator<Partial<Entity>[]> {
    if (of === false) return;
    for await (const part of entityParts(deps, actor, toSql(of))) {
      for (const { blueprintKey } of part) matching.add(blueprints.get(blueprintKey)?.identifier ?? '');
      yield await present(part);
    }
  }

  async function* readApart(): AsyncGenerator<Partial<Entity>[]> {
    for (const part of parts) {
      try {
        yield* read(part.condition);
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        log.warn({ error }, 'some blueprints could not be searched');
        for (const { identifier } of part.blueprints) failed.add(identifier);
      }
    }
  }

  return {
    parts: isPartialAllowed ? readApart() : read(condition),
    tail: () => ({
      matchingBlueprints: [...matching].sort(),
      ...(failed.size > 0 ? { failedBlueprints: [...failed].sort() } : {}),
    }),
  };
}

/** A statement that took too long, or was too large for the server. */
function isGivenUp(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '57014' || error.code.startsWith('54'));
}
