import { isDeepStrictEqual } from 'node:util';
import type { ScorecardBody } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { lockBlueprint, type StoredBlueprint } from '../../blueprints/index.ts';
import { checkScorecard } from './check-scorecard.ts';
import { reevaluate } from './reevaluate.ts';
import { deleteScorecardRow, findScorecards, insertScorecard, updateScorecardRow } from './scorecard.store.ts';
import { presentScorecard, type StoredScorecard } from './scorecard.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

/** @throws AppError `not_found` (the blueprint), `identifier_taken`, `invalid_request` */
export function createScorecard({ unitOfWork }: Deps, actor: Actor, blueprintIdentifier: string, body: ScorecardBody) {
  return unitOfWork(actor, async (work) => {
    const blueprint = await lockedBlueprint(work, blueprintIdentifier);
    return createScorecardWithin(work, blueprint, body);
  });
}

/** Creates a scorecard of a blueprint that the caller's unit of work has locked. */
export async function createScorecardWithin(work: Work, blueprint: StoredBlueprint, body: ScorecardBody) {
  checkScorecard(blueprint, body);
  const scorecard = await insert(work, blueprint, body);
  await reevaluate(work, blueprint);
  return presentScorecard(scorecard, blueprint.identifier);
}

/** Replaces one; its identifier cannot change. @throws AppError `not_found`, `invalid_request` */
export function replaceScorecard(
  { unitOfWork }: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
  body: ScorecardBody,
) {
  return unitOfWork(actor, (work) => replaceScorecardWithin(work, blueprintIdentifier, identifier, () => body));
}

/** Replaces one within the caller's unit of work, given what it is. @throws AppError as `replaceScorecard` */
export async function replaceScorecardWithin(
  work: Work,
  blueprintIdentifier: string,
  identifier: string,
  bodyOf: (current: ScorecardBody) => ScorecardBody,
) {
  const { blueprint, scorecard } = await lockedScorecard(work, blueprintIdentifier, identifier);
  const body = bodyOf({ identifier, ...scorecard.definition });
  if (body.identifier !== identifier) {
    throw invalidRequest([{ path: '/identifier', message: 'cannot be changed' }], 'The scorecard');
  }
  checkScorecard(blueprint, body);
  const replaced = await replace(work, blueprint, scorecard, body);
  if (replaced !== scorecard) await reevaluate(work, blueprint);
  return presentScorecard(replaced, blueprint.identifier);
}

/** Replaces the whole set: what is left out is deleted. @throws AppError `not_found`, `invalid_request` */
export function replaceScorecards(
  { unitOfWork }: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  bodies: readonly ScorecardBody[],
) {
  return unitOfWork(actor, async (work) => {
    const blueprint = await lockedBlueprint(work, blueprintIdentifier);
    bodies.forEach((body, index) => {
      checkScorecard(blueprint, body, `/${index}`);
      if (bodies.findIndex(({ identifier }) => identifier === body.identifier) === index) return;
      throw invalidRequest([{ path: `/${index}/identifier`, message: 'is there twice' }], 'The scorecards');
    });
    const existing = await findScorecards(work.tx, work.actor.orgId, blueprint.key);
    const gone = existing.filter(({ identifier }) => !bodies.some((body) => body.identifier === identifier));
    for (const scorecard of gone) await remove(work, blueprint, scorecard);
    const stored: StoredScorecard[] = [];
    for (const body of bodies) {
      const before = existing.find(({ identifier }) => identifier === body.identifier);
      stored.push(await (before ? replace(work, blueprint, before, body) : insert(work, blueprint, body)));
    }
    await reevaluate(work, blueprint);
    return stored.map((scorecard) => presentScorecard(scorecard, blueprint.identifier));
  });
}

/** @throws AppError `not_found` */
export function deleteScorecard({ unitOfWork }: Deps, actor: Actor, blueprintIdentifier: string, identifier: string) {
  return unitOfWork(actor, async (work) => {
    const { blueprint, scorecard } = await lockedScorecard(work, blueprintIdentifier, identifier);
    await remove(work, blueprint, scorecard);
    await reevaluate(work, blueprint);
  });
}

/** Writers of entities hold the blueprint, so none of them meets a scorecard that is changing. */
async function lockedBlueprint({ tx, actor }: Work, identifier: string): Promise<StoredBlueprint> {
  const blueprint = await lockBlueprint(tx, actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  return blueprint;
}

async function lockedScorecard(work: Work, blueprintIdentifier: string, identifier: string) {
  const blueprint = await lockedBlueprint(work, blueprintIdentifier);
  const scorecards = await findScorecards(work.tx, work.actor.orgId, blueprint.key);
  const scorecard = scorecards.find((each) => each.identifier === identifier);
  if (!scorecard) throw notFound('Scorecard', identifier);
  return { blueprint, scorecard };
}

function writingOf({ actor, now }: Work) {
  return { orgId: actor.orgId, by: actor.id, at: now };
}

async function insert(work: Work, blueprint: StoredBlueprint, { identifier, ...definition }: ScorecardBody) {
  const inserted = await insertScorecard(work.tx, writingOf(work), {
    blueprintKey: blueprint.key,
    identifier,
    definition,
  });
  if (!inserted) {
    const message = `The blueprint "${blueprint.identifier}" has a scorecard "${identifier}"; the identifier is taken`;
    throw new AppError('identifier_taken', message);
  }
  record(work, blueprint, 'CREATE', undefined, inserted);
  return inserted;
}

/** A replacement that says the same changes nothing and is not recorded. */
async function replace(work: Work, blueprint: StoredBlueprint, before: StoredScorecard, body: ScorecardBody) {
  const { identifier: _same, ...definition } = body;
  if (isDeepStrictEqual(definition, before.definition)) return before;
  const after = await updateScorecardRow(work.tx, writingOf(work), before.key, definition);
  record(work, blueprint, 'UPDATE', before, after);
  return after;
}

async function remove(work: Work, blueprint: StoredBlueprint, scorecard: StoredScorecard): Promise<void> {
  await deleteScorecardRow(work.tx, work.actor.orgId, scorecard.key);
  record(work, blueprint, 'DELETE', scorecard, undefined);
}

function record(
  work: Work,
  blueprint: StoredBlueprint,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredScorecard | undefined,
  after: StoredScorecard | undefined,
): void {
  work.record({
    event: { CREATE: 'scorecard.created', UPDATE: 'scorecard.updated', DELETE: 'scorecard.deleted' }[action],
    action,
    resourceType: 'scorecard',
    identifier: (after ?? before)?.identifier ?? '',
    context: { blueprint: blueprint.identifier },
    ...(before ? { before: presentScorecard(before, blueprint.identifier) } : {}),
    ...(after ? { after: presentScorecard(after, blueprint.identifier) } : {}),
  });
}
