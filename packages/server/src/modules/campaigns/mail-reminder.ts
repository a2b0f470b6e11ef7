import { AppError } from '../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { type Mail, type Mailer, MailFailure } from '../../platform/mail/mailer.ts';
import { findActor } from '../accounts/index.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { daysBetween, toDay } from './days.ts';
import { mailReminderDeclared } from './mail-reminder-request.ts';
import { getCampaign, readOwnShare } from './read-campaigns.ts';
import { findWaiting, type MailOfReminder, type Reminder, setMail } from './reminder.store.ts';

type Deps = Pick<CatalogDeps, 'database' | 'clock'> & {
  readonly mailer?: Mailer | undefined;
  readonly publicUrl: () => string;
};

/**
 * Mails one person the reminder of a campaign, as they would see it at that moment. Harmless twice: one that was sent is not
 * sent again, and a message whose process died between sending and noting has the same Message-ID as before.
 */
export function mailReminderJob(deps: Deps): JobDeclaration {
  const job = defineJob({
    ...mailReminderDeclared,
    run: async ({ userKey, ...reminder }, { orgId, attempt }) => {
      const noted = (mail: MailOfReminder): Promise<void> =>
        deps.database.transaction((tx) => setMail(tx, orgId, reminder, { userKey, mail }));
      const mail = await writeMail(deps, orgId, reminder, userKey);
      if (!mail || !deps.mailer) return noted('none');
      try {
        const { refused } = await deps.mailer.send(mail);
        await noted(refused.length > 0 ? 'failed' : 'sent');
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        if (error.canRetry && attempt < mailReminderDeclared.attempts) throw error;
        await noted('failed');
      }
    },
  });
  return job as unknown as JobDeclaration;
}

/** Undefined for who has it already, and where nothing is open any more. */
async function writeMail(deps: Deps, orgId: string, reminder: Reminder, userKey: string): Promise<Mail | undefined> {
  const { database, clock, publicUrl } = deps;
  const waiting = await findWaiting(database, orgId, reminder, userKey);
  const actor = waiting && (await findActor(database, orgId, { kind: 'person', id: waiting.identifier }));
  if (!waiting || !actor) return undefined;
  try {
    const { title, dueDate } = await getCampaign(deps, actor, reminder.campaign);
    const share = await readOwnShare(deps, actor, reminder.campaign);
    if (!share || share.open === 0) return undefined;
    const when = dueWords(daysBetween(toDay(clock.now()), dueDate));
    const name = onOneLine(title);
    const lines = [
      `"${name}" is due ${when}, on ${dueDate}.`,
      `${share.open} of ${share.total} entities of your teams are still open:`,
      '',
      ...share.entities.map((each) => `- ${onOneLine(each.title ?? each.identifier)}`),
      ...(share.open > share.entities.length ? [`- and ${share.open - share.entities.length} more`] : []),
      '',
      `Look at them: ${new URL(`/builder/campaigns/${encodeURIComponent(reminder.campaign)}?mine=true`, publicUrl())}`,
    ];
    const { campaign, step } = reminder;
    const about = `${campaign}.${dueDate}.${step}.${userKey}`.replaceAll(/[^\w.-]/gu, '_');
    return { to: [waiting.identifier], subject: `Due ${when}: ${name}`, text: `${lines.join('\n')}\n`, about };
  } catch (error) {
    // deleted, or hidden from the person since
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function dueWords(left: number): string {
  if (left < 0) return left === -1 ? '1 day ago' : `${-left} days ago`;
  if (left === 0) return 'today';
  return left === 1 ? 'tomorrow' : `in ${left} days`;
}

/** People choose names, and a line break in one could fake another line. */
function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, 200);
}
