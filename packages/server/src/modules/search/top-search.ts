import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { ofBlueprints, toSql } from '../entity-query/index.ts';
import { allOf, type ReadEntity } from '../entity-rows/index.ts';
import { conditionOverAll } from './search-entities.ts';
import { selectHolding, selectNamed } from './top-search.store.ts';

export interface TopSearchInput {
  readonly text: string;
  readonly blueprints?: readonly string[] | undefined;
  readonly limit: number;
}

const wordsMax = 10;
/**
 * Entities whose title or identifier contains every word as a prefix, best first. If these are too few, entities whose
 * text properties contain every word follow.
 */
export async function topSearch(
  deps: ReadDeps,
  actor: Actor,
  { text, blueprints: only, limit }: TopSearchInput,
): Promise<{ entities: readonly ReadEntity[]; blueprints: ReadonlyMap<number, StoredBlueprint> }> {
  const everything = await conditionOverAll(deps, actor, { combinator: 'and', rules: [] });
  const sought = splitWords(text);
  const { blueprints } = everything;
  const shown = [...blueprints.values()].filter(
    ({ identifier, definition }) =>
      definition.includeInGlobalSearch !== false &&
      identifier !== '_rule_result' &&
      (only?.includes(identifier) ?? true),
  );
  if (sought.length === 0 || shown.length === 0) return { entities: [], blueprints };
  const within = allOf([ofBlueprints(shown.map(({ key }) => key)), toSql(everything.condition)]);
  const named = await selectNamed(deps.database.standby, actor, within, { words: sought, text, limit });
  if (named.length >= limit) return { entities: named, blueprints };
  const known = named.map(({ key }) => key);
  const others = await selectHolding(deps.database.standby, actor, within, {
    words: sought,
    known,
    limit: limit - named.length,
  });
  return { entities: [...named, ...others], blueprints };
}

/** Letters and digits: marks part words, as they do in the index. */
function splitWords(text: string): string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, wordsMax);
}
