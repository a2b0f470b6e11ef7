import { createEntity, entityWriteBody } from '@portolan/contract/entities';
import { AppError } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { requireScope } from '../../../platform/scopes.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { upsertEntity } from '../../entities/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { Errand } from './errand.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: false } as const;

export type WriteOutcome =
  | { readonly kind: 'written'; readonly identifier: string; readonly blueprint: string; readonly isCreated: boolean }
  | { readonly kind: 'failed'; readonly message: string; readonly mayPass: boolean };

/** Told within the transaction of the write. */
export type OnWritten = (work: Work, written: Extract<WriteOutcome, { kind: 'written' }>) => Promise<void>;

/**
 * Merges the entity that `UPSERT_ENTITY` describes. Uses the rights of whoever saved it, and writes to system blueprints
 * only if it names them literally.
 */
export async function writeDescribedEntity(
  { catalog, database }: Pick<ActionsDeps, 'catalog' | 'database'>,
  { method, written, actor }: Pick<Errand, 'method' | 'written' | 'actor'>,
  onWritten?: OnWritten,
): Promise<WriteOutcome> {
  const { blueprintIdentifier: blueprint, mapping } = method as {
    blueprintIdentifier?: unknown;
    mapping?: Readonly<Record<string, unknown>>;
  };
  if (typeof blueprint !== 'string' || blueprint === '') return failed('The blueprint came to nothing');
  // an identifier that failed to render would create an entity with every run
  if (mapping?.['identifier'] === null) return failed('The identifier came to nothing');
  const body = entityWriteBody.safeParse(mapping ?? {});
  if (!body.success) {
    const [first] = toIssues(body.error, mapping ?? {});
    return failed(`The mapping came to no entity: ${first?.path ?? ''} ${first?.message ?? ''}`);
  }
  const isNamed = written['blueprintIdentifier'] === blueprint;
  if (!isNamed && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem) {
    return failed(`"${blueprint}" belongs to the platform: it is written to only if it is named, not by a template`);
  }
  const toWritten = (identifier: string, isCreated: boolean) =>
    ({ kind: 'written', identifier, blueprint, isCreated }) as const;
  try {
    requireScope(actor, createEntity);
    const { entity, isCreated } = await upsertEntity(catalog, actor, blueprint, body.data, {
      ...flags,
      ...(onWritten
        ? { also: (work, result) => onWritten(work, toWritten(result.entity.identifier, result.isCreated)) }
        : {}),
    });
    return toWritten(entity.identifier, isCreated);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'failed', message: error.message, mayPass: error.isRetryable };
  }
}

function failed(message: string): WriteOutcome {
  return { kind: 'failed', message, mayPass: false };
}
