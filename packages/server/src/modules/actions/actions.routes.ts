import * as contract from '@portolan/contract/actions';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { warningHeader } from '../../platform/http/warning.ts';
import { authorityLeft } from '../accounts/index.ts';
import { presentAction } from './action.ts';
import { presentAuthority } from './action-authority.ts';
import type { ActionsDeps } from './actions.deps.ts';
import { changeActionPermissions, readActionPermissions } from './change-action-permissions.ts';
import { getAction, listActions } from './read-actions.ts';
import { createAction, deleteAction, replaceAction, type WrittenAction } from './write-actions.ts';

export function actionRoutes(deps: ActionsDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listActions, async ({ query }, { actor }) => ({
      actions: (await listActions(database, actor, query)).map(presentAction),
    })),
    route(contract.createAction, async ({ body }, { actor }) => written(await createAction(deps, actor, body))),
    route(contract.getAction, async ({ params }, { actor }) => {
      const action = await getAction(database, actor, params.action_identifier);
      const authority = await authorityLeft(database, actor.orgId, action);
      return { action: presentAction(action), authority: authority ? presentAuthority(authority) : null };
    }),
    route(contract.replaceAction, async ({ params, query, body }, { actor }) =>
      written(await replaceAction(deps, actor, params.action_identifier, body, query.expectedVersion)),
    ),
    route(contract.deleteAction, async ({ params }, { actor }) => {
      await deleteAction(deps, actor, params.action_identifier);
      return {};
    }),
    route(contract.getActionPermissions, async ({ params }, { actor }) => ({
      permissions: await readActionPermissions(deps, actor, params.action_identifier),
    })),
    route(contract.patchActionPermissions, async ({ params, body }, { actor }) => {
      const { permissions, warnings } = await changeActionPermissions(deps, actor, params.action_identifier, body);
      return new HttpAnswer({ permissions }, { headers: warningHeader(warnings) });
    }),
  ];
}

function written({ action, warnings }: WrittenAction) {
  return new HttpAnswer({ action: presentAction(action) }, { headers: warningHeader(warnings) });
}
