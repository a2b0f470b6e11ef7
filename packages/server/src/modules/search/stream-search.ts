import type { Entity, EntityReadQuery } from '@portolan/contract/entities';
import type { SearchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { createPresenter, entityParts, type ReadDeps } from '../entities/index.ts';
import { ofBlueprint, or, toSql } from '../entity-query/index.ts';
import { allOf, type ReadEntity, selectSorted, teamForm } from '../entity-rows/index.ts';
import { createdAfter, inOrderOfBlueprints } from './read-parts.sql.ts';
import { conditionOverAll, type SearchedPart } from './search-entities.ts';

interface Log {
  warn(context: object, message: string): void;
}

/** Call `tail` once all parts are read. */
export interface StreamedSearch {
  readonly parts: AsyncIterable<Partial<Entity>[]>;
  readonly tail: () => { matchingBlueprints: string[]; failedBlueprints?: string[] };
}

/**
 * Searches all readable blueprints. With partial results allowed, groups of blueprints are searched in turn, and those
 * that time out are named instead of failing the request.
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

/** Rows of the first statement; larger results are read blueprint by blueprint. */
const firstSize = 500;

/**
 * Matching entities in the order of their blueprints. Most searches find little and need one statement. Larger ones go
 * blueprint by blueprint: no index returns several in order, so each part would sort all the rest.
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

/** The first rows over all blueprints; `all` if there are no more. */
async function* firstFound(
  { database }: ReadDeps,
  actor: Actor,
  parts: readonly SearchedPart[],
): AsyncGenerator<readonly ReadEntity[], ReadEntity | 'all'> {
  const condition = toSql(or(parts.map((part) => part.condition)));
  const by = { condition, ...inOrderOfBlueprints, limit: firstSize };
  const found = await selectSorted(database.standby, actor.orgId, by, teamForm(actor.model));
  if (found.length > 0) yield found;
  const last = found.at(-1);
  return last && found.length === firstSize ? last : 'all';
}

/** True for a statement timeout or one too large for the server. */
function isGivenUp(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '57014' || error.code.startsWith('54'));
}
