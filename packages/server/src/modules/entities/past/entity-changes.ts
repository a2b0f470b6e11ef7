import type { EntityChange } from '@portolan/contract/entity-history';
import { type Actor, isUnlimited } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { readCondition } from '../../access/index.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { withKeys } from '../../entity-query/index.ts';
import { allOf, selectEntities, teamForm } from '../../entity-rows/index.ts';
import { selectChangesBetween } from '../../journal/index.ts';
import { readableBlueprint } from '../read-entities.ts';
import { compareStates } from './compare-past.ts';
import { findLife, lastKey, traceLives } from './find-life.ts';
import type { Life, PastDeps } from './past.types.ts';
import { readPastBlueprint } from './past-blueprint.ts';
import { readPastCursor, writePastCursor } from './past-cursor.ts';
import { lookedAtMax, nextStep } from './past-steps.ts';
import { permitHistory } from './permit-history.ts';
import { presentPast } from './present-past.ts';
import { readPast } from './read-past.ts';

interface Range {
  readonly from: Date;
  readonly to: Date;
}

/**
 * What changed of an entity between two moments, for whoever may read it today.
 * @throws AppError `not_found`, `history_not_kept`, `invalid_request`, `insufficient_scope`
 */
export async function readEntityChanges(
  deps: PastDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
  range: Range,
): Promise<EntityChange> {
  permitRange(deps, actor, range);
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const life = await findLife(deps, actor, blueprint, identifier, range.to).catch((error: unknown) => {
    // what was deleted in between was there at the beginning
    if (isUnlimited(actor)) return findLife(deps, actor, blueprint, identifier, range.from);
    throw error;
  });
  const [change] = await compareLives(deps, actor, blueprint, [life], range);
  return change as EntityChange;
}

/**
 * The entities of a blueprint that differ between two moments, a page at a time: each once, where its first record is. Of
 * those that exist the ones that the caller may read, of the others all for administrators and none for others.
 * @throws AppError `not_found`, `history_not_kept`, `invalid_request`, `insufficient_scope`
 */
export async function listChanges(
  deps: PastDeps,
  actor: Actor,
  blueprintIdentifier: string,
  { from, to, limit, next }: Range & { readonly limit: number; readonly next?: string | undefined },
): Promise<{ readonly changes: EntityChange[]; readonly includesDeleted: boolean; readonly next: string | undefined }> {
  permitRange(deps, actor, { from, to });
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const changes: EntityChange[] = [];
  let after: { readonly at: Date; readonly key: number } | undefined = next
    ? startOf(next)
    : { at: from, key: lastKey };
  for (let lookedAt = 0; after && changes.length < limit && lookedAt < lookedAtMax; ) {
    const step = nextStep(limit, changes.length, lookedAt);
    const range = { from, to, after, limit: step };
    const records = await selectChangesBetween(deps.database, actor.orgId, blueprint.identifier, range);
    lookedAt += records.length;
    after = records.length < step ? undefined : records.at(-1);
    const firsts = records.filter(({ isFirst }) => isFirst);
    const wanted = firsts.slice(0, limit - changes.length);
    // the rest of the part is read again by the next page
    if (firsts.length > wanted.length) after = wanted.at(-1);
    changes.push(...(await compareRecords(deps, actor, blueprint, wanted, { from, to })));
  }
  return {
    changes,
    includesDeleted: isUnlimited(actor),
    next: after && writePastCursor({ kind: 'deleted', at: after.at, key: after.key }),
  };
}

function startOf(cursor: string): { readonly at: Date; readonly key: number } {
  try {
    const position = readPastCursor(cursor);
    if (position.kind === 'deleted') return position;
  } catch {
    // told below, under the name of the parameter
  }
  throw invalidRequest([{ path: '{query}/next', message: 'is not a cursor of this list' }]);
}

type ChangeRecord = Awaited<ReturnType<typeof selectChangesBetween>>[number];

async function compareRecords(
  deps: PastDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  records: readonly ChangeRecord[],
  range: Range,
): Promise<EntityChange[]> {
  if (records.length === 0) return [];
  const named = records.map(({ action, after, name, at, key }) =>
    // the record itself may be the deletion
    action === 'DELETE' ? { name, after: { at, key: key - 1 } } : { name: after, after: { at, key } },
  );
  const traced = await traceLives(deps, actor, blueprint, named);
  const lives = await visibleLives(deps, actor, blueprint, [...new Set(traced.flatMap((life) => life ?? []))]);
  const changes = await compareLives(deps, actor, blueprint, lives, range);
  return changes.filter(({ change }) => change !== 'none');
}

async function visibleLives(
  deps: PastDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  lives: readonly Life[],
): Promise<readonly Life[]> {
  if (isUnlimited(actor)) return lives;
  const keys = lives.flatMap(({ key, deleted }) => (deleted ? [] : [key]));
  const condition = allOf([withKeys(keys), await readCondition(deps, actor, blueprint)]);
  const page = { limit: keys.length };
  const rows =
    keys.length > 0 ? await selectEntities(deps.database, actor.orgId, condition, page, teamForm(actor.model)) : [];
  const visible = new Set(rows.map(({ key }) => key));
  return lives.filter(({ key, deleted }) => !deleted && visible.has(key));
}

async function compareLives(
  deps: PastDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  lives: readonly Life[],
  { from, to }: Range,
): Promise<EntityChange[]> {
  const [before, after] = await deps.database.together(
    [from, to].map((at) => () => statesAt(deps, actor, blueprint, lives, at)),
  );
  return lives.map((life) => compareStates(life.name, before?.get(life), after?.get(life)));
}

async function statesAt(deps: PastDeps, actor: Actor, blueprint: StoredBlueprint, lives: readonly Life[], at: Date) {
  const then = await readPastBlueprint(deps.database, blueprint, at);
  const past = await readPast(deps, actor, blueprint, then, lives, at);
  const shown = await presentPast(deps, actor, then, past);
  return new Map(
    past.map((each, index) => [
      each.life,
      { entity: shown[index] as (typeof shown)[number], unknown: [...then.unknown, ...each.unknown] },
    ]),
  );
}

function permitRange(deps: PastDeps, actor: Actor, { from, to }: Range): void {
  permitHistory(deps, actor, [
    { path: '{query}/from', at: from },
    { path: '{query}/to', at: to },
  ]);
}
