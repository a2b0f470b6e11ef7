import { absentOperations } from '@portolan/contract/not-built';
import { AppError } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';

/** Operations on integrations that clients call and this product does not offer, each with the alternative. */
export function notBuiltRoutes(): Route[] {
  return absentOperations.map((operation) =>
    route(operation, async () => {
      throw new AppError('not_implemented', `${operation.summary}.`);
    }),
  );
}
