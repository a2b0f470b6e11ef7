import type * as contract from '@portolan/contract/search';
import type { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { listPastEntities, type PastDeps, readableBlueprint } from '../entities/index.ts';
import { dotted } from './search-presented.ts';

type PastSearch = Omit<z.output<typeof contract.searchBlueprintEntities.body>, 'as_of'>;

/** One page of matching entities as they were at a moment. @throws AppError as `listPastEntities` */
export async function searchPast(
  deps: PastDeps,
  actor: Actor,
  identifier: string,
  asOf: string,
  { include, exclude, ...search }: PastSearch,
) {
  const blueprint = await readableBlueprint(deps, actor, identifier);
  const narrowing = { include: dotted(include, blueprint), exclude: dotted(exclude, blueprint) };
  const { next, ...page } = await listPastEntities(deps, actor, identifier, new Date(asOf), {
    ...search,
    ...narrowing,
  });
  return { ...page, ...(next ? { next } : {}) };
}
