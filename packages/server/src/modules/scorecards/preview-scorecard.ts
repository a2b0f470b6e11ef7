import { scopesCover } from '@portolan/contract/scopes';
import type { ScorecardBody, ScorecardPreview } from '@portolan/contract/scorecards';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { readCondition } from '../access/index.ts';
import { findBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { ofBlueprint } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { assertReadableValues, assertRegistrable, checkScorecard, scorecardTaken } from '../scorecard-changes/index.ts';
import { findScorecards, type ScorecardDefinition } from '../scorecard-rules/index.ts';
import { checkOwnValues } from './data/own-values.ts';
import { evaluatePreview } from './evaluate-preview.ts';

type Deps = Pick<CatalogDeps, 'unitOfWork' | 'checkProperties' | 'database' | 'clock'>;

/**
 * What a scorecard would find on the entities that the caller may read, compared with what is stored. Nothing is
 * written.
 * @throws AppError as creating or replacing it; `insufficient_scope`; `service_unavailable` after five seconds
 */
export async function previewScorecard(
  deps: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  body: ScorecardBody,
): Promise<Omit<ScorecardPreview, 'ok'>> {
  const { blueprint, saved } = await checkWrite(deps, actor, blueprintIdentifier, body);
  const { identifier, ...definition } = body;
  const condition = allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint)]);
  const scorecard = { blueprint: blueprint.identifier, identifier, definition, saved };
  return evaluatePreview(deps, actor.orgId, scorecard, condition);
}

/** Refuses what the write would refuse. */
function checkWrite(
  { unitOfWork, checkProperties }: Deps,
  actor: Actor,
  blueprintIdentifier: string,
  body: ScorecardBody,
): Promise<{ readonly blueprint: StoredBlueprint; readonly saved: ScorecardDefinition | undefined }> {
  if (!scopesCover(actor.scopes, 'read:entities')) {
    const message = 'The token is restricted and does not have "read:entities", which a preview shows';
    throw new AppError('insufficient_scope', message);
  }
  return unitOfWork(actor, async (work) => {
    await assertRegistrable(work);
    const blueprint = await findBlueprint(work.tx, actor.orgId, blueprintIdentifier);
    if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', blueprintIdentifier);
    await assertReadableValues(work, blueprint, body);
    await checkOwnValues(work, checkProperties, [body]);
    checkScorecard(blueprint, body);
    const scorecards = await findScorecards(work.tx, actor.orgId, blueprint.key);
    const saved = scorecards.find(({ identifier }) => identifier === body.identifier);
    if (saved && !isAdmin(actor)) throw scorecardTaken(blueprint, body.identifier);
    return { blueprint, saved: saved?.definition };
  });
}
