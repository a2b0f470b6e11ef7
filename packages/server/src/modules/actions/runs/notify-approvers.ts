import { type Actor, openedFor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { approvalRule } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { findBookkeepingActor } from '../dispatch/run-actors.ts';
import { signatureHeaders } from '../dispatch/sign-request.ts';
import { nobodyApproves } from './approvers.ts';
import { approversOfRun } from './list-approvers.ts';
import { type MailResult, notifyByMail } from './notify-by-mail.ts';
import { notifyDeclared } from './notify-request.ts';
import { findRun, noteOnRun } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { runUrl } from './run-url.ts';
import { slackMessage, slackText } from './slack-message.ts';

/**
 * Notifies approvers of a waiting run as the action configures. May notify twice, with the run's id as the idempotency
 * key; the outcome only goes to the run's log.
 */
export function notifyApproversJob(deps: ActionsDeps): JobDeclaration {
  const job = defineJob({
    ...notifyDeclared,
    run: async ({ runId }, { orgId, attempt, signal }) => {
      const run = await findRun(deps.database, orgId, runId);
      if (run?.status !== 'WAITING_FOR_APPROVAL') return;
      const bookkeeper = await findBookkeepingActor(deps, orgId, run);
      if (!bookkeeper) return;
      const actor: Actor = { ...bookkeeper, opened: createSecretScope() };
      const { users } = await approversOfRun(deps, actor, run);
      const said = openedFor(actor).mask(await notify(deps, actor, run, signal));
      const again = said.canRetry && attempt < notifyDeclared.attempts;
      const message = again ? `${said.message}; it is tried again` : said.message;
      const lines = users.length === 0 && !again ? [message, nobodyApproves(run)] : [message];
      await deps.unitOfWork(actor, async ({ tx, now }) => {
        for (const line of lines) await noteOnRun(tx, orgId, run.id, { message: line, createdBy: actor.id, at: now });
      });
      if (again) throw new Error(`approvers of run ${run.id} were not told: ${said.message}`);
    },
  });
  return job as unknown as JobDeclaration;
}

async function notify(deps: ActionsDeps, actor: Actor, run: StoredRun, signal: AbortSignal): Promise<MailResult> {
  const { approvalNotification: wanted } = run.action.definition;
  if (wanted?.type !== 'webhook') return notifyByMail(deps, actor, run);
  const told = await buildMessage(deps, actor, run);
  const body = JSON.stringify(wanted.format === 'slack' ? askInSlack(run, told) : told);
  const secret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  try {
    const { status } = await deps.outgoing.send({
      url: wanted.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'portolan',
        'idempotency-key': run.id,
        ...(secret === undefined ? {} : signatureHeaders(body, secret, deps.clock.now())),
      },
      body,
      timeoutMs: 20_000,
      signal,
    });
    if (status >= 200 && status < 300) return { message: 'The approvers were notified', canRetry: false };
    const message = `The approvers were not notified: the receiver answered ${status}`;
    return { message, canRetry: status >= 500 || status === 429 };
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    return { message: `The approvers were not notified: ${error.message}`, canRetry: error.kind !== 'refused' };
  }
}

/** The message in the run format of agents, with approvers and link. */
async function buildMessage(deps: ActionsDeps, actor: Actor, run: StoredRun) {
  return {
    action: run.actionIdentifier,
    resourceType: 'run',
    status: run.status,
    trigger: {
      by: { orgId: actor.orgId, userId: run.createdBy },
      origin: run.source,
      at: run.createdAt.toISOString(),
    },
    context: { runId: run.id, blueprint: run.blueprint, entity: run.entity },
    payload: { properties: run.properties },
    requiredApproval: approvalRule(run.action.definition) ?? { type: 'ANY' },
    approvers: (await approversOfRun(deps, actor, run)).users,
    url: runUrl(deps, run.id),
  };
}

function askInSlack(run: StoredRun, { url, approvers, trigger }: Awaited<ReturnType<typeof buildMessage>>) {
  const title = slackText(run.action.definition.title ?? run.actionIdentifier);
  const lines = [
    `*${title}* waits for approval.`,
    `Asked for by ${slackText(trigger.by.userId)}${run.entity === null ? '' : ` on \`${slackText(run.entity)}\``}.`,
    ...(approvers.length > 0 ? [`Approvers: ${approvers.slice(0, 20).map(slackText).join(', ')}`] : []),
    `<${url}|Open the run>`,
  ];
  return slackMessage(lines.join('\n'));
}
