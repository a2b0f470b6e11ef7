import { entityBody } from '@portolan/contract/entities';
import { z } from 'zod';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { notingRefusal } from './audit-refusals.ts';
import { deleteEntities } from './delete-entities.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { presentEntities } from './present-entities.ts';
import { upsertEntity } from './upsert-entities.ts';

const blueprint = z.string().min(1).describe('Identifier of the blueprint');

/** Changes of entities by administrators over MCP. */
export function entityBuilderTools(deps: CatalogDeps): ToolDeclaration[] {
  return [upsertTool(deps), deleteTool(deps)];
}

function upsertTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'upsert_entity',
    title: 'Create or change an entity',
    description:
      'Creates the entity if its identifier is new in the blueprint; else changes the properties and relations that are named and leaves the rest. With replace, what is not named is cleared. Read the blueprint first: properties that it does not have are refused.',
    effect: 'destructive',
    scope: ['create:entities', 'update:entities'],
    audience: 'builder',
    aliases: ['create_entity', 'update_entity'],
    isIdempotent: true,
    input: z.strictObject({
      blueprint,
      entity: entityBody.strict(),
      replace: z.boolean().default(false).describe('Whether what is not named is cleared'),
      createMissingRelatedEntities: z
        .boolean()
        .default(false)
        .describe('Whether targets that do not exist are created'),
    }),
    run: async ({ actor }, input) => {
      const { identifier } = input.entity;
      const flags = {
        upsert: true,
        merge: !input.replace,
        validation_only: false,
        create_missing_related_entities: input.createMissingRelatedEntities,
      };
      const attempt = { action: 'CREATE', blueprint: input.blueprint, identifier } as const;
      const write = () => upsertEntity(deps, actor, input.blueprint, input.entity, flags);
      const written = await notingRefusal(deps, actor, attempt, write);
      const [entity] = await presentEntities(deps, actor, written.blueprint, [written.entity]);
      return {
        created: written.isCreated,
        entity,
        ...(written.warnings.length > 0 ? { warnings: written.warnings } : {}),
        ...(written.credentials
          ? { note: 'Credentials were made for it. They are not shown here; rotate them over the API to get some.' }
          : {}),
      };
    },
  });
}

function deleteTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'delete_entity',
    title: 'Delete an entity',
    description:
      'Deletes one entity. If others require it, the error names them; deleteDependents deletes those too, which cannot be undone.',
    effect: 'destructive',
    scope: 'delete:entities',
    audience: 'builder',
    input: z.strictObject({
      blueprint,
      identifier: z.string().min(1).describe('Identifier of the entity'),
      deleteDependents: z.boolean().default(false).describe('Whether entities that require it are deleted too'),
    }),
    run: async ({ actor }, input) => {
      const deleted = await deleteEntities(deps, actor, input.blueprint, [input.identifier], {
        deleteDependents: input.deleteDependents,
        isFromPath: true,
      });
      return { deleted };
    },
  });
}
