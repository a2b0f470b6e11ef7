import type { AsOfPage } from '@portolan/contract/as-of';
import type { Entity } from '@portolan/contract/entities';
import type { SearchQuery } from '@portolan/contract/search-query';
import { type Actor, isUnlimited } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { openScope, readCondition } from '../../access/index.ts';
import { ownershipPath, type StoredBlueprint } from '../../blueprints/index.ts';
import { compileQuery, ofBlueprint } from '../../entity-query/index.ts';
import { allOf, selectEntities, teamForm } from '../../entity-rows/index.ts';
import { selectDeletions } from '../../journal/index.ts';
import { readableBlueprint } from '../read-entities.ts';
import { lastKey } from './find-life.ts';
import { listMatching } from './match-past.store.ts';
import type { Life, PastBlueprint, PastDeps, PastEntity } from './past.types.ts';
import { readPastBlueprint } from './past-blueprint.ts';
import { type PastPosition, readPastCursor, writePastCursor } from './past-cursor.ts';
import { comparedParts } from './past-query.ts';
import { lookedAtMax, nextStep } from './past-steps.ts';
import { permitHistory } from './permit-history.ts';
import { presentPast } from './present-past.ts';
import { readPast, toLife } from './read-past.ts';

interface PastSearch {
  readonly query?: SearchQuery | undefined;
  readonly limit: number;
  readonly from?: string | null | undefined;
  readonly sort?: readonly unknown[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

interface PastPage {
  readonly entities: Partial<Entity>[];
  readonly next: string | undefined;
  readonly asOf: AsOfPage;
}

/**
 * One page of a blueprint's entities as they were at a moment: those of today that the caller may read, in the order of
 * their creation, then for administrators those that were deleted since. Looks at no more entities than a page may cost,
 * whatever the journal holds.
 * @throws AppError `not_found`, `history_not_kept`, `invalid_request`, `insufficient_scope`
 */
export async function listPastEntities(
  deps: PastDeps,
  actor: Actor,
  blueprintIdentifier: string,
  at: Date,
  { query, limit, from, sort = [], ...parts }: PastSearch,
): Promise<PastPage> {
  permitHistory(deps, actor, [{ path: '/as_of', at }]);
  if (sort.length > 0) {
    throw invalidRequest([
      { path: '/sort', message: 'cannot be combined with `as_of`: pages are in the order of creation' },
    ]);
  }
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const then = await readPastBlueprint(deps.database, blueprint, at);
  const decide = await matcher(deps, actor, then, query, at);
  const pages = pageReader(deps, actor, blueprint, at);
  const found: PastEntity[] = [];
  const undecided: string[] = [];
  let position: PastPosition | undefined = from ? readPastCursor(from) : { kind: 'present', key: 0 };
  for (let lookedAt = 0; position && found.length < limit && lookedAt < lookedAtMax; ) {
    const part = await pages(position, nextStep(limit, found.length, lookedAt));
    lookedAt += part.lives.length;
    const past = await readPast(
      deps,
      actor,
      blueprint,
      then,
      part.lives.map(({ life }) => life),
      at,
    );
    const decided = new Map(past.map((each) => [each.life, each]));
    const matching = await decide(past);
    position = part.next;
    for (const { life, after } of part.lives) {
      const each = decided.get(life);
      const isMatch = each && matching(each);
      if (each && isMatch === undefined) undecided.push(each.entity.identifier);
      if (each && isMatch) found.push(each);
      if (found.length < limit) continue;
      position = after;
      break;
    }
  }
  const entities = await presentPast(deps, actor, then, found, parts as { include?: string[]; exclude?: string[] });
  const unsure = found.filter(({ unknown }) => unknown.length > 0);
  return {
    entities,
    next: position && writePastCursor(position),
    asOf: {
      at: at.toISOString(),
      unknown: [...then.unknown],
      entities: unsure.map(({ entity, unknown }) => ({ identifier: entity.identifier, unknown: [...unknown] })),
      undecided,
      includesDeleted: isUnlimited(actor),
    },
  };
}

/** Whether an entity matches; undefined where what is compared is unknown. */
type Matches = (entity: PastEntity) => boolean | undefined;

async function matcher(
  deps: PastDeps,
  actor: Actor,
  { blueprint }: PastBlueprint,
  query: SearchQuery | undefined,
  at: Date,
): Promise<(entities: readonly PastEntity[]) => Promise<Matches>> {
  if (!query || query.rules.length === 0) return () => Promise.resolve(() => true);
  const compared = comparedParts(query, blueprint, ownershipPath(blueprint.definition) !== undefined);
  // what is asked of the past says nothing about which indexes the present needs
  const scope = await openScope({ ...deps, noteUse: undefined }, actor, query);
  const condition = compileQuery(query, { ...scope.contextOf(blueprint), now: at, isUnrelated: true });
  return async (entities) => {
    const rows = entities.map(({ entity }) => entity);
    const places = await listMatching(deps.database, actor.orgId, rows, condition);
    const matching = new Set([...places].map((place) => entities[place]));
    const isUndecided = ({ unknown }: PastEntity) =>
      [...compared].some((part) => unknown.some(({ path }) => part === path || part.startsWith(`${path}.`)));
    return (each) => (isUndecided(each) ? undefined : matching.has(each));
  };
}

interface PagePart {
  readonly lives: readonly { readonly life: Life; readonly after: PastPosition }[];
  /** Where it goes on; undefined if nothing follows. */
  readonly next: PastPosition | undefined;
}

function pageReader(deps: PastDeps, actor: Actor, blueprint: StoredBlueprint, at: Date) {
  const { orgId } = actor;
  const { database } = deps;
  const present = async (key: number, limit: number): Promise<PagePart> => {
    const condition = allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint)]);
    const page = { afterKey: key, limit };
    const rows = await selectEntities(database, orgId, condition, page, teamForm(actor.model));
    const lives = rows.map((row) => ({ life: toLife(row), after: { kind: 'present', key: row.key } as const }));
    const isLast = rows.length < limit;
    const deleted = isUnlimited(actor) ? ({ kind: 'deleted', at, key: lastKey } as const) : undefined;
    return { lives, next: isLast ? deleted : lives.at(-1)?.after };
  };
  const deleted = async (after: { readonly at: Date; readonly key: number }, limit: number): Promise<PagePart> => {
    const rows = await selectDeletions(database, orgId, blueprint.identifier, after, limit);
    const lives = rows.map(({ before: last, ...end }) => {
      const since = new Date(last.createdAt);
      return {
        life: { key: 0, name: last.identifier, since, last, deleted: end },
        after: { kind: 'deleted', ...end } as const,
      };
    });
    return { lives, next: rows.length < limit ? undefined : lives.at(-1)?.after };
  };
  return async (position: PastPosition, limit: number): Promise<PagePart> => {
    if (position.kind === 'present') return present(position.key, limit);
    return isUnlimited(actor) ? deleted(position, limit) : { lives: [], next: undefined };
  };
}
