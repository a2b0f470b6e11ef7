import type { Actor } from '../../../platform/actor.ts';
import { MailFailure } from '../../../platform/mail/mailer.ts';
import { onOneLine } from '../../../platform/mail/on-one-line.ts';
import { findActionByKey } from '../action.store.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { findRequesters } from './approvers.ts';
import type { StoredRun } from './run.ts';
import { listNamedApprovers } from './run-rights.ts';
import { runUrl } from './run-url.ts';

export interface MailResult {
  readonly message: string;
  readonly canRetry: boolean;
}

/** Mails the approvers that the action lists. The mail has no inputs, because the portal checks rights to them. */
export async function notifyByMail(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<MailResult> {
  if (!deps.mailer) {
    const message =
      'No e-mail was sent to the approvers: this installation sends none. They find the run in the portal';
    return { message, canRetry: false };
  }
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, actor.orgId, run.actionKey);
  const requesters = await findRequesters(deps.database, actor.orgId, run);
  const listed = action ? await listNamedApprovers(deps, actor, action) : [];
  const to = listed.filter((each) => !requesters.has(each));
  if (to.length === 0) {
    const message =
      "No e-mail was sent: nobody is listed as an approver. A policy's approvers find the run in the portal";
    return { message, canRetry: false };
  }
  try {
    const { refused } = await deps.mailer.send({ to, about: run.id, ...buildMail(deps, run) });
    const but = refused.length > 0 ? `; the mail server refused ${refused.length} of them` : '';
    return { message: `An e-mail was sent to ${to.length} approvers${but}`, canRetry: false };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { message: `The approvers were not told by e-mail: ${error.message}`, canRetry: error.canRetry };
  }
}

function buildMail(deps: ActionsDeps, run: StoredRun): { readonly subject: string; readonly text: string } {
  const title = onOneLine(run.action.definition.title ?? run.actionIdentifier);
  const lines = [
    `"${title}" waits for your approval.`,
    `Asked for by ${onOneLine(run.createdBy)}${run.entity === null ? '' : `, on ${onOneLine(run.entity)}`}.`,
    '',
    `Look at it and decide: ${runUrl(deps, run.id)}`,
  ];
  return { subject: `Approval needed: ${title}`, text: `${lines.join('\n')}\n` };
}
