import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { goesOnAfterFailure } from '../definitions/graph.ts';
import type { ChildKindsDeps } from './begin-child.ts';
import { aiKind } from './kinds/ai.ts';
import { conditionKind } from './kinds/condition.ts';
import { delayKind } from './kinds/delay.ts';
import { deletionKind } from './kinds/delete-entity.ts';
import { fetchKind } from './kinds/fetch.ts';
import { inputKind } from './kinds/input.ts';
import { integrationActionKind } from './kinds/integration-action.ts';
import { kafkaKind } from './kinds/kafka.ts';
import { mapKind } from './kinds/map.ts';
import { notifyKind } from './kinds/notify.ts';
import { parallelKind } from './kinds/parallel.ts';
import { repeatKind } from './kinds/repeat.ts';
import { runActionKind } from './kinds/run-action.ts';
import { runWorkflowKind } from './kinds/run-workflow.ts';
import { stopKind } from './kinds/stop.ts';
import { transformKind } from './kinds/transform.ts';
import { unsupportedKind } from './kinds/unsupported.ts';
import { upsertKind } from './kinds/upsert-entity.ts';
import { waitForEventKind } from './kinds/wait-for-event.ts';
import { webhookKind } from './kinds/webhook.ts';
import { failedNode, NodeFailure } from './node-failure.ts';
import type { EndedNode, NodeCall, NodeKind, NodeKinds, NodeOutcome } from './node-kind.ts';
import type { NodesDeps } from './nodes.deps.ts';

/** How every kind of node is carried out. What an outcome holds is masked with the secrets that the node opened. */
export function createNodeKinds(deps: NodesDeps & Pick<ChildKindsDeps, 'checkStart'>): NodeKinds {
  const kinds: NodeKinds = {
    CONDITION: conditionKind(deps),
    TRANSFORM: transformKind(deps),
    DELAY: delayKind(deps),
    STOP: stopKind(deps),
    FETCH: fetchKind(deps),
    RUN_ACTION: runActionKind(deps),
    NOTIFY: notifyKind(deps),
    WAIT_FOR_EVENT: waitForEventKind(deps),
    INPUT: inputKind(deps),
    UPSERT_ENTITY: upsertKind(deps),
    DELETE_ENTITY: deletionKind(deps),
    WEBHOOK: webhookKind(deps),
    KAFKA: kafkaKind(deps),
    INTEGRATION_ACTION: integrationActionKind(deps),
    AI: aiKind(deps),
    AI_AGENT: aiKind(deps),
    RUN_WORKFLOW: runWorkflowKind(deps),
    MAP: mapKind(deps),
    PARALLEL: parallelKind(deps),
    REPEAT: repeatKind(deps),
    CURSOR_AGENT: unsupportedKind('"CURSOR_AGENT" is not supported here; use "AI_AGENT" or "WEBHOOK"'),
  };
  return Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, guarded(kind)]));
}

/** Every way to fail becomes an outcome in words, and nothing that was opened leaves with it. */
function guarded(kind: NodeKind): NodeKind {
  switch (kind.effect) {
    case 'none':
      return { ...kind, plan: (call) => told<never>(call, kind.plan) };
    case 'outside':
      return { effect: 'outside', send: (call) => told<never>(call, kind.send) };
    case 'ours':
      return {
        effect: 'ours',
        carryOut: (call, settle) => told<'settled'>(call, (opened) => kind.carryOut(opened, settle)),
      };
    case 'children':
      return {
        effect: 'children',
        begin: (call) => orFailed(call, kind.begin),
        count: (call, children) => orFailed(call, (opened) => kind.count(opened, children)),
      };
  }
}

async function told<Kept extends 'settled'>(
  given: NodeCall,
  carryOut: (call: NodeCall) => Promise<NodeOutcome | Kept>,
): Promise<NodeOutcome | Kept> {
  const opened = given.actor.opened ?? createSecretScope();
  const call = { ...given, actor: { ...given.actor, opened } };
  try {
    const outcome = await carryOut(call);
    return outcome === 'settled' ? outcome : finished(call, opened.mask(outcome as NodeOutcome));
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return finished(call, failedNode(opened.maskText(error.message)));
  }
}

/** Steps that begin runs open no secrets. */
async function orFailed<Kept extends { readonly kind: string }>(
  call: NodeCall,
  carryOut: (call: NodeCall) => Promise<EndedNode | Kept>,
): Promise<EndedNode | Kept> {
  const isEnd = (outcome: EndedNode | Kept): outcome is EndedNode => outcome.kind === 'ended';
  try {
    const outcome = await carryOut(call);
    return isEnd(outcome) ? (finished(call, outcome) as EndedNode) : outcome;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return finished(call, failedNode(error.message)) as EndedNode;
  }
}

/** A rendered request beyond it is named by its size. */
const inputBytesMax = 256 * 1024;

function finished({ node }: NodeCall, outcome: NodeOutcome): NodeOutcome {
  const kept = { ...outcome, ...('input' in outcome ? { input: bounded(outcome.input) } : {}) };
  return kept.kind === 'ended' && kept.result === 'FAILED' && goesOnAfterFailure(node)
    ? { ...kept, goesOn: true }
    : kept;
}

function bounded(input: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? '');
  return bytes <= inputBytesMax ? input : { note: `It is ${bytes} bytes, and was not kept` };
}
