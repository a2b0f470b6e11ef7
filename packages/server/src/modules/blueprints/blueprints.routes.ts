import * as blueprintPermissions from '@portolan/contract/blueprint-permissions';
import * as contract from '@portolan/contract/blueprints';
import { notFound } from '../../platform/errors.ts';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { warningHeader } from '../../platform/http/warning.ts';
import { can } from '../rights/index.ts';
import { findBlueprint, listBlueprintRows } from './blueprint.store.ts';
import { presentBlueprint } from './blueprint.ts';
import type { BlueprintsDeps } from './blueprints.deps.ts';
import { changePermissions, readPermissions } from './change-permissions.ts';
import { renameBlueprintKey } from './rename-key.ts';
import { resultTargets } from './scorecard-blueprints.ts';
import { agentSchemaIn, systemBlueprint } from './system-blueprints.ts';
import {
  createBlueprint,
  deleteBlueprint,
  patchBlueprint,
  replaceBlueprint,
  type WrittenBlueprint,
} from './write-blueprint.ts';

export function blueprintRoutes(deps: BlueprintsDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listBlueprints, async (_input, { actor }) => {
      const blueprints = await listBlueprintRows(database, actor.orgId);
      return { blueprints: blueprints.filter((each) => can(actor, 'read', each)).map(presentBlueprint) };
    }),
    route(contract.createBlueprint, async ({ query, body }, { actor }) =>
      answer(await createBlueprint(deps, actor, body, { withCatalogPage: query.create_catalog_page }), 201),
    ),
    route(contract.getBlueprint, async ({ params }, { actor }) => {
      const blueprint = await findBlueprint(database, actor.orgId, params.blueprint_identifier);
      if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', params.blueprint_identifier);
      return { blueprint: presentBlueprint(blueprint) };
    }),
    route(contract.replaceBlueprint, async ({ params, body }, { actor }) =>
      answer(await replaceBlueprint(deps, actor, params.blueprint_identifier, body)),
    ),
    route(contract.patchBlueprint, async ({ params, body }, { actor }) =>
      answer(await patchBlueprint(deps, actor, params.blueprint_identifier, body)),
    ),
    route(contract.deleteBlueprint, async ({ params, query }, { actor }) => {
      const options = { withActions: query.delete_actions };
      await deleteBlueprint(deps, actor, params.blueprint_identifier, options);
      return {};
    }),
    route(contract.getSystemBlueprintStructure, async ({ params }, { actor }) => {
      const exists = await findBlueprint(database, actor.orgId, params.blueprint_identifier);
      const schema = exists && agentSchemaIn(exists);
      const structure = systemBlueprint(params.blueprint_identifier, actor.model, schema);
      if (!structure || !exists || !can(actor, 'read', exists))
        throw notFound('System blueprint', params.blueprint_identifier);
      const targets = resultTargets(exists);
      return {
        blueprint: { ...structure, ...(structure.relations && { relations: { ...structure.relations, ...targets } }) },
      };
    }),
    ...renameRoutes(deps),
    route(blueprintPermissions.getBlueprintPermissions, async ({ params }, { actor }) => ({
      permissions: await readPermissions(deps, actor, params.blueprint_identifier),
    })),
    route(blueprintPermissions.patchBlueprintPermissions, async ({ params, body }, { actor }) => {
      const { permissions, warnings } = await changePermissions(deps, actor, params.blueprint_identifier, body);
      return new HttpAnswer({ permissions }, { headers: warningHeader(warnings) });
    }),
  ];
}

function answer({ blueprint, warnings, echo }: WrittenBlueprint, status = 200) {
  const shown = { ...presentBlueprint(blueprint), ...echo };
  return new HttpAnswer({ blueprint: shown }, { status, headers: warningHeader(warnings) });
}

function renameRoutes(deps: BlueprintsDeps): Route[] {
  const rename = async (
    actor: Parameters<typeof renameBlueprintKey>[1],
    blueprint: string,
    change: Parameters<typeof renameBlueprintKey>[3],
  ) => ({ blueprint: presentBlueprint(await renameBlueprintKey(deps, actor, blueprint, change)) });
  return [
    route(contract.renameProperty, ({ params, body }, { actor }) => {
      const change = { kind: 'property', from: params.property_identifier, to: body.newPropertyName } as const;
      return rename(actor, params.blueprint_identifier, change);
    }),
    route(contract.renameMirror, ({ params, body }, { actor }) => {
      const change = { kind: 'mirror', from: params.property_identifier, to: body.newMirrorName } as const;
      return rename(actor, params.blueprint_identifier, change);
    }),
    route(contract.renameRelation, ({ params, body }, { actor }) => {
      const change = { kind: 'relation', from: params.relation_identifier, to: body.newRelationIdentifier } as const;
      return rename(actor, params.blueprint_identifier, change);
    }),
  ];
}
