import { agentInstallation } from '@portolan/contract/workflow-node-runs';
import { type Actor, openedFor } from '../../../../platform/actor.ts';
import { Postponed } from '../../../../platform/jobs/job.ts';
import { parseJson } from '../../../../platform/parse-json.ts';
import { answerProblem, callAddress, type Errand, isTrue, publishSigned, toAgentCall } from '../../../actions/index.ts';
import { findAskingActor } from '../asking-actor.ts';
import { callKeyFor } from '../call-key.ts';
import { failedNode, succeededNode } from '../node-failure.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { type Rendered, renderSent } from '../render-node.ts';
import { numberWithin, type RetryReason, readRetryRule, tryAgain, tryNumber } from '../retry-rule.ts';
import { type RunContext, runContext } from '../run-context.ts';
import { waitsForReport } from '../waits-for-report.ts';

type Config = Readonly<Record<string, unknown>>;

/** What is kept of an answer that is no success. */
const errorLength = 2_048;

/**
 * Calls an address, and by `agent: true` has the organization's agent call it. The answer ends the step unless
 * `synchronized` is false: then it waits for a report.
 */
export function webhookKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const context = await runContext(deps, call);
      const request = await renderRequest(deps, call, context);
      const input = request.shown;
      return isTrue(request.sent['agent'])
        ? { ...(await sendToAgent(deps, call, context, request)), input }
        : { ...(await callReceiver(deps, call, context, request)), input };
    },
  };
}

/** The request with its templates filled in. Without a word about it, a step waits for the answer. */
export async function renderRequest(
  deps: Pick<NodesDeps, 'secrets'>,
  { node, actor, now }: NodeCall,
  context: RunContext,
): Promise<Rendered<Config>> {
  const { type, url, method, headers, body, synchronized, agent } = node.config;
  const written: Config = {
    type,
    url,
    method: method ?? 'POST',
    headers: headers ?? {},
    ...(body === undefined ? {} : { body }),
    synchronized: synchronized ?? true,
    agent: agent ?? false,
  };
  const { sent, shown, names } = await renderSent(deps, actor, written, context, now);
  const flags = { synchronized: isTrue(sent['synchronized']), agent: isTrue(sent['agent']) };
  return { sent: { ...sent, ...flags }, shown: { ...shown, ...flags }, names };
}

async function callReceiver(
  deps: NodesDeps,
  call: NodeCall,
  context: RunContext,
  { sent }: Rendered<Config>,
): Promise<NodeOutcome> {
  const place = deps.places.take(call.actor.orgId, receiverOf(sent['url']));
  if ('waitMs' in place) {
    const until = new Date(deps.clock.now().getTime() + place.waitMs);
    throw new Postponed(until, `the receiver of ${call.nodeRun.id} is busy with others`);
  }
  try {
    const errand = toErrand(deps, call, context, sent);
    const answer = await callAddress(deps, errand);
    return answer.kind === 'answered' ? afterAnswer(call, sent, answer) : afterSilence(call, sent, answer);
  } finally {
    place.leave();
  }
}

function receiverOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : 'none';
}

function toErrand(deps: NodesDeps, call: NodeCall, context: RunContext, sent: Config): Errand {
  const { node, nodeRun, run, actor, signal } = call;
  return {
    id: callKeyFor(nodeRun),
    actor,
    written: node.config,
    method: sent,
    context,
    depth: run.depth,
    asker: (caller: Actor) => findAskingActor(deps, caller, call),
    signal,
    timeoutMs: numberWithin(node.config['timeoutSeconds'], 1, 600, 30) * 1_000,
    headers: { 'x-portolan-attempt': String(tryNumber(call)) },
  };
}

type Answer = Awaited<ReturnType<typeof callAddress>>;

function afterAnswer(
  call: NodeCall,
  sent: Config,
  { status, headers, body }: Extract<Answer, { kind: 'answered' }>,
): NodeOutcome {
  const problem = answerProblem(status);
  const data = parseJson(body) ?? (body === '' ? null : body);
  if (!problem) {
    const raw = { response: { status, data } };
    return sent['synchronized'] ? succeededNode(raw) : waitsForReport(call, { raw });
  }
  const reason = status === 429 ? '429' : status >= 500 ? '5xx' : undefined;
  const again = reason && tryAgain(call, reason, problem.message, headers['retry-after']);
  if (again) return again;
  const told = body.slice(0, errorLength);
  const failed = failedNode(problem.message, { status, data: body.length > errorLength ? told : data });
  return told === '' ? failed : { ...failed, log: [told] };
}

const reasons: Readonly<Record<string, RetryReason>> = { timeout: 'timeout', unreachable: 'network' };

function afterSilence(
  call: NodeCall,
  sent: Config,
  { message, reason, mayPass }: Extract<Answer, { kind: 'failed' }>,
): NodeOutcome {
  if (reason === 'timeout' && call.node.config['onTimeout'] === 'continue') {
    return sent['synchronized'] ? succeededNode({ timeout: true }) : waitsForReport(call, { log: [message] });
  }
  const retried = reasons[reason];
  const again = mayPass && retried ? tryAgain(call, retried, message) : undefined;
  if (again) return again;
  const isUnknown = retried !== undefined && readRetryRule(call).failsOnUnknown;
  const unknown = isUnknown ? '; whether the receiver got the call is not known, so it is not repeated' : '';
  const large = reason === 'too_large' ? '; the receiver has got the call' : '';
  return failedNode(`${message}${unknown}${large}`);
}

/** As a message if there is a broker, and to agents that ask for work. */
async function sendToAgent(
  deps: NodesDeps,
  call: NodeCall,
  context: RunContext,
  { sent }: Rendered<Config>,
): Promise<NodeOutcome> {
  const { nodeRun, actor, workflow, run, node } = call;
  const published = await publishSigned(
    deps,
    { id: callKeyFor(nodeRun), actor },
    {
      payload: { action: { invocationMethod: toAgentCall(sent, context) } },
      context: {
        runId: nodeRun.id,
        ...(nodeRun.callKey === null ? {} : { idempotencyKey: nodeRun.callKey }),
        workflowRunId: run.id,
        workflowIdentifier: workflow.identifier,
        nodeIdentifier: node.identifier,
        orgId: actor.orgId,
      },
    },
  );
  if (published.kind === 'failed') {
    const message = openedFor(actor).maskText(published.message);
    return tryAgain(call, 'network', message) ?? failedNode(message);
  }
  return waitsForReport(call, { installationId: agentInstallation, raw: {} });
}
