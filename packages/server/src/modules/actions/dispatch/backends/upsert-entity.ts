import { createEntity, entityWriteBody } from '@portolan/contract/entities';
import { AppError } from '../../../../platform/errors.ts';
import { toIssues } from '../../../../platform/http/issues.ts';
import { requireScope } from '../../../../platform/scopes.ts';
import { findBlueprint } from '../../../blueprints/index.ts';
import { upsertEntity } from '../../../entities/index.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, failed } from '../backend.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: false } as const;

/**
 * Merges the entity that an `UPSERT_ENTITY` action describes. Uses the rights of the action's last author, and writes
 * to system blueprints only if the action names them literally.
 */
export function upsertEntityBackend({ catalog, database }: ActionsDeps): Backend {
  return async ({ rendered, actor, run }) => {
    const { blueprintIdentifier: blueprint, mapping } = rendered.method as {
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
    const { invocationMethod: written } = run.action.definition;
    const isNamed = written.type === 'UPSERT_ENTITY' && written.blueprintIdentifier === blueprint;
    if (!isNamed && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem) {
      return failed(
        `"${blueprint}" belongs to the platform: an action writes to it only if it names it, not by a template`,
      );
    }
    try {
      requireScope(actor, createEntity);
      const { entity, isCreated } = await upsertEntity(catalog, actor, blueprint, body.data, flags);
      return { kind: 'succeeded', message: `${isCreated ? 'Created' : 'Changed'} ${blueprint} "${entity.identifier}"` };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.isRetryable };
    }
  };
}
