import { call } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { isSame } from '../entity-form/form-values.ts';
import { type Field, type FieldEntity, fieldValue, relationKey } from './fields.ts';

/** A value that many entities are to have; null empties. */
export interface Change {
  readonly field: Field;
  readonly value: unknown;
}

export interface Refused {
  readonly identifier: string;
  readonly title: string;
  readonly reason: string;
}

export interface Outcome {
  readonly done: readonly FieldEntity[];
  readonly refused: readonly Refused[];
}

/** What one call of the bulk operation takes. */
const perCall = 20;
/** How many entities are changed from here: more are a data migration, which goes on without the browser. */
export const mostAtOnce = 200;

/** The part of an entity that sets these values. */
export function toPart(changes: readonly Change[]): Record<string, unknown> {
  const part: { properties?: Record<string, unknown>; relations?: Record<string, unknown> } & Record<string, unknown> =
    {};
  for (const { field, value } of changes) {
    const empty = value === '' || value === undefined ? null : value;
    if (field.source === 'relation') {
      const none = field.isMany ? [] : null;
      part.relations = { ...part.relations, [relationKey(field)]: empty ?? none };
    } else if (field.key === '$team') part['team'] = empty ?? [];
    else if (field.key === '$title') part['title'] = empty;
    else part.properties = { ...part.properties, [field.key]: empty };
  }
  return part;
}

function emptied(value: unknown): unknown {
  if (value === '' || value === undefined) return null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/** Whether an entity has all of these values already. */
export function hasAll(entity: FieldEntity, changes: readonly Change[]): boolean {
  return changes.every(({ field, value }) => isSame(emptied(fieldValue(entity, field)), emptied(value)));
}

/** The values of an entity, as the change that brings them back. */
function valuesOf(entity: FieldEntity, changes: readonly Change[]): readonly Change[] {
  return changes.map(({ field }) => ({ field, value: fieldValue(entity, field) ?? null }));
}

/** Reads these entities with the given fields; those that are gone or hidden are left out. */
export async function readEntities(
  blueprint: string,
  identifiers: readonly string[],
  fields: readonly Field[],
): Promise<readonly FieldEntity[]> {
  const found: FieldEntity[] = [];
  for (const some of chunked(identifiers, mostAtOnce)) {
    const { entities } = await call('searchBlueprintEntities', {
      params: { blueprint_identifier: blueprint },
      body: {
        query: { combinator: 'and', rules: [{ property: '$identifier', operator: 'in', value: [...some] }] },
        include: ['$identifier', '$title', ...fields.map(({ key }) => key)],
        limit: mostAtOnce,
      },
    });
    found.push(...entities);
  }
  return found;
}

interface Sending {
  readonly onProgress?: (count: number) => void;
  /** Asked before each call: the calls after the one under way are left out. */
  readonly isStopped?: () => boolean;
}

/**
 * Writes the changes to the entities in calls of 20, each of which is independent: what is refused is named, the rest is
 * written. With `isTrial` the server only says what it would refuse.
 */
export async function writeChanges(
  blueprint: string,
  entities: readonly FieldEntity[],
  changesOf: (entity: FieldEntity) => readonly Change[],
  { isTrial = false, onProgress, isStopped }: Sending & { readonly isTrial?: boolean } = {},
): Promise<Outcome> {
  const done: FieldEntity[] = [];
  const refused: Refused[] = [];
  for (const some of chunked(entities, perCall)) {
    if (isStopped?.()) break;
    const answer = await call('bulkUpsertEntities', {
      params: { blueprint_identifier: blueprint },
      query: { upsert: 'true', merge: 'true', ...(isTrial ? { validation_only: 'true' } : {}) },
      body: { entities: some.map((entity) => ({ identifier: entity.identifier, ...toPart(changesOf(entity)) })) },
    });
    const failed = new Map(answer.errors.map(({ index, message }) => [index, message]));
    const appeared = answer.entities.filter(({ created }) => created).map(({ index }) => index);
    some.forEach((entity, index) => {
      const reason = appeared.includes(index) ? t('Deleted meanwhile') : failed.get(index);
      if (reason === undefined) done.push(entity);
      else refused.push({ identifier: entity.identifier ?? '', title: nameOf(entity), reason });
    });
    // written over an entity that somebody deleted since it was read: it must not come back half filled
    const back = appeared.flatMap((index) => some[index]?.identifier ?? []);
    if (back.length > 0 && !isTrial)
      await call('bulkDeleteEntities', {
        params: { blueprint_identifier: blueprint },
        body: { entities: back },
      });
    onProgress?.(done.length + refused.length);
  }
  return { done, refused };
}

/**
 * Brings back the values that were read before the change, except where somebody has changed them since: `before` are
 * the entities as they were, and all of them had the changes written.
 */
export async function undoChanges(
  blueprint: string,
  before: readonly FieldEntity[],
  changes: readonly Change[],
): Promise<Outcome> {
  const now = await readEntities(
    blueprint,
    before.flatMap(({ identifier }) => identifier ?? []),
    changes.map(({ field }) => field),
  );
  const untouched = new Set(now.filter((entity) => hasAll(entity, changes)).map(({ identifier }) => identifier));
  const { done, refused } = await writeChanges(
    blueprint,
    before.filter(({ identifier }) => untouched.has(identifier)),
    (entity) => valuesOf(entity, changes),
  );
  const kept = before
    .filter(({ identifier }) => !untouched.has(identifier))
    .map((entity) => ({
      identifier: entity.identifier ?? '',
      title: nameOf(entity),
      reason: t('Somebody changed it meanwhile'),
    }));
  return { done, refused: [...refused, ...kept] };
}

/** Deletes in calls of 100, each all or none. Answers those that are gone, and what stopped it. */
export async function deleteAll(
  blueprint: string,
  identifiers: readonly string[],
): Promise<{ readonly deleted: readonly string[]; readonly problem?: Error }> {
  const deleted: string[] = [];
  for (const some of chunked(identifiers, 100)) {
    try {
      const answer = await call('bulkDeleteEntities', {
        params: { blueprint_identifier: blueprint },
        body: { entities: [...some] },
      });
      deleted.push(...answer.deletedEntities);
    } catch (error) {
      return { deleted, problem: error as Error };
    }
  }
  return { deleted };
}

function nameOf({ title, identifier = '' }: FieldEntity): string {
  return title || identifier;
}

function chunked<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
