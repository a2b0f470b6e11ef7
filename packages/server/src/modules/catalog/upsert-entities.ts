import type { EntityBody } from '@portolan/contract';
import { entityBody } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { issuesOf } from '../../platform/http/issues.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { authorise } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import type { StoredEntity } from './entity.ts';
import type { Item, Outcome, WriteOptions } from './entity-write.ts';
import { itemOf, writeEntities } from './write-entities.ts';

export interface UpsertFlags {
  readonly upsert: boolean;
  readonly merge: boolean;
  readonly validation_only: boolean;
  readonly create_missing_related_entities: boolean;
}

export interface Written {
  readonly entity: StoredEntity;
  readonly blueprint: StoredBlueprint;
  readonly isCreated: boolean;
  /** Sentences for the `Warning` header. */
  readonly warnings: readonly string[];
}

/** Creates an entity; with `upsert` overwrites one that exists, with `merge` beside it changes only what is named. */
export function upsertEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  body: EntityBody,
  flags: UpsertFlags,
): Promise<Written> {
  return writeOne(deps, actor, blueprint, itemOf(body), optionsOf(flags));
}

/** Replaces an entity that exists; another identifier in the body renames it. @throws AppError `not_found` */
export function replaceEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
  body: EntityBody,
  createMissingRelated: boolean,
): Promise<Written> {
  const item = { target: identifier, body: { ...body, identifier: body.identifier ?? identifier } };
  return writeOne(deps, actor, blueprint, item, { ...changeOptions(createMissingRelated), mode: 'replace' });
}

/** Changes what the body names of an entity that exists; null clears. @throws AppError `not_found` */
export function patchEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
  body: EntityBody,
  createMissingRelated: boolean,
): Promise<Written> {
  const item = { target: identifier, body: { ...body, identifier: body.identifier ?? identifier } };
  return writeOne(deps, actor, blueprint, item, { ...changeOptions(createMissingRelated), mode: 'merge' });
}

/** Up to 20 entities, each for itself; answers every item in the order of the request. */
export function bulkUpsertEntities(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  bodies: readonly unknown[],
  flags: UpsertFlags,
): Promise<(Outcome & { readonly identifier: string })[]> {
  const parsed = bodies.map(parseItem);
  return deps.unitOfWork(actor, async (work) => {
    const held = await openForWriting(work, blueprint, flags.upsert);
    const items = parsed.flatMap((item) => ('error' in item ? [] : [item]));
    const outcomes = await writeEntities(deps, work, held, items, optionsOf(flags));
    return parsed.map((item) =>
      'error' in item ? item : { ...(outcomes[items.indexOf(item)] as Outcome), identifier: item.body.identifier },
    );
  });
}

/** Items are read one by one so that one that is malformed does not refuse the request. */
function parseItem(body: unknown): Item | { readonly error: AppError; readonly identifier: string } {
  const result = entityBody.safeParse(body);
  if (result.success) return itemOf(result.data);
  const named = (body as { identifier?: unknown } | null)?.identifier;
  return {
    error: invalidRequest(issuesOf(result.error), 'The entity'),
    identifier: typeof named === 'string' ? named : 'unknown',
  };
}

function writeOne(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  item: Item,
  options: WriteOptions,
): Promise<Written> {
  return deps.unitOfWork(actor, async (work) => {
    const held = await openForWriting(work, blueprint, options.expects !== 'new');
    const [outcome] = await writeEntities(deps, work, held, [item], options);
    if (!outcome) throw new AppError('internal_error', 'The write had no outcome');
    if ('error' in outcome) throw outcome.error;
    return { ...outcome, blueprint: held };
  });
}

/** Holds the blueprint as it is until the transaction ends, and checks the right to write its entities. */
async function openForWriting(work: Work, identifier: string, mayUpdate: boolean): Promise<StoredBlueprint> {
  const blueprint = await holdBlueprint(work.tx, work.actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  authorise(work.actor, mayUpdate ? 'update' : 'register', blueprint);
  return blueprint;
}

function optionsOf(flags: UpsertFlags): WriteOptions {
  return {
    mode: flags.upsert && flags.merge ? 'merge' : 'replace',
    expects: flags.upsert ? 'either' : 'new',
    createMissingRelated: flags.create_missing_related_entities,
    validationOnly: flags.validation_only,
  };
}

function changeOptions(createMissingRelated: boolean) {
  return { expects: 'existing', createMissingRelated, validationOnly: false } as const;
}
