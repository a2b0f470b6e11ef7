import { checkDerivedValues } from '@portolan/contract';
import { type Route, route } from '../../../platform/http/route.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { checkDerived } from './check-derived.ts';

export function derivedRoutes(deps: CatalogDeps): Route[] {
  return [
    route(checkDerivedValues, async ({ params }) => {
      const { differences, ...report } = await checkDerived(deps, params.organization_id, deps.clock.now());
      // what is stored and computed is JSON: it came out of JSON columns, or out of calculations that fit in them
      return { ...report, differences: differences as never };
    }),
  ];
}
