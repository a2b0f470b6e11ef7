import { z } from 'zod';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { MailFailure } from '../../../platform/mail/mailer.ts';
import { onOneLine } from '../../../platform/mail/on-one-line.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { findTeamKeys, listNamedUsers } from '../../accounts/index.ts';
import { answerProblem, callAddress, slackMessage, slackText } from '../../actions/index.ts';
import type { Responders } from '../runs/workflow-run.ts';
import { NodeFailure } from './node-failure.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunPorts } from './node-run.ports.ts';
import { insertLogLines } from './node-run.store.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { renderSent, renderShown } from './render-node.ts';
import { type RunContext, runContext, withoutEncrypted } from './run-context.ts';

type Deps = NodesDeps & Pick<NodeRunPorts, 'readCall'>;

const attempts = 4;

const declared = {
  name: 'workflows.notify-responders',
  input: z.object({ nodeRunId: z.string() }),
  attempts,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** Only enqueues; `notifyRespondersJob` runs the job. */
export const notifyResponders = defineJob({
  ...declared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});

/** What became of a notification. */
interface Notice {
  readonly message: string;
  readonly mayPass: boolean;
}

/**
 * Tells those who may respond to an `INPUT` that it waits. May tell twice, with the same idempotency key; the outcome
 * only goes to the log of the step.
 */
export function notifyRespondersJob(deps: Deps): JobDeclaration {
  const job = defineJob({
    ...declared,
    run: async ({ nodeRunId }, { orgId, attempt, signal }) => {
      const found = await deps.readCall(orgId, nodeRunId, signal);
      if (found?.nodeRun.phase !== 'WAIT_RESPONSE') return;
      const actor: Actor = { ...found.actor, opened: createSecretScope() };
      const call: NodeCall = { ...found, actor };
      const notices = openedFor(actor).mask(await notifyAll(deps, call));
      const again = attempt < attempts && notices.some(({ mayPass }) => mayPass);
      const lines = notices.map(({ message, mayPass }) => ({
        level: mayPass || message.includes(' not ') ? ('WARN' as const) : ('INFO' as const),
        message: again && mayPass ? `${message}; it is tried again` : message,
      }));
      await deps.unitOfWork(actor, ({ tx, now }) => insertLogLines(tx, orgId, nodeRunId, lines, now));
      if (again) throw new Error(`responders of ${nodeRunId} were not told`);
    },
  });
  return job as unknown as JobDeclaration;
}

type Declared = Readonly<Record<string, unknown>> & { readonly target: string };

async function notifyAll(deps: Deps, call: NodeCall): Promise<Notice[]> {
  const context = withoutEncrypted(await runContext(deps, call), call);
  const notices: Notice[] = [];
  for (const [at, wanted] of ((call.node.config['notifications'] ?? []) as readonly Declared[]).entries()) {
    try {
      notices.push(await notify(deps, call, context, wanted, at));
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      notices.push({ message: `A notification was not sent: ${error.message}`, mayPass: false });
    }
  }
  return notices;
}

async function notify(deps: Deps, call: NodeCall, context: RunContext, wanted: Declared, at: number): Promise<Notice> {
  // people read mails
  if (wanted.target === 'email') return sendMail(deps, call, renderShown(wanted, context, call.now) as Declared);
  const { sent } = await renderSent(deps, call.actor, wanted, context, call.now);
  const method = wanted.target === 'slack' ? { url: sent['url'], body: askInSlack(deps, call) } : sent;
  return callReceiver(deps, call, { written: wanted, method, body: describeWait(deps, call) }, at);
}

async function callReceiver(
  deps: Deps,
  call: NodeCall,
  { written, method, body }: { readonly written: Declared; readonly method: object; readonly body: object },
  at: number,
): Promise<Notice> {
  const answer = await callAddress(deps, {
    id: `${call.nodeRun.id}.${at}`,
    actor: call.actor,
    written,
    method: method as Readonly<Record<string, unknown>>,
    context: body,
    depth: call.run.depth,
    asker: async () => undefined,
    signal: call.signal,
    timeoutMs: 20_000,
  });
  const failed = (message: string, mayPass: boolean) => ({
    message: `The responders were not notified: ${message}`,
    mayPass,
  });
  if (answer.kind === 'failed') return failed(answer.message, answer.mayPass);
  const problem = answerProblem(answer.status);
  return problem
    ? failed(problem.message, problem.mayPass)
    : { message: 'The responders were notified', mayPass: false };
}

async function sendMail(deps: Deps, call: NodeCall, { fields }: Readonly<Record<string, unknown>>): Promise<Notice> {
  if (!deps.mailer) {
    const message =
      'No e-mail was sent to the responders: this installation sends none. They find the run in the portal';
    return { message, mayPass: false };
  }
  const to = await listAddresses(deps, call);
  if (to.length === 0) return { message: 'No e-mail was sent: nobody may respond', mayPass: false };
  const lines = ((fields ?? []) as readonly { readonly label: unknown; readonly value: unknown }[]).map(
    ({ label, value }) => `${shownText(label)}: ${shownText(value)}`,
  );
  const text = [`"${titleOf(call)}" waits for your response.`, '', ...lines, '', `Respond: ${runUrl(deps, call)}`, ''];
  try {
    const subject = `Response needed: ${titleOf(call)}`;
    const { refused } = await deps.mailer.send({ to, about: call.nodeRun.id, subject, text: text.join('\n') });
    const but = refused.length > 0 ? `; the mail server refused ${refused.length} of them` : '';
    return { message: `An e-mail was sent to ${to.length} responders${but}`, mayPass: false };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { message: `The responders were not told by e-mail: ${error.message}`, mayPass: error.canRetry };
  }
}

async function listAddresses(deps: Deps, { actor, nodeRun }: NodeCall): Promise<string[]> {
  const { users, roles, teams, excluded } = nodeRun.responders ?? nobody;
  const keys = await findTeamKeys(deps.database, actor.orgId, actor.model, teams);
  const found = await listNamedUsers(deps.database, actor.orgId, { users, roles, teams: keys });
  return found.filter((each) => !excluded.includes(each.toLowerCase()));
}

const nobody: Responders = { users: [], roles: [], teams: [], excluded: [] };

/** What a receiver gets where its author wrote no body. */
function describeWait(deps: Deps, call: NodeCall): object {
  const { nodeRun, run, workflow, node } = call;
  return {
    workflow: { identifier: workflow.identifier, title: workflow.definition.title ?? null },
    workflowRun: { identifier: run.id, createdBy: run.createdBy },
    workflowNodeRun: { identifier: nodeRun.id, node: node.identifier, title: titleOf(call) },
    responders: nodeRun.responders,
    url: runUrl(deps, call),
  };
}

function askInSlack(deps: Deps, call: NodeCall): object {
  const asked = call.run.createdBy;
  const text = `*${slackText(titleOf(call))}* waits for a response.\nAsked for by ${slackText(asked)}.\n<${runUrl(deps, call)}|Open the run>`;
  return slackMessage(text);
}

function titleOf({ node, workflow }: NodeCall): string {
  const { title } = workflow.definition;
  return shownText(`${title || workflow.identifier}: ${node.title || node.identifier}`);
}

function runUrl({ publicUrl }: Pick<NodesDeps, 'publicUrl'>, { run }: NodeCall): string {
  return `${publicUrl().replace(/\/+$/, '')}/workflow-runs/${encodeURIComponent(run.id)}`;
}

/** Templates may give anything. */
function shownText(value: unknown): string {
  return onOneLine((typeof value === 'string' ? value : JSON.stringify(value)) ?? '', 500);
}
