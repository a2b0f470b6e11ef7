import type { Effect } from '@portolan/contract/effects';
import { createEntity, deleteEntity, entityWriteBody, patchEntity, replaceEntity } from '@portolan/contract/entities';
import type { Operation } from '@portolan/contract/operation';
import type { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireScope } from '../../../platform/scopes.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { type ExactEffect, effectOfDeletion, effectOfWrite } from '../../entities/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { isTrue } from '../dispatch/backend.ts';
import { operationFor } from '../dispatch/call-address.ts';
import { runActor } from '../dispatch/run-actors.ts';
import type { StoredRun } from './run.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: false } as const;

/**
 * What a run would do if it were approved now, as far as the reader may know. What writes entities here is done and
 * taken back, so it is exact; of everything else only the receiver is told.
 */
export async function readEffect(
  deps: ActionsDeps,
  reader: Actor,
  run: StoredRun,
  request: Readonly<Record<string, unknown>>,
): Promise<Effect> {
  const { invocationMethod } = run.action.definition;
  const actor = await runActor(deps, reader.orgId, run);
  if (!actor) return unknown();
  try {
    if (invocationMethod.type === 'UPSERT_ENTITY')
      return exact(await effectOfUpsert(deps, { actor, reader }, run, request));
    if (invocationMethod.type === 'WEBHOOK') return await effectOfCall(deps, { actor, reader }, run, request);
    return unknown(invocationMethod.type);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // why it is refused may name what the reader may not see
    const isKnown = error.code === 'has_dependents' || error.code === 'invalid_request';
    const why =
      isKnown && reader.roles.includes('Admin') ? error.message : 'The request would be refused as things are';
    return { ...unknown(), problems: [why] };
  }
}

interface People {
  /** Who would do it. */
  readonly actor: Actor;
  /** Who reads about it. */
  readonly reader: Actor;
}

async function effectOfUpsert(
  deps: ActionsDeps,
  people: People,
  run: StoredRun,
  { blueprintIdentifier: blueprint, mapping }: Readonly<Record<string, unknown>>,
): Promise<ExactEffect> {
  const { invocationMethod: written } = run.action.definition;
  const isNamed = written.type === 'UPSERT_ENTITY' && written.blueprintIdentifier === blueprint;
  const body = entityWriteBody.safeParse(mapping ?? {});
  if (typeof blueprint !== 'string' || !body.success) throw refused();
  if (!isNamed && (await findBlueprint(deps.database, people.actor.orgId, blueprint))?.isSystem) throw refused();
  requireScope(people.actor, createEntity);
  return effectOfWrite(deps.catalog, people, blueprint, { kind: 'upsert', body: body.data, flags });
}

async function effectOfCall(
  deps: ActionsDeps,
  people: People,
  run: StoredRun,
  { url, method: given, headers, body, agent }: Readonly<Record<string, unknown>>,
): Promise<Effect> {
  if (typeof url !== 'string') return unknown();
  const method = String(given ?? 'POST').toUpperCase();
  const path = isTrue(agent) ? undefined : deps.ownApi.pathOf(url);
  if (path === undefined) return unknown(URL.canParse(url) ? new URL(url).host : undefined);
  const operation = await operationFor(deps, {
    written: run.action.definition.invocationMethod as Readonly<Record<string, unknown>>,
    actor: people.actor,
    path,
    method,
  });
  const declared: Effect = { ...unknown(operation.summary), certainty: 'declared' };
  // a call with a token of its own acts with rights that are not known here
  const bringsToken = Object.keys((headers ?? {}) as object).some((name) => name.toLowerCase() === 'authorization');
  if (bringsToken) return declared;
  requireScope(people.actor, operation);
  const found = await effectOfOperation(deps, people, operation, path, body);
  return found ? exact(found) : declared;
}

/** Undefined for operations whose effect is not worked out. */
async function effectOfOperation(
  { catalog }: ActionsDeps,
  people: People,
  operation: Operation,
  path: string,
  body: unknown,
): Promise<ExactEffect | undefined> {
  const { pathname, searchParams } = new URL(path, 'http://own');
  const params = paramsOf(operation, pathname);
  const asked = Object.fromEntries(searchParams);
  // whether that version is still the stored one is known only when it is sent
  if ('expectedVersion' in asked) return undefined;
  const { blueprint_identifier: blueprint = '', entity_identifier: identifier = '' } = params;
  switch (operation.id) {
    case 'deleteEntity': {
      const query = parsed(deleteEntity.query, asked);
      return effectOfDeletion(catalog, people, blueprint, identifier, query.delete_dependents);
    }
    case 'createEntity': {
      const { upsert, merge, create_missing_related_entities } = parsed(createEntity.query, asked);
      const written = parsed(createEntity.body, toJson(body));
      const chosen = { upsert, merge, create_missing_related_entities, validation_only: false };
      return effectOfWrite(catalog, people, blueprint, { kind: 'upsert', body: written, flags: chosen });
    }
    case 'patchEntity':
    case 'replaceEntity': {
      const isPatch = operation.id === 'patchEntity';
      const { create_missing_related_entities } = parsed(isPatch ? patchEntity.query : replaceEntity.query, asked);
      return effectOfWrite(catalog, people, blueprint, {
        kind: isPatch ? 'patch' : 'replace',
        identifier,
        body: parsed(isPatch ? patchEntity.body : replaceEntity.body, toJson(body)),
        flags: { create_missing_related_entities },
      });
    }
    default:
      return undefined;
  }
}

function paramsOf({ path }: Operation, pathname: string): Partial<Record<string, string>> {
  const given = pathname.split('/');
  return Object.fromEntries(
    path.split('/').flatMap((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name ? [[name, decodeURIComponent(given[at] ?? '')] as const] : [];
    }),
  );
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw refused();
  return result.data;
}

function toJson(body: unknown): unknown {
  if (typeof body !== 'string') return body ?? {};
  try {
    return JSON.parse(body);
  } catch {
    throw refused();
  }
}

function refused(): AppError {
  return new AppError('invalid_request', 'The request is not one that the API takes');
}

const nothingKnown = { changes: [], dependents: [], referencedBy: [], isPartial: false, isReversible: false };

function unknown(target?: string): Effect {
  return {
    ...nothingKnown,
    certainty: 'unknown',
    summary: { verb: 'call', count: 1 },
    ...(target === undefined ? {} : { target }),
    problems: [],
  };
}

function exact(found: ExactEffect): Effect {
  return { ...found, certainty: 'exact', problems: [] };
}
