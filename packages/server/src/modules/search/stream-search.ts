import type { Entity, EntityReadQuery } from '@portolan/contract/entities';
import type { SearchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/engine.ts';
import { createPresenter, entityParts, type ReadDeps } from '../entities/index.ts';
import { ofBlueprint, or, toSql } from '../entity-query/index.ts';
import { allOf, type ReadEntity, selectSorted, teamForm } from '../entity-rows/index.ts';
import { createdAfter, inOrderOfBlueprints } from './read-parts.sql.ts';
import { conditionOverAll, type SearchedPart } from './search-entities.ts';

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
  const { blueprints, parts } = await conditionOverAll(deps, actor, query);
  const present = await createPresenter(deps, actor, blueprints, options);
  const matching = new Set<string>();
  const failed = new Set<string>();

  async function* read(of: readonly SearchedPart[]): AsyncGenerator<Partial<Entity>[]> {
    for await (const part of foundParts(deps, actor, of)) {
      for (const { blueprintKey } of part) matching.add(blueprints.get(blueprintKey)?.identifier ?? '');
      yield await present(part);
    }
  }

  async function* readApart(): AsyncGenerator<Partial<Entity>[]> {
    for (const part of parts) {
      try {
        yield* read([part]);
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        log.warn({ error }, 'some blueprints could not be searched');
        for (const { identifier } of part.blueprints) failed.add(identifier);
      }
    }
  }

  return {
    parts: isPartialAllowed ? readApart() : read(parts),
    tail: () => ({
      matchingBlueprints: [...matching].sort(),
      ...(failed.size > 0 ? { failedBlueprints: [...failed].sort() } : {}),
    }),
  };
}

/** What one statement finds; where there is more, blueprints are read one after another. */
const firstSize = 500;

/**
 * The entities that match, in the order of their blueprints. Most searches find little, and are one statement. One that
 * finds much goes on blueprint by blueprint: several at once come from no index in their order, so that each part would
 * sort all that is left.
 */
async function* foundParts(
  deps: ReadDeps,
  actor: Actor,
  parts: readonly SearchedPart[],
): AsyncGenerator<readonly ReadEntity[]> {
  const searched = parts
    .flatMap(({ blueprints, matching }) => blueprints.map(({ key }) => ({ key, matching })))
    .sort((a, b) => a.key - b.key);
  const last = searched.length > 1 ? yield* firstFound(deps, actor, parts) : undefined;
  if (last === 'all') return;
  for (const { key, matching } of searched) {
    if (last && key < last.blueprintKey) continue;
    const after = last?.blueprintKey === key ? [createdAfter(last.key)] : [];
    yield* entityParts(deps, actor, allOf([ofBlueprint(key), matching, ...after]));
  }
}

/** The first of all that is found, and which was its last; `all` if there are no more. */
async function* firstFound(
  { database }: ReadDeps,
  actor: Actor,
  parts: readonly SearchedPart[],
): AsyncGenerator<readonly ReadEntity[], ReadEntity | 'all'> {
  const condition = toSql(or(parts.map((part) => part.condition)));
  const by = { condition, ...inOrderOfBlueprints, limit: firstSize };
  const found = await selectSorted(database, actor.orgId, by, teamForm(actor.model));
  if (found.length > 0) yield found;
  const last = found.at(-1);
  return last && found.length === firstSize ? last : 'all';
}

/** A statement that took too long, or was too large for the server. */
function isGivenUp(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '57014' || error.code.startsWith('54'));
}
