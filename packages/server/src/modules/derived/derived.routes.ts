import { checkDerivedValues } from '@portolan/contract/operator';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { type CheckDerivedDeps, checkDerived } from './check-derived.ts';

export function derivedRoutes(deps: CheckDerivedDeps & { readonly clock: Clock }): Route[] {
  return [
    route(checkDerivedValues, async ({ params }) => {
      const { differences, ...report } = await checkDerived(deps, params.organization_id, deps.clock.now());
      // stored and computed values are JSON: they come from JSON columns, or from calculations that fit them
      return { ...report, differences: differences as never };
    }),
  ];
}
