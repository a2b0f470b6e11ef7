import type { ScorecardBody } from '@portolan/contract/scorecards';
import { isUnlimited } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { hiddenValues, refusalToRegister } from '../access/index.ts';
import { holdBlueprint, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { scorecardConditions } from '../scorecard-rules/index.ts';

/** Who may register entities of `_scorecard` makes scorecards, of any blueprint. @throws AppError `missing_permissions` */
export async function assertRegistrable({ tx, actor }: Work): Promise<void> {
  if (isUnlimited(actor)) return;
  const blueprint = (await holdBlueprint(tx, actor.orgId, '_scorecard')) ?? { identifier: '_scorecard', rights: null };
  const refusal = refusalToRegister(actor, blueprint);
  if (refusal) throw refusal;
}

/**
 * Whoever is not an administrator asks only for what they may see: results are shown to them, and would tell the rest.
 * @throws AppError `invalid_request`
 */
export async function assertReadableValues(work: Work, blueprint: StoredBlueprint, body: ScorecardBody): Promise<void> {
  const { tx, actor } = work;
  if (isUnlimited(actor)) return;
  const hidden = hiddenValues(actor, await listBlueprintRows(tx, actor.orgId))(blueprint);
  const asked = scorecardConditions(body).flatMap(({ property }) => property?.split('.')[0] ?? []);
  const secret = asked.find((key) => hidden.has(key));
  if (secret === undefined) return;
  const message = `"${secret}" is computed from entities that you may not all see; leave it out`;
  throw invalidRequest([{ path: '/rules', message }], 'The scorecard');
}
