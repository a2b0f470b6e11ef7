import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { can } from '../rights/index.ts';
import { findBlueprint, listBlueprintAuthors, listBlueprintRows } from './blueprint.store.ts';
import { presentBlueprint, type StoredBlueprint } from './blueprint.ts';
import { readPermissions } from './change-permissions.ts';

/** The reads of the HTTP API for models. Blueprints whose entities the caller may not read are left out. */
export function blueprintTools({ database }: { database: Database }): ToolDeclaration[] {
  return [
    tool({
      name: 'list_blueprints',
      title: 'List blueprints',
      description:
        'Lists the kinds of things in the catalog (blueprints) with their properties and relations in short form. Call it first when you do not know which blueprint a word of the question means.',
      effect: 'read',
      scope: 'read:blueprints',
      audience: 'developer',
      texts: 'noted',
      aliases: ['get_blueprints'],
      input: z.strictObject({
        identifiers: z.array(z.string()).max(100).optional().describe('Only these blueprints'),
      }),
      run: async ({ actor }, { identifiers }) => {
        const all = await listBlueprintRows(database, actor.orgId);
        const readable = all.filter((blueprint) => can(actor, 'read', blueprint));
        const asked = identifiers ? readable.filter(({ identifier }) => identifiers.includes(identifier)) : readable;
        await noteTexts(database, actor, asked);
        return { blueprints: asked.map(shortForm) };
      },
    }),
    tool({
      name: 'get_blueprint',
      title: 'Get a blueprint',
      description:
        'Returns the full definition of one blueprint: properties, relations, computed properties, ownership.',
      effect: 'read',
      scope: 'read:blueprints',
      audience: 'developer',
      texts: 'noted',
      input: z.strictObject({ identifier: z.string().min(1).describe('Identifier of the blueprint') }),
      run: async ({ actor }, { identifier }) => {
        const blueprint = await findBlueprint(database, actor.orgId, identifier);
        if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', identifier);
        await noteTexts(database, actor, [blueprint]);
        return { blueprint: presentBlueprint(blueprint) };
      },
    }),
    tool({
      name: 'get_blueprint_permissions',
      title: 'Get the rights on entities',
      description: 'Tells who may register, read, update and remove the entities of a blueprint, part by part.',
      effect: 'read',
      scope: 'read:blueprints',
      audience: 'developer',
      input: z.strictObject({ identifier: z.string().min(1).describe('Identifier of the blueprint') }),
      run: async ({ actor }, { identifier }) => ({
        permissions: await readPermissions({ database }, actor, identifier),
      }),
    }),
  ];
}

async function noteTexts(
  database: Database,
  { orgId, textsRead }: Actor,
  shown: readonly StoredBlueprint[],
): Promise<void> {
  if (!textsRead) return;
  const names = shown.map(({ identifier }) => identifier);
  const found = await listBlueprintAuthors(database, orgId, names);
  for (const { identifier, authors } of found) textsRead.add(authors, `the blueprint ${identifier}`);
}

function shortForm({ identifier, definition }: StoredBlueprint) {
  const computed = [
    ...Object.entries(definition.mirrorProperties ?? {}).map(
      ([key, { title, path }]) => [key, { title, path }] as const,
    ),
    ...Object.entries(definition.calculationProperties ?? {}).map(
      ([key, { title, type }]) => [key, { title, type }] as const,
    ),
    ...Object.entries(definition.aggregationProperties ?? {}).map(
      ([key, { title }]) => [key, { title, type: 'number' }] as const,
    ),
  ];
  return {
    identifier,
    title: definition.title,
    ...(definition.description ? { description: definition.description } : {}),
    properties: Object.fromEntries(
      Object.entries(definition.schema.properties).map(([key, { type, title, format, enum: values }]) => [
        key,
        { type, ...(title && { title }), ...(format && { format }), ...(values && { enum: values }) },
      ]),
    ),
    ...(computed.length > 0 ? { computedProperties: Object.fromEntries(computed) } : {}),
    relations: Object.fromEntries(
      Object.entries(definition.relations ?? {}).map(([key, { target, many, title }]) => [
        key,
        { target, many, ...(title && { title }) },
      ]),
    ),
    ...(definition.ownership ? { ownership: definition.ownership } : {}),
  };
}
