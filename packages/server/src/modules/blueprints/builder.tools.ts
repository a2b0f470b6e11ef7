import { blueprintPermissionsBody } from '@portolan/contract/blueprint-permissions';
import { blueprintBody, blueprintPatch } from '@portolan/contract/blueprints';
import { z } from 'zod';
import { readDefinition } from '../../platform/tools/definition.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { findBlueprint } from './blueprint.store.ts';
import { presentBlueprint } from './blueprint.ts';
import type { BlueprintsDeps } from './blueprints.deps.ts';
import { changePermissions } from './change-permissions.ts';
import {
  createBlueprint,
  deleteBlueprint,
  patchBlueprint,
  replaceBlueprint,
  type WrittenBlueprint,
} from './write-blueprint.ts';

const identifier = z.string().min(1).describe('Identifier of the blueprint');

/** Changes of blueprints by administrators over MCP. */
export function blueprintBuilderTools(deps: BlueprintsDeps): ToolDeclaration[] {
  return [upsertTool(deps), deleteTool(deps), permissionsTool(deps)];
}

function upsertTool(deps: BlueprintsDeps): ToolDeclaration {
  return tool({
    name: 'upsert_blueprint',
    title: 'Create or change a blueprint',
    description:
      'Creates the blueprint if its identifier is new; else changes what is named and leaves the rest: inside schema.properties, relations and computed properties each key is replaced whole, and null removes it. With replace the definition becomes exactly what is given, and properties that are left out are removed with their values.',
    effect: 'destructive',
    scope: ['create:blueprints', 'update:blueprints'],
    audience: 'builder',
    aliases: ['create_blueprint', 'update_blueprint'],
    input: z.strictObject({
      blueprint: blueprintPatch.extend({ identifier }),
      replace: z.boolean().default(false).describe('Whether the whole definition is replaced'),
    }),
    run: async ({ actor }, { blueprint, replace }) => {
      const exists = await findBlueprint(deps.database, actor.orgId, blueprint.identifier);
      if (exists && !replace) {
        return written(false, await patchBlueprint(deps, actor, blueprint.identifier, blueprint));
      }
      const whole = readDefinition(blueprintBody, blueprint, 'blueprint');
      if (exists) return written(false, await replaceBlueprint(deps, actor, whole.identifier, whole));
      return written(true, await createBlueprint(deps, actor, whole, { withCatalogPage: true }));
    },
  });
}

function written(isCreated: boolean, { blueprint, warnings }: WrittenBlueprint) {
  const told = warnings.length > 0 ? { warnings } : {};
  return { created: isCreated, blueprint: presentBlueprint(blueprint), ...told };
}

function deleteTool(deps: BlueprintsDeps): ToolDeclaration {
  return tool({
    name: 'delete_blueprint',
    title: 'Delete a blueprint',
    description:
      'Deletes a blueprint that has no entities and that nothing refers to; the error names what stands in the way.',
    effect: 'destructive',
    scope: 'delete:blueprints',
    audience: 'builder',
    input: z.strictObject({
      identifier,
      deleteActions: z.boolean().default(false).describe('Whether its actions go with it'),
    }),
    run: async ({ actor }, input) => {
      await deleteBlueprint(deps, actor, input.identifier, { withActions: input.deleteActions });
      return { deleted: input.identifier };
    },
  });
}

function permissionsTool(deps: BlueprintsDeps): ToolDeclaration {
  return tool({
    name: 'update_blueprint_permissions',
    title: 'Change who may do what with entities',
    description:
      'Changes the rights on the entities of a blueprint block by block (register, update, unregister, read); blocks and lists that are not named stay, a policy that a named block leaves out is removed. Read them first with get_blueprint_permissions.',
    effect: 'destructive',
    scope: 'update:blueprints',
    audience: 'builder',
    input: z.strictObject({ identifier, permissions: blueprintPermissionsBody }),
    run: ({ actor }, input) => changePermissions(deps, actor, input.identifier, input.permissions),
  });
}
