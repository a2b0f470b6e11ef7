import type { EntityBody, EntityWriteBody } from '@portolan/contract/entities';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type EntityWrite, openEntityWrite, type WriteMode } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { EntityRow, StoredEntity } from '../entity-rows/index.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { hasQueries, resolveQueries } from './resolve-queries.ts';
import { planEntities, toEntityWrite, writeEntities } from './write-entities.ts';

export interface IngestOptions {
  readonly mode: WriteMode;
  readonly expects: 'new' | 'either';
  readonly createMissingRelated: boolean;
  /** For a plan, which writes nothing: targets that it creates. */
  readonly isPlanned?: ((blueprint: string, identifier: string) => boolean) | undefined;
}

/** What became, or in a plan would become, of a body. */
export type IngestOutcome =
  | {
      readonly change: 'created' | 'changed' | 'unchanged';
      readonly before: StoredEntity | undefined;
      readonly after: EntityRow;
      /** The stored entity; undefined in a plan. */
      readonly entity: StoredEntity | undefined;
    }
  | { readonly error: AppError };

/**
 * Writes, or plans, bodies of one held blueprint within the caller's unit of work, as a bulk upsert of any size. Bodies
 * stand for themselves; no two of them have one identifier.
 * @throws AppError as `openEntityWrite`, before anything is written
 */
export async function ingestEntities(
  deps: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  bodies: readonly (EntityWriteBody & { readonly identifier: string })[],
  options: IngestOptions,
): Promise<IngestOutcome[]> {
  await openEntityWrite(work, blueprint, options.expects, deps.assertRun);
  const outcomes = new Map<number, IngestOutcome>();
  const items: { readonly index: number; readonly item: EntityWrite }[] = [];
  const rewritten = await deps.rewriteBodies(work, blueprint, bodies);
  for (const [index, { body, warnings }] of rewritten.entries()) {
    if (!hasQueries(body)) {
      items.push({ index, item: { ...toEntityWrite(body as EntityBody), warnings } });
      continue;
    }
    try {
      const { body: named, ...read } = await resolveQueries(work, blueprint, body);
      items.push({ index, item: { ...toEntityWrite(named), ...read, warnings } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes.set(index, { error });
    }
  }
  const found = await ingestItems(
    deps,
    work,
    blueprint,
    items.map(({ item }) => item),
    options,
  );
  for (const [at, { index }] of items.entries()) outcomes.set(index, found[at] as IngestOutcome);
  return bodies.map((_body, index) => outcomes.get(index) as IngestOutcome);
}

async function ingestItems(
  deps: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly EntityWrite[],
  { isPlanned, ...options }: IngestOptions,
): Promise<IngestOutcome[]> {
  if (isPlanned) {
    const planned = await planEntities(deps, work, blueprint, items, { ...options, isPlanned });
    return planned.map((outcome) => ('error' in outcome ? outcome : { ...outcome, entity: undefined }));
  }
  const written = await writeEntities(deps, work, blueprint, items, options);
  return written.map((outcome): IngestOutcome => {
    if ('error' in outcome) return outcome;
    const { entity, before, isCreated } = outcome;
    const change = isCreated ? 'created' : entity === before ? 'unchanged' : 'changed';
    return { change, before, after: entity, entity };
  });
}
