import type { ScorecardBody } from '@portolan/contract/scorecards';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { addResultTarget, lockBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { can } from '../rights/index.ts';
import {
  addScorecard,
  assertReadableValues,
  assertRegistrable,
  changeScorecard,
  checkScorecard,
  dropScorecard,
  reevaluate,
} from '../scorecard-changes/index.ts';
import { findScorecards, presentScorecard, type StoredScorecard } from '../scorecard-rules/index.ts';
import { checkOwnValues } from './data/own-values.ts';
import { reflectScorecards } from './data/sync-scorecard-entities.ts';

type Deps = Pick<CatalogDeps, 'unitOfWork' | 'checkProperties' | 'listener'>;

/**
 * Creates a scorecard of a readable blueprint; requires the right to register entities of `_scorecard`.
 * @throws AppError `not_found` (the blueprint), `missing_permissions`, `identifier_taken`, `invalid_request`
 */
export function createScorecard(deps: Deps, actor: Actor, blueprintIdentifier: string, body: ScorecardBody) {
  return deps.unitOfWork(actor, (work) => registerScorecardWithin(deps, work, blueprintIdentifier, body));
}

/** Like `createScorecard`, within the caller's unit of work. @throws AppError as `createScorecard` */
export async function registerScorecardWithin(
  deps: Omit<Deps, 'unitOfWork'>,
  work: Work,
  blueprintIdentifier: string,
  body: ScorecardBody,
) {
  await assertRegistrable(work);
  const blueprint = await lockedBlueprint(work, blueprintIdentifier);
  if (!can(work.actor, 'read', blueprint)) throw notFound('Blueprint', blueprintIdentifier);
  await assertReadableValues(work, blueprint, body);
  await checkOwnValues(work, deps.checkProperties, [body]);
  return createScorecardWithin(deps, work, blueprint, body);
}

/** The caller's unit of work holds the blueprint's lock. */
export async function createScorecardWithin(
  deps: Pick<Deps, 'listener'>,
  work: Work,
  blueprint: StoredBlueprint,
  body: ScorecardBody,
) {
  checkScorecard(blueprint, body);
  const { identifier, ...definition } = body;
  const scorecard = await addScorecard(work, blueprint, identifier, definition);
  await follow(deps, work, blueprint);
  return presentScorecard(scorecard, blueprint.identifier);
}

/**
 * The identifier cannot change.
 * @throws AppError `not_found`, `invalid_request`
 */
export function replaceScorecard(
  deps: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
  body: ScorecardBody,
) {
  return deps.unitOfWork(actor, (work) =>
    replaceScorecardWithin(deps, work, blueprintIdentifier, identifier, async () => {
      await checkOwnValues(work, deps.checkProperties, [body]);
      return body;
    }),
  );
}

/** @throws AppError as `replaceScorecard` */
export async function replaceScorecardWithin(
  deps: Pick<Deps, 'listener'>,
  work: Work,
  blueprintIdentifier: string,
  identifier: string,
  bodyOf: (current: ScorecardBody) => ScorecardBody | Promise<ScorecardBody>,
) {
  const { blueprint, scorecard } = await lockedScorecard(work, blueprintIdentifier, identifier);
  const body = await bodyOf({ identifier, ...scorecard.definition });
  if (body.identifier !== identifier) {
    throw invalidRequest([{ path: '/identifier', message: 'cannot be changed' }], 'The scorecard');
  }
  checkScorecard(blueprint, body);
  const { identifier: _same, ...definition } = body;
  const replaced = await changeScorecard(work, blueprint, scorecard, definition);
  if (replaced !== scorecard) await follow(deps, work, blueprint);
  return presentScorecard(replaced, blueprint.identifier);
}

/**
 * Replaces the whole set; scorecards left out are deleted.
 * @throws AppError `not_found`, `invalid_request`
 */
export function replaceScorecards(
  deps: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  bodies: readonly ScorecardBody[],
) {
  return deps.unitOfWork(actor, async (work) => {
    const blueprint = await lockedBlueprint(work, blueprintIdentifier);
    bodies.forEach((body, index) => {
      checkScorecard(blueprint, body, `/${index}`);
      if (bodies.findIndex(({ identifier }) => identifier === body.identifier) === index) return;
      throw invalidRequest([{ path: `/${index}/identifier`, message: 'is there twice' }], 'The scorecards');
    });
    await checkOwnValues(work, deps.checkProperties, bodies, (index) => `/${index}`);
    const existing = await findScorecards(work.tx, work.actor.orgId, blueprint.key);
    const gone = existing.filter(({ identifier }) => !bodies.some((body) => body.identifier === identifier));
    for (const scorecard of gone) await dropScorecard(work, blueprint, scorecard);
    const stored: StoredScorecard[] = [];
    for (const body of bodies) {
      const before = existing.find(({ identifier }) => identifier === body.identifier);
      const { identifier, ...definition } = body;
      const after = before
        ? changeScorecard(work, blueprint, before, definition)
        : addScorecard(work, blueprint, identifier, definition);
      stored.push(await after);
    }
    await follow(deps, work, blueprint);
    return stored.map((scorecard) => presentScorecard(scorecard, blueprint.identifier));
  });
}

/** @throws AppError `not_found` */
export function deleteScorecard(
  deps: Pick<Deps, 'unitOfWork' | 'listener'>,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
) {
  return deps.unitOfWork(actor, (work) => deleteScorecardWithin(deps, work, blueprintIdentifier, identifier));
}

/** Like `deleteScorecard`, within the caller's unit of work. @throws AppError `not_found` */
export async function deleteScorecardWithin(
  deps: Pick<Deps, 'listener'>,
  work: Work,
  blueprintIdentifier: string,
  identifier: string,
): Promise<void> {
  const { blueprint, scorecard } = await lockedScorecard(work, blueprintIdentifier, identifier);
  await dropScorecard(work, blueprint, scorecard);
  await follow(deps, work, blueprint);
}

/** Updates results, the entities of scorecards and rules, and targets of results. */
async function follow({ listener }: Pick<Deps, 'listener'>, work: Work, blueprint: StoredBlueprint): Promise<void> {
  await reevaluate(work, blueprint);
  await reflectScorecards(work, blueprint);
  const scorecards = await findScorecards(work.tx, work.actor.orgId, blueprint.key);
  if (scorecards.length > 0) await addResultTarget(listener, work, blueprint);
}

/** Entity writers lock the blueprint too, so none sees a scorecard mid-change. */
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
