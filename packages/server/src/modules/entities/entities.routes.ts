import * as contract from '@portolan/contract/entities';
import * as history from '@portolan/contract/entity-history';
import * as unknownProperties from '@portolan/contract/unknown-properties';
import type { Actor } from '../../platform/actor.ts';
import type { AppError } from '../../platform/errors.ts';
import { JsonStreamAnswer } from '../../platform/http/json-stream.ts';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { warningHeader } from '../../platform/http/warning.ts';
import { readCondition } from '../access/index.ts';
import { ofBlueprint } from '../entity-query/index.ts';
import { allOf, entityTag, parseExpectedVersion } from '../entity-rows/index.ts';
import { noteRefusals, notingRefusal } from './audit-refusals.ts';
import { deleteEntities } from './delete-entities.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { effectOfDeletion } from './entity-effect.ts';
import { entityParts, shownParts } from './list-entities.ts';
import { listChanges, readEntityChanges } from './past/entity-changes.ts';
import { getPastEntity } from './past/get-past-entity.ts';
import { createPresenter, presentEntities } from './present-entities.ts';
import { getEntity, readableBlueprint } from './read-entities.ts';
import { listUnknownProperties } from './unknown-properties/list-unknown-properties.ts';
import { bulkUpsertEntities, patchEntity, replaceEntity, type UpsertResult, upsertEntity } from './upsert-entities.ts';

export function catalogRoutes(deps: CatalogDeps): Route[] {
  return [...writeRoutes(deps), ...readRoutes(deps), ...deleteRoutes(deps)];
}

function writeRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.createEntity, async ({ params, query, body }, { actor, headers }) => {
      const flags = { ...query, expectedVersion: parseExpectedVersion(headers, query) };
      const write = () => upsertEntity(deps, actor, params.blueprint_identifier, body, flags);
      if (query.validation_only) return writtenAnswer(deps, actor, await write());
      const attempt = {
        action: 'CREATE',
        blueprint: params.blueprint_identifier,
        identifier: readIdentifier(body),
      } as const;
      return writtenAnswer(deps, actor, await notingRefusal(deps, actor, attempt, write));
    }),
    route(contract.bulkUpsertEntities, async ({ params, query, body }, { actor }) => {
      const outcomes = await bulkUpsertEntities(deps, actor, params.blueprint_identifier, body.entities, query);
      const { blueprint_identifier: blueprint } = params;
      const refused = outcomes.flatMap((outcome) =>
        'error' in outcome ? [{ action: 'CREATE' as const, blueprint, ...outcome }] : [],
      );
      if (!query.validation_only) await noteRefusals(deps, actor, refused);
      const entities = outcomes.flatMap((outcome, index) =>
        'error' in outcome
          ? []
          : [
              {
                identifier: outcome.identifier,
                index,
                created: outcome.isCreated,
                ...additionalData(outcome.credentials),
                ...presentWarnings(outcome),
              },
            ],
      );
      const errors = outcomes.flatMap((outcome, index) =>
        'error' in outcome ? [bulkError(outcome.error, outcome.identifier, index)] : [],
      );
      const status = errors.length > 0 ? 207 : 200;
      const warnings = new Set(entities.flatMap((each) => each.warnings ?? []));
      const headers = warningHeader([...warnings]);
      return new HttpAnswer({ ok: errors.length === 0, entities, errors }, { status, headers });
    }),
    route(contract.replaceEntity, async ({ params, query, body }, { actor, headers }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      const flags = { ...query, expectedVersion: parseExpectedVersion(headers, query) };
      const write = () => replaceEntity(deps, actor, blueprint, identifier, body, flags);
      const written = await notingRefusal(deps, actor, { action: 'UPDATE', blueprint, identifier }, write);
      return writtenAnswer(deps, actor, written);
    }),
    route(contract.patchEntity, async ({ params, query, body }, { actor, headers }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      const flags = { ...query, expectedVersion: parseExpectedVersion(headers, query) };
      const write = () => patchEntity(deps, actor, blueprint, identifier, body, flags);
      const written = await notingRefusal(deps, actor, { action: 'UPDATE', blueprint, identifier }, write);
      return writtenAnswer(deps, actor, written);
    }),
  ];
}

function readRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.getEntity, async ({ params, query }, { actor }) => {
      if (query.as_of) {
        const { blueprint_identifier: type, entity_identifier: identifier } = params;
        return new HttpAnswer(await getPastEntity(deps, actor, type, identifier, query.as_of, query));
      }
      const { blueprint, entity } = await getEntity(deps, actor, params.blueprint_identifier, params.entity_identifier);
      const [shown] = await presentEntities(deps, actor, blueprint, [entity], query);
      return new HttpAnswer({ entity: shown as contract.Entity }, { headers: { etag: entityTag(entity) } });
    }),
    route(history.getEntityChanges, async ({ params, query }, { actor }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      return { change: await readEntityChanges(deps, actor, blueprint, identifier, query) };
    }),
    route(history.listEntityChanges, async ({ params, query }, { actor }) => {
      const { next, ...page } = await listChanges(deps, actor, params.blueprint_identifier, query);
      return { ...page, ...(next ? { next } : {}) };
    }),
    route(contract.listEntities, async ({ params, query }, { actor }) => {
      const blueprint = await readableBlueprint(deps, actor, params.blueprint_identifier);
      const condition = allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint)]);
      const present = await createPresenter(deps, actor, new Map([[blueprint.key, blueprint]]), query);
      return new JsonStreamAnswer('entities', shownParts(entityParts(deps, actor, condition), present));
    }),
    route(unknownProperties.listUnknownProperties, async ({ params }, { actor }) => ({
      properties: await listUnknownProperties(deps, actor, params.blueprint_identifier),
    })),
  ];
}

function deleteRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.previewDeletion, async ({ params, query }, { actor }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      const people = { actor, reader: actor };
      const found = await effectOfDeletion(deps, people, blueprint, identifier, query.delete_dependents);
      return { effect: { ...found, certainty: 'exact' as const, problems: [] } };
    }),
    route(contract.deleteEntity, async ({ params, query }, { actor, headers }) => {
      const { blueprint_identifier: blueprint, entity_identifier: identifier } = params;
      await deleteEntities(deps, actor, blueprint, [identifier], {
        deleteDependents: query.delete_dependents,
        expectedVersion: parseExpectedVersion(headers, query),
        isFromPath: true,
      });
      return {};
    }),
    route(contract.bulkDeleteEntities, async ({ params, query, body }, { actor }) => {
      const options = { deleteDependents: query.delete_dependents };
      const deleted = await deleteEntities(deps, actor, params.blueprint_identifier, body.entities, options);
      return { deletedEntities: deleted };
    }),
  ];
}

/** The identifier in a body; it may also be generated or found by a query. */
function readIdentifier({ identifier }: { readonly identifier?: unknown }): string | undefined {
  return typeof identifier === 'string' ? identifier : undefined;
}

/** The entity as a read answers it, with a `Warning` header for what was kept without effect. */
async function writtenAnswer(deps: CatalogDeps, actor: Actor, written: UpsertResult) {
  const { entity, blueprint, warnings, credentials } = written;
  const headers = { ...warningHeader(warnings), etag: entityTag(entity) };
  const [shown] = await presentEntities(deps, actor, blueprint, [entity]);
  const answer = { entity: shown as contract.Entity, ...additionalData(credentials), ...presentWarnings(written) };
  return new HttpAnswer(answer, { headers });
}

function presentWarnings({ warnings }: Pick<UpsertResult, 'warnings'>) {
  return warnings.length > 0 ? { warnings: [...warnings] } : {};
}

function additionalData(credentials: UpsertResult['credentials']) {
  return credentials ? { additionalData: { credentials: { ...credentials } } } : {};
}

function bulkError(error: AppError, identifier: string, index: number) {
  return { identifier, index, statusCode: error.status, error: error.code, message: error.message };
}
