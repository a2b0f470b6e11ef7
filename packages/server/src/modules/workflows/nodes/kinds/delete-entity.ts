import { deleteEntity } from '@portolan/contract/entities';
import { AppError } from '../../../../platform/errors.ts';
import { requireScope } from '../../../../platform/scopes.ts';
import { findBlueprint } from '../../../blueprints/index.ts';
import { deleteEntities } from '../../../entities/index.ts';
import { keepingError } from '../keeping-error.ts';
import { failedNode, NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

/** Deletes an entity, in one transaction with the end of its step; the guard of mass deletions counts it. */
export function deleteEntityKind({ database, catalog }: Pick<NodesDeps, 'database' | 'catalog'>): NodeKind {
  return {
    effect: 'ours',
    async carryOut(call, settle) {
      const { actor, now } = call;
      const { blueprintIdentifier: written, identifier: template, dependents } = call.node.config;
      const context = withoutEncrypted(await runContext({ database }, call), call);
      const input = renderShown({ blueprintIdentifier: written, identifier: template }, context, now) as {
        readonly blueprintIdentifier: unknown;
        readonly identifier: unknown;
      };
      const { blueprintIdentifier: blueprint, identifier } = input;
      if (typeof blueprint !== 'string' || blueprint === '') throw new NodeFailure('The blueprint came to nothing');
      if (typeof identifier !== 'string' || identifier === '') throw new NodeFailure('The identifier came to nothing');
      if (written !== blueprint && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem) {
        throw new NodeFailure(`"${blueprint}" belongs to the platform: nothing is deleted there by a template`);
      }
      const settled = keepingError(settle);
      try {
        requireScope(actor, deleteEntity);
        await deleteEntities(catalog, actor, blueprint, [identifier], {
          deleteDependents: dependents === true,
          also: (work) =>
            settled.settle(work, {
              ...succeededNode({ response: { data: { identifier, blueprint, deleted: true } } }),
              input,
            }),
        });
        return 'settled';
      } catch (error) {
        settled.rethrow();
        if (!(error instanceof AppError)) throw error;
        return { ...failedNode(error.message), input };
      }
    },
  };
}
