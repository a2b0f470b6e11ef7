import { entityWriteBody } from '@portolan/contract';
import { AppError } from '../../../../platform/errors.ts';
import { issuesOf } from '../../../../platform/http/issues.ts';
import { upsertEntity } from '../../../catalog/index.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, failed } from '../backend.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: false } as const;

/** Writes the entity that an `UPSERT_ENTITY` action describes, merging into one that exists; done when written. */
export function upsertEntityBackend({ catalog }: ActionsDeps): Backend {
  return async ({ rendered, actor }) => {
    const { blueprintIdentifier: blueprint, mapping } = rendered.method as {
      blueprintIdentifier?: unknown;
      mapping?: Readonly<Record<string, unknown>>;
    };
    if (typeof blueprint !== 'string' || blueprint === '') return failed('The blueprint came to nothing');
    // an identifier that failed to render would make a new entity with every run
    if (mapping?.['identifier'] === null) return failed('The identifier came to nothing');
    const body = entityWriteBody.safeParse(mapping ?? {});
    if (!body.success) {
      const [first] = issuesOf(body.error);
      return failed(`The mapping came to no entity: ${first?.path ?? ''} ${first?.message ?? ''}`);
    }
    try {
      const { entity, isCreated } = await upsertEntity(catalog, actor, blueprint, body.data, flags);
      return { kind: 'succeeded', message: `${isCreated ? 'Created' : 'Changed'} ${blueprint} "${entity.identifier}"` };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.isRetryable };
    }
  };
}
