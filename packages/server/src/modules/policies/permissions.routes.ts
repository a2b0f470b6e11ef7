import * as contract from '@portolan/contract/permission-explanations';
import { type Route, route } from '../../platform/http/route.ts';
import type { ReadDeps } from '../entities/index.ts';
import { explainPermission } from './explain-permission.ts';
import { readOwnRights } from './own-rights.ts';
import { simulatePermissions } from './simulate-permissions.ts';

export function permissionRoutes(deps: ReadDeps): Route[] {
  return [
    route(contract.getOwnRights, async ({ params, query }, { actor }) => ({
      rights: await readOwnRights(deps, actor, params.blueprint_identifier, query.entity),
    })),
    route(contract.explainPermission, ({ params, body }, { actor }) =>
      explainPermission(deps, actor, params.blueprint_identifier, body),
    ),
    route(contract.simulatePermissions, ({ params, body }, { actor }) =>
      simulatePermissions(deps, actor, params.blueprint_identifier, body),
    ),
  ];
}
