import { startRun as startRunOperation } from '@portolan/contract/action-runs';
import { isRecord } from '@portolan/contract/json-value';
import { AppError } from '../../../../platform/errors.ts';
import { requireScope } from '../../../../platform/scopes.ts';
import { runUrl, type StoredRun, startActionRun } from '../../../actions/index.ts';
import { limits } from '../../definitions/limits.ts';
import { keepingError } from '../keeping-error.ts';
import { failedNode, NodeFailure } from '../node-failure.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { numberWithin } from '../retry-rule.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';
import { insertWait } from '../waits.store.ts';

const daySeconds = 86_400;

/**
 * Runs a self-service action, in one transaction with the wait for its end. Rights, form and approval are those of the
 * action; it is asked for in the name of whoever started the workflow.
 */
export function runActionKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'ours',
    async carryOut(call, settle) {
      const { actor, run, now, node } = call;
      if (run.depth >= limits.depth) {
        throw new NodeFailure(`${run.depth} runs have started one another up to this one; it is taken for a loop`);
      }
      const { actionIdentifier, entityIdentifier, properties } = node.config;
      // whoever may see the run of an action reads its inputs
      const context = withoutEncrypted(await runContext(deps, call), call);
      const input = renderShown({ actionIdentifier, entityIdentifier, properties }, context, now) as {
        readonly actionIdentifier: unknown;
        readonly entityIdentifier?: unknown;
        readonly properties?: unknown;
      };
      const { actionIdentifier: action, entityIdentifier: entity = null } = input;
      if (typeof action !== 'string' || action === '') throw new NodeFailure('The action came to nothing');
      if (entity !== null && typeof entity !== 'string') throw new NodeFailure('The entity came to no identifier');
      const settled = keepingError(settle);
      try {
        requireScope(actor, startRunOperation);
        await startActionRun(
          deps,
          { ...actor, depth: run.depth + 1 },
          action,
          { entity, properties: isRecord(input.properties) ? input.properties : {} },
          {
            askedBy: othersWhoAsk(call),
            draft: async () => ({ label: actor.carriedAuthors }),
            also: async (work, started) => {
              await insertWait(work.tx, actor.orgId, {
                nodeRunId: call.nodeRun.id,
                actionRun: started.id,
                at: work.now,
              });
              await settled.settle(work, { ...waitsForRun(deps, call, started), input });
            },
          },
        );
        return 'settled';
      } catch (error) {
        settled.rethrow();
        if (!(error instanceof AppError)) throw error;
        return { ...failedNode(`The action was not run: ${sentence(error)}`), input };
      }
    },
  };
}

function waitsForRun(deps: Pick<NodesDeps, 'publicUrl'>, { node, now }: NodeCall, { id }: StoredRun): NodeOutcome {
  const seconds = numberWithin(node.config['timeoutSeconds'], 1, 90 * daySeconds, 30 * daySeconds);
  return {
    kind: 'waits',
    for: 'report',
    dueAt: new Date(now.getTime() + seconds * 1_000),
    raw: { run: { id } },
    externalRunId: id,
    links: [runUrl(deps, id)],
  };
}

/** Without a person who started the workflow, whoever saved it and whoever caused the event asked for the run. */
function othersWhoAsk({ run, actor }: NodeCall): string[] {
  if (run.createdByKind === 'person') return run.impersonatedBy === null ? [] : [run.impersonatedBy];
  const { trigger } = run.trigger as { readonly trigger?: { readonly by?: { readonly userId?: unknown } } };
  const by = trigger?.by?.userId;
  return [...(actor.standsBehind ? [actor.standsBehind.id] : []), ...(typeof by === 'string' ? [by] : [])];
}

function sentence({ message, details }: AppError): string {
  const issues = Array.isArray(details) ? details : [];
  const told = issues.flatMap((each) => (isRecord(each) ? [`${String(each['path'])} ${String(each['message'])}`] : []));
  return told.length === 0 || told.every((each) => message.includes(each))
    ? message
    : `${message} (${told.join('; ')})`;
}
