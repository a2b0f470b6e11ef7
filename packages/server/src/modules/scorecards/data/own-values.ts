import type { ScorecardBody } from '@portolan/contract/scorecards';
import { invalidRequest } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { blueprintProperties, type CheckProperties, holdBlueprint } from '../../blueprints/index.ts';

/**
 * Validates values of properties that an organization added to `_scorecard`. Other values are stored with the
 * scorecard and shown on no entity.
 * @throws AppError `invalid_request`
 */
export async function checkOwnValues(
  { tx, actor }: Work,
  checkProperties: CheckProperties,
  bodies: readonly ScorecardBody[],
  prefix: (index: number) => string = () => '',
): Promise<void> {
  if (!bodies.some(({ properties }) => properties)) return;
  const data = await holdBlueprint(tx, actor.orgId, '_scorecard');
  if (!data) return;
  const known = blueprintProperties(data);
  const issues = bodies.flatMap(({ properties = {} }, index) => {
    const written = Object.entries(properties).filter(([key]) => Object.hasOwn(known, key));
    const named = new Set(written.map(([key]) => `/properties/${key}`));
    return checkProperties(data, Object.fromEntries(written), tx).flatMap(({ path, message }) =>
      // only the values are checked here, not which are required
      [...named].some((each) => path === each || path.startsWith(`${each}/`))
        ? [{ path: `${prefix(index)}${path}`, message }]
        : [],
    );
  });
  if (issues.length > 0) throw invalidRequest(issues, 'The scorecard');
}
