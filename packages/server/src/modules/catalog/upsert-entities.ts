import type { EntityBody } from '@portolan/contract';
import { entityBody } from '@portolan/contract';
import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { issuesOf } from '../../platform/http/issues.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { holdBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { authorise, can, type EntityVerb } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { findEntity, teamForm } from './entity.store.ts';
import type { ReadEntity } from './entity.ts';
import type { Item, Outcome, WriteOptions } from './entity-write.ts';
import { itemOf, writeEntities } from './write-entities.ts';

export interface UpsertFlags {
  readonly upsert: boolean;
  readonly merge: boolean;
  readonly validation_only: boolean;
  readonly create_missing_related_entities: boolean;
}

export interface Written {
  readonly entity: ReadEntity;
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
  return writeOne(deps, actor, blueprint, itemOf(body), optionsOf(flags), flags.validation_only);
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
  return writing(deps.unitOfWork, actor, flags.validation_only, async (work) => {
    const held = await openForWriting(work, blueprint, flags.upsert ? ['update', 'register'] : ['register']);
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
  isRehearsal = false,
): Promise<Written> {
  return writing(deps.unitOfWork, actor, isRehearsal, async (work) => {
    const verbs = {
      fresh: ['register'],
      new: ['register'],
      existing: ['update'],
      either: ['update', 'register'],
    } as const;
    const held = await openForWriting(work, blueprint, verbs[options.expects]);
    const [outcome] = await writeEntities(deps, work, held, [item], options);
    if (!outcome) throw new AppError('internal_error', 'The write had no outcome');
    if ('error' in outcome) throw outcome.error;
    // read here and not after the commit: the entity may be gone by then, and the write did succeed
    const where = { orgId: actor.orgId, blueprintKey: held.key, identifier: outcome.entity.identifier };
    const entity = (await findEntity(work.tx, where, teamForm(actor.model), sql`true`)) as ReadEntity;
    return { ...outcome, entity, blueprint: held };
  });
}

/** Carries the answer of a rehearsal out of the transaction that is taken back. */
class Rehearsed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('This was a rehearsal');
    this.answer = answer;
  }
}

/** Does the work, or with `isRehearsal` does it and takes it back: the same checks and answer, and nothing written. */
async function writing<T>(
  unitOfWork: UnitOfWork,
  actor: Actor,
  isRehearsal: boolean,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  if (!isRehearsal) return unitOfWork(actor, body);
  try {
    return await unitOfWork(actor, async (work) => {
      throw new Rehearsed(await body(work));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.answer as T;
    throw error;
  }
}

/** Holds the blueprint as it is until the transaction ends, and checks for a right to write some of its entities. */
async function openForWriting(work: Work, identifier: string, verbs: readonly EntityVerb[]): Promise<StoredBlueprint> {
  const blueprint = await holdBlueprint(work.tx, work.actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  if (!verbs.some((verb) => can(work.actor, verb, blueprint))) authorise(work.actor, verbs[0] as EntityVerb, blueprint);
  return blueprint;
}

function optionsOf(flags: UpsertFlags): WriteOptions {
  return {
    mode: flags.upsert && flags.merge ? 'merge' : 'replace',
    expects: flags.upsert ? 'either' : 'new',
    createMissingRelated: flags.create_missing_related_entities,
  };
}

function changeOptions(createMissingRelated: boolean) {
  return { expects: 'existing', createMissingRelated } as const;
}
