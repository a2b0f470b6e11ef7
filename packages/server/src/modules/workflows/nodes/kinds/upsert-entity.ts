import { writeDescribedEntity } from '../../../actions/index.ts';
import { keepingError } from '../keeping-error.ts';
import { failedNode, succeededNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

interface Written extends Readonly<Record<string, unknown>> {
  readonly blueprintIdentifier: string;
  readonly mapping?: Readonly<Record<string, unknown>> | null;
}

/**
 * Merges an entity, in one transaction with the end of its step. Entities are readable, so secrets and encrypted inputs
 * are masks in them.
 */
export function upsertEntityKind(deps: Pick<NodesDeps, 'database' | 'catalog'>): NodeKind {
  return {
    effect: 'ours',
    async carryOut(call, settle) {
      const written = call.node.config as unknown as Written;
      const context = withoutEncrypted(await runContext(deps, call), call);
      const { blueprintIdentifier, mapping } = written;
      const input = renderShown({ blueprintIdentifier, mapping: named(mapping) }, context, call.now) as Written;
      const settled = keepingError(settle);
      const outcome = await writeDescribedEntity(
        deps,
        { method: input, written, actor: call.actor },
        (work, { identifier, blueprint, isCreated }) => {
          const data = { identifier, blueprint, created: isCreated };
          return settled.settle(work, { ...succeededNode({ response: { data } }), input });
        },
      );
      settled.rethrow();
      return outcome.kind === 'written' ? 'settled' : { ...failedNode(outcome.message), input };
    },
  };
}

/** Without an identifier one is generated; one that is there and comes to nothing is a mistake. */
function named(mapping: Written['mapping']): object {
  const { identifier, ...rest } = mapping ?? {};
  return identifier === undefined || identifier === null ? rest : { ...rest, identifier };
}
