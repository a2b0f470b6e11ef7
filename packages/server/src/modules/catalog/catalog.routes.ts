import * as contract from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { AppError } from '../../platform/errors.ts';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { attachTitles } from './attach-titles.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { deleteEntities } from './delete-entities.ts';
import { noteRefusals, notingRefusal } from './note-refusals.ts';
import { presentEntity } from './present-entity.ts';
import {
  countBlueprint,
  getEntity,
  type Page,
  type ReadDeps,
  searchBlueprint,
  searchEverything,
} from './read-entities.ts';
import { bulkUpsertEntities, patchEntity, replaceEntity, upsertEntity, type Written } from './upsert-entities.ts';

export function catalogRoutes(deps: CatalogDeps): Route[] {
  return [...writeRoutes(deps), ...readRoutes(deps), ...deleteRoutes(deps)];
}

function writeRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.createEntity, async ({ params, query, body }, { actor }) => {
      const write = () => upsertEntity(deps, actor, params.blueprint_identifier, body, query);
      if (query.validation_only) return writtenAnswer(await write());
      const attempt = { action: 'CREATE', blueprint: params.blueprint_identifier, identifier: nameOf(body) } as const;
      return writtenAnswer(await notingRefusal(deps, actor, attempt, write));
    }),
    route(contract.bulkUpsertEntities, async ({ params, query, body }, { actor }) => {
      const outcomes = await bulkUpsertEntities(deps, actor, params.blueprint_identifier, body.entities, query);
      const { blueprint_identifier: blueprint } = params;
      const refused = outcomes.flatMap((outcome) =>
        'error' in outcome ? [{ action: 'CREATE' as const, blueprint, ...outcome }] : [],
      );
      if (!query.validation_only) await noteRefusals(deps, actor, refused);
      const entities = outcomes.flatMap((outcome, index) =>
        'error' in outcome ? [] : [{ identifier: outcome.identifier, index, created: outcome.isCreated }],
      );
      const errors = outcomes.flatMap((outcome, index) =>
        'error' in outcome ? [bulkError(outcome.error, outcome.identifier, index)] : [],
      );
      const status = errors.length > 0 ? 207 : 200;
      return new HttpAnswer({ ok: errors.length === 0, entities, errors }, { status });
    }),
    route(contract.replaceEntity, async ({ params, query, body }, { actor }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      const createMissing = query.create_missing_related_entities;
      const attempt = { action: 'UPDATE', blueprint, identifier } as const;
      const write = () => replaceEntity(deps, actor, blueprint, identifier, body, createMissing);
      return writtenAnswer(await notingRefusal(deps, actor, attempt, write));
    }),
    route(contract.patchEntity, async ({ params, query, body }, { actor }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      const createMissing = query.create_missing_related_entities;
      const attempt = { action: 'UPDATE', blueprint, identifier } as const;
      const write = () => patchEntity(deps, actor, blueprint, identifier, body, createMissing);
      return writtenAnswer(await notingRefusal(deps, actor, attempt, write));
    }),
  ];
}

function readRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.getEntity, async ({ params, query }, { actor }) => {
      const { blueprint, entity } = await getEntity(deps, actor, params.blueprint_identifier, params.entity_identifier);
      const [shown] = await presentPage(deps, actor, { blueprint, entities: [entity], next: undefined }, query);
      return { entity: shown as contract.Entity };
    }),
    route(contract.listEntities, async ({ params, query }, { actor }) => {
      const page = await searchBlueprint(deps, actor, params.blueprint_identifier, {});
      return { entities: await presentPage(deps, actor, page, query) };
    }),
    route(contract.countEntities, async ({ params }, { actor }) => {
      return { count: await countBlueprint(deps, actor, params.blueprint_identifier) };
    }),
    route(contract.searchBlueprintEntities, async ({ params, body }, { actor }) => {
      const page = await searchBlueprint(deps, actor, params.blueprint_identifier, body);
      const narrowing = { include: dotted(body.include, page), exclude: dotted(body.exclude, page) };
      const entities = await presentPage(deps, actor, page, narrowing);
      return { entities, ...(page.next ? { next: page.next } : {}) };
    }),
    route(contract.searchEntities, async ({ query, body }, { actor }) => {
      const { entities, blueprints } = await searchEverything(deps, actor, body);
      const shown = entities.map((entity) => {
        const blueprint = blueprints.get(entity.blueprintKey);
        return blueprint ? presentEntity(entity, blueprint, query) : {};
      });
      const matching = new Set(entities.map((entity) => blueprints.get(entity.blueprintKey)?.identifier ?? ''));
      const attached = query.attach_title_to_relation ? await attachTitles(deps, actor, entities, shown) : shown;
      return { entities: attached as Partial<contract.Entity>[], matchingBlueprints: [...matching].sort() };
    }),
  ];
}

function deleteRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.deleteEntity, async ({ params, query }, { actor }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      await deleteEntities(deps, actor, blueprint, [identifier], query.delete_dependents);
      return {};
    }),
    route(contract.bulkDeleteEntities, async ({ params, query, body }, { actor }) => {
      const { delete_dependents: cascade } = query;
      const deleted = await deleteEntities(deps, actor, params.blueprint_identifier, body.entities, cascade);
      return { deletedEntities: deleted };
    }),
  ];
}

/** The identifier that a body names; it may be generated, or found by a query. */
function nameOf({ identifier }: { readonly identifier?: unknown }): string | undefined {
  return typeof identifier === 'string' ? identifier : undefined;
}

/** The entity as a read would answer it, with a `Warning` header for what was kept but leads nowhere. */
function writtenAnswer({ entity, blueprint, warnings }: Written) {
  const headers: Record<string, string> = {};
  if (warnings.length > 0) headers['warning'] = warnings.map((text) => `299 portolan "${headerSafe(text)}"`).join(', ');
  return new HttpAnswer({ entity: presentEntity(entity, blueprint) as contract.Entity }, { headers });
}

/** Header values are Latin-1 without control characters; quotes would end the text (RFC 9110 §5.5). */
function headerSafe(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500);
}

async function presentPage(
  deps: ReadDeps,
  actor: Actor,
  { blueprint, entities }: Page,
  options: Partial<contract.EntityReadQuery>,
): Promise<Partial<contract.Entity>[]> {
  const shown = entities.map((entity) => presentEntity(entity, blueprint, options));
  const attached = options.attach_title_to_relation ? await attachTitles(deps, actor, entities, shown) : shown;
  return attached as Partial<contract.Entity>[];
}

/** Bare property and relation keys, and `$meta` names, as the dotted names of the entity's JSON. */
function dotted(names: readonly string[] | undefined, { blueprint }: Page): string[] | undefined {
  const relations = blueprint.definition.relations ?? {};
  return names?.map((name) => {
    if (name.startsWith('$')) return name.slice(1);
    return Object.hasOwn(relations, name) ? `relations.${name}` : `properties.${name}`;
  });
}

function bulkError(error: AppError, identifier: string, index: number) {
  return { identifier, index, statusCode: error.status, error: error.code, message: error.message };
}
