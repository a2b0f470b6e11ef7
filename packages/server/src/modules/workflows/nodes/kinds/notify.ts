import { openedFor } from '../../../../platform/actor.ts';
import { MailFailure } from '../../../../platform/mail/mailer.ts';
import { onOneLine } from '../../../../platform/mail/on-one-line.ts';
import { findTeamKeys, listNamedUsers } from '../../../accounts/index.ts';
import { answerProblem, callAddress, slackMessage, slackText } from '../../../actions/index.ts';
import { noticeLinkRule, readNoticeLink } from '../../definitions/notice-link.ts';
import { tellPeople } from '../../notices/tell-people.ts';
import { callKeyFor } from '../call-key.ts';
import { failedNode, NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderSent, renderShown } from '../render-node.ts';
import { type RetryReason, tryAgain } from '../retry-rule.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

interface Message {
  readonly subject: string;
  readonly body: string;
}

/**
 * Tells people: in the portal, by mail, or by a message to an address. The latter two may tell twice after a crash, with
 * the same key. Only an address may hold a secret, because people read the rest.
 */
export function notifyKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const { target, to, subject, body, link } = call.node.config;
      const context = withoutEncrypted(await runContext(deps, call), call);
      const shown = renderShown({ subject: subject ?? '', body: body ?? '' }, context, call.now) as Message;
      const message = { subject: onOneLine(asText(shown.subject), 200), body: asText(shown.body) };
      if (target === 'email' || target === 'portal') {
        const asked = renderShown({ to, link }, context, call.now) as { readonly to: unknown; readonly link: unknown };
        const input = { target, to: asked.to, ...message };
        const people = await findPeople(deps, call, readNames(asked.to));
        if (target === 'email') return { ...(await sendMail(deps, call, people, message)), input };
        const leadsTo = asked.link === '' ? null : (asked.link ?? null);
        return { ...(await leaveNotice(deps, call, people, message, leadsTo)), input: { ...input, link: leadsTo } };
      }
      const address = await renderSent(deps, call.actor, { to }, context, call.now);
      const input = { target, to: address.shown.to, ...message };
      return { ...(await tellReceiver(deps, call, address.sent.to, message)), input };
    },
  };
}

/** Nobody but the organization's own people is told by name. */
async function findPeople({ database }: NodesDeps, { actor }: NodeCall, names: readonly string[]): Promise<string[]> {
  const teams = await findTeamKeys(database, actor.orgId, actor.model, names);
  const users = names.map((each) => each.toLowerCase());
  return listNamedUsers(database, actor.orgId, { users, teams });
}

async function leaveNotice(
  deps: NodesDeps,
  call: NodeCall,
  people: readonly string[],
  { subject, body }: Message,
  link: unknown,
): Promise<NodeOutcome> {
  if (people.length === 0) return failedNode('Nobody was told: "to" names no user and no team with members');
  const leadsTo = link === null ? null : readNoticeLink(link);
  if (leadsTo === undefined) return failedNode(`Nobody was told: "link" ${noticeLinkRule}`);
  const { run, workflow, actor } = call;
  const told = openedFor(actor).mask({ subject: subject || titleOf(call), body, link: leadsTo });
  await tellPeople(deps, actor, people, {
    ...told,
    about: callKeyFor(call.nodeRun),
    workflow: workflow.identifier,
    workflowTitle: workflow.definition.title ?? null,
    runId: run.id,
    startedBy: run.createdBy,
  });
  return succeededNode({ told: people.length, refused: 0 });
}

async function sendMail(
  deps: NodesDeps,
  call: NodeCall,
  to: readonly string[],
  { subject, body }: Message,
): Promise<NodeOutcome> {
  if (!deps.mailer) return failedNode('No e-mail was sent: this installation sends none');
  if (to.length === 0) return failedNode('No e-mail was sent: "to" names no user and no team with members');
  try {
    const mail = { to, about: callKeyFor(call.nodeRun), subject: subject || titleOf(call), text: `${body}\n` };
    const { refused } = await deps.mailer.send(mail);
    return succeededNode({ told: to.length - refused.length, refused: refused.length });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const message = `No e-mail was sent: ${error.message}`;
    return (error.canRetry && tryAgain(call, 'network', message)) || failedNode(message);
  }
}

const reasons: Readonly<Record<string, RetryReason>> = { timeout: 'timeout', unreachable: 'network' };

async function tellReceiver(deps: NodesDeps, call: NodeCall, url: unknown, message: Message): Promise<NodeOutcome> {
  if (typeof url !== 'string' || url === '') throw new NodeFailure('The address came to nothing');
  const answer = await callAddress(deps, {
    id: callKeyFor(call.nodeRun),
    actor: call.actor,
    written: { url: call.node.config['to'] },
    method: {
      url,
      method: 'POST',
      body: call.node.config['target'] === 'slack' ? inSlack(call, message) : plain(call, message),
    },
    context: {},
    depth: call.run.depth,
    asker: async () => undefined,
    signal: call.signal,
    timeoutMs: 20_000,
  });
  if (answer.kind === 'failed') {
    const told = `Nobody was told: ${answer.message}`;
    const reason = answer.mayPass ? reasons[answer.reason] : undefined;
    return (reason && tryAgain(call, reason, told)) ?? failedNode(told);
  }
  const problem = answerProblem(answer.status);
  if (!problem) return succeededNode({ told: 1, refused: 0 });
  const reason = answer.status === 429 ? '429' : answer.status >= 500 ? '5xx' : undefined;
  const told = `Nobody was told: ${problem.message}`;
  return (reason && tryAgain(call, reason, told, answer.headers['retry-after'])) ?? failedNode(told);
}

function plain({ run, nodeRun, workflow }: NodeCall, { subject, body }: Message): object {
  return {
    subject,
    body,
    workflow: { identifier: workflow.identifier, title: workflow.definition.title ?? null },
    workflowRun: { identifier: run.id },
    workflowNodeRun: { identifier: nodeRun.id },
  };
}

function inSlack(call: NodeCall, { subject, body }: Message): object {
  return slackMessage(`*${slackText(subject || titleOf(call))}*\n${slackText(body)}`);
}

function titleOf({ workflow, node }: NodeCall): string {
  return onOneLine(node.title || workflow.definition.title || workflow.identifier, 200);
}

function readNames(to: unknown): string[] {
  const list = Array.isArray(to) ? to.flat() : typeof to === 'string' ? to.split(',') : [];
  return list.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []));
}

/** Templates may give anything. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
