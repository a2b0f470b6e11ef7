import { isRecord } from '@portolan/contract/json-value';
import type { OfferedNodeRun } from '@portolan/contract/workflow-node-runs';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { assertExecutor, executesFor, mayTakeSecrets, secretsNamed, toAgentCall } from '../../actions/index.ts';
import { renderIntegrationCall } from './kinds/integration-action.ts';
import { renderRequest } from './kinds/webhook.ts';
import { NodeFailure } from './node-failure.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunPorts } from './node-run.ports.ts';
import { acknowledgeRow, claimNodeRunRows, findOffered } from './node-run.store.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { runContext } from './run-context.ts';

export type NodeRunDeps = NodesDeps & NodeRunPorts;

export interface NodeRunClaim {
  readonly installationId: string;
  readonly limit: number;
  readonly visibilityTimeoutMs: number;
  readonly exclude?: readonly string[] | null | undefined;
}

interface Offer {
  readonly call: NodeCall;
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of the secrets in it. */
  readonly secrets: readonly string[];
}

/**
 * Gives waiting node runs of an installation to executors, each to one at a time: an unacknowledged claim ends by itself.
 * What is to be done is rendered here with its secrets, which nothing stores. Executors read a page as a whole, so that
 * every node run in it has what they need: one that cannot be rendered any more fails.
 * @throws AppError `missing_permissions`
 */
export async function claimNodeRuns(deps: NodeRunDeps, actor: Actor, claim: NodeRunClaim): Promise<OfferedNodeRun[]> {
  const { installationId, limit, exclude } = claim;
  assertExecutor(actor, installationId);
  const claimed = await deps.unitOfWork(actor, ({ tx, now }) => {
    const until = new Date(now.getTime() + claim.visibilityTimeoutMs);
    return claimNodeRunRows(tx, actor.orgId, { installationId, limit, exclude: exclude ?? [], now, until });
  });
  const inOrder = [...claimed].sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  const offers: Offer[] = [];
  for (const { id } of inOrder) {
    const offer = await openOffer(deps, actor, id);
    if (offer && (offer.secrets.length === 0 || mayTakeSecrets(actor, installationId))) offers.push(offer);
  }
  const withSecrets = offers.filter(({ secrets }) => secrets.length > 0);
  if (withSecrets.length > 0) await recordClaims(deps, actor, withSecrets);
  return offers.map(({ call, config }) => presentOffer(call, config));
}

/** Undefined for a node run that is gone or fails. */
async function openOffer(deps: NodeRunDeps, actor: Actor, id: string): Promise<Offer | undefined> {
  const found = await deps.readCall(actor.orgId, id);
  if (!found) return undefined;
  const call = { ...found, actor: { ...found.actor, opened: createSecretScope() } };
  try {
    return await renderOffer(deps, call);
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const message = openedFor(call.actor).maskText(error.message);
    await deps.report(actor, id, {
      status: 'COMPLETED',
      result: 'FAILED',
      output: { error: { message } },
      logs: [{ level: 'ERROR', message }],
    });
    return undefined;
  }
}

async function renderOffer(deps: NodeRunDeps, call: NodeCall): Promise<Offer> {
  const context = await runContext(deps, call);
  if (call.node.config.type === 'INTEGRATION_ACTION') {
    const { sent, names } = await renderIntegrationCall(deps, call, context);
    return { call, config: sent, secrets: secretsNamed(call.node.config, names) };
  }
  const { sent, names } = await renderRequest(deps, call, context);
  return { call, config: toAgentCall(sent, context), secrets: secretsNamed(call.node.config, names) };
}

/** Who was given which secrets; never their values. */
function recordClaims(deps: NodeRunDeps, actor: Actor, offers: readonly Offer[]): Promise<void> {
  return deps.unitOfWork(actor, async (work) => {
    for (const { call, secrets } of offers) {
      work.record({
        event: 'workflow-node-run.claimed',
        action: 'OTHER',
        resourceType: 'workflowRun',
        identifier: call.run.id,
        context: { workflow: call.workflow.identifier, workflowRun: call.run.id, nodeRun: call.nodeRun.id },
        message: `The step "${call.node.identifier}" was claimed with the secrets ${secrets.join(', ')}`,
      });
    }
  });
}

/** A node run for programs; its output as it was given, since they send it back. */
export function presentOffer(call: NodeCall, config: Readonly<Record<string, unknown>> | undefined): OfferedNodeRun {
  const { workflow, run, nodeRun, node } = call;
  return {
    identifier: nodeRun.id,
    nodeUid: [workflow.id, ...(run.body ?? []), node.identifier].join(':'),
    status: nodeRun.phase === 'ENDED' ? 'COMPLETED' : 'IN_PROGRESS',
    result: nodeRun.result,
    ...(config === undefined ? {} : { config: config as NonNullable<OfferedNodeRun['config']> }),
    output: (isRecord(nodeRun.raw) ? nodeRun.raw : {}) as OfferedNodeRun['output'],
    links: [...nodeRun.links],
    externalRunId: nodeRun.externalRunId,
    workflowIdentifier: workflow.identifier,
    workflowRunIdentifier: run.id,
    nodeIdentifier: node.identifier,
    createdAt: nodeRun.createdAt.toISOString(),
  };
}

/**
 * Acknowledges a claim; the first executes it.
 * @throws AppError `not_found`, `run_acknowledged` if another was first, `node_run_ended`
 */
export async function acknowledgeNodeRun(
  { unitOfWork }: Pick<NodesDeps, 'unitOfWork'>,
  actor: Actor,
  id: string,
): Promise<void> {
  assertExecutor(actor);
  await unitOfWork(actor, async ({ tx, now }) => {
    const found = await findOffered(tx, actor.orgId, id);
    if (!found || found.installationId === null || !executesFor(actor, found.installationId)) {
      throw notFound('Node run', id);
    }
    if (await acknowledgeRow(tx, actor.orgId, id, now)) return;
    const seen = await findOffered(tx, actor.orgId, id);
    if (seen?.acknowledgedAt) {
      throw new AppError('run_acknowledged', `The node run "${id}" has been taken by another executor`);
    }
    throw new AppError('node_run_ended', `The node run "${id}" has ended`);
  });
}
