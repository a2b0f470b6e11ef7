import * as contract from '@portolan/contract/permission-explanations';
import { type Route, route } from '../../platform/http/route.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import { explainPermission } from './explain-permission.ts';
import { simulatePermissions } from './simulate-permissions.ts';

export function permissionRoutes(deps: SearchDeps): Route[] {
  return [
    route(contract.explainPermission, ({ params, body }, { actor }) =>
      explainPermission(deps, actor, params.blueprint_identifier, body),
    ),
    route(contract.simulatePermissions, ({ params, body }, { actor }) =>
      simulatePermissions(deps, actor, params.blueprint_identifier, body),
    ),
  ];
}
