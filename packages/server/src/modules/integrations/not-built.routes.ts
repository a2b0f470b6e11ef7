import { absentOperations, claimNodeRuns, listNodeRuns } from '@portolan/contract/not-built';
import { AppError } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';

/** Operations on integrations that clients call and this product does not offer, each with the alternative. */
export function notBuiltRoutes(): Route[] {
  return [
    route(claimNodeRuns, async () => ({ nodeRuns: [] })),
    route(listNodeRuns, async () => ({ nodeRuns: [] })),
    ...absentOperations.map((operation) =>
      route(operation, async () => {
        throw new AppError('not_implemented', `${operation.summary}.`);
      }),
    ),
  ];
}
