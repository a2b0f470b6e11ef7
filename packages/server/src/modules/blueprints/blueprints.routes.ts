import * as contract from '@portolan/contract';
import { notFound } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { findBlueprint, listBlueprintRows } from './blueprint.store.ts';
import { presentBlueprint } from './blueprint.ts';
import type { BlueprintsDeps } from './blueprints.module.ts';
import { systemBlueprint } from './system-blueprints.ts';
import { createBlueprint, deleteBlueprint, patchBlueprint, replaceBlueprint } from './write-blueprint.ts';

export function blueprintRoutes(deps: BlueprintsDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listBlueprints, async (_input, { actor }) => {
      const blueprints = await listBlueprintRows(database, actor.orgId);
      return { blueprints: blueprints.map(presentBlueprint) };
    }),
    route(contract.createBlueprint, async ({ body }, { actor }) => ({
      blueprint: presentBlueprint(await createBlueprint(deps, actor, body)),
    })),
    route(contract.getBlueprint, async ({ params }, { actor }) => {
      const blueprint = await findBlueprint(database, actor.orgId, params.blueprint_identifier);
      if (!blueprint) throw notFound('Blueprint', params.blueprint_identifier);
      return { blueprint: presentBlueprint(blueprint) };
    }),
    route(contract.replaceBlueprint, async ({ params, body }, { actor }) => ({
      blueprint: presentBlueprint(await replaceBlueprint(deps, actor, params.blueprint_identifier, body)),
    })),
    route(contract.patchBlueprint, async ({ params, body }, { actor }) => ({
      blueprint: presentBlueprint(await patchBlueprint(deps, actor, params.blueprint_identifier, body)),
    })),
    route(contract.deleteBlueprint, async ({ params }, { actor }) => {
      await deleteBlueprint(deps, actor, params.blueprint_identifier);
      return {};
    }),
    route(contract.getSystemBlueprintStructure, async ({ params }, { actor }) => {
      const structure = systemBlueprint(params.blueprint_identifier, actor.model);
      const exists = await findBlueprint(database, actor.orgId, params.blueprint_identifier);
      if (!structure || !exists) throw notFound('System blueprint', params.blueprint_identifier);
      return { blueprint: structure };
    }),
  ];
}
