import * as contract from '@portolan/contract/blueprint-actions';
import { HttpAnswer, type Route, route } from '../../../platform/http/route.ts';
import { warningHeader } from '../../../platform/http/warning.ts';
import type { SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { createAction, deleteAction, replaceAction, type WrittenAction } from '../write-actions.ts';
import { getBlueprintAction, listBlueprintActions, replaceBlueprintActions } from './blueprint-actions.ts';
import { fromFirstForm, toFirstForm } from './first-form.ts';

/** The deprecated routes for actions below their blueprint, over the same actions. */
export function blueprintActionRoutes(deps: ActionsDeps): Route[] {
  const written = (blueprint: string, { action, warnings }: WrittenAction) =>
    new HttpAnswer(
      { action: toFirstForm(blueprint, action as SelfServiceAction) },
      { headers: warningHeader(warnings) },
    );
  return [
    route(contract.listBlueprintActions, async ({ params: { blueprint_identifier: blueprint } }, { actor }) => ({
      actions: (await listBlueprintActions(deps, actor, blueprint)).map((action) => toFirstForm(blueprint, action)),
    })),
    route(contract.createBlueprintAction, async ({ params: { blueprint_identifier: blueprint }, body }, { actor }) =>
      written(blueprint, await createAction(deps, actor, fromFirstForm(blueprint, body))),
    ),
    route(
      contract.replaceBlueprintActions,
      async ({ params: { blueprint_identifier: blueprint }, body }, { actor }) => {
        await replaceBlueprintActions(deps, actor, blueprint, body);
        const actions = await listBlueprintActions(deps, actor, blueprint);
        return { actions: actions.map((action) => toFirstForm(blueprint, action)) };
      },
    ),
    route(contract.getBlueprintAction, async ({ params }, { actor }) => {
      const { blueprint_identifier: blueprint, action_identifier: identifier } = params;
      return { action: toFirstForm(blueprint, await getBlueprintAction(deps, actor, blueprint, identifier)) };
    }),
    route(contract.replaceBlueprintAction, async ({ params, body }, { actor }) => {
      const { blueprint_identifier: blueprint, action_identifier: identifier } = params;
      await getBlueprintAction(deps, actor, blueprint, identifier);
      return written(blueprint, await replaceAction(deps, actor, identifier, fromFirstForm(blueprint, body)));
    }),
    route(contract.deleteBlueprintAction, async ({ params }, { actor }) => {
      const { blueprint_identifier: blueprint, action_identifier: identifier } = params;
      await getBlueprintAction(deps, actor, blueprint, identifier);
      await deleteAction(deps, actor, identifier);
      return {};
    }),
  ];
}
