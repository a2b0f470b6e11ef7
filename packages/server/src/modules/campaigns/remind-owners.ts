import { z } from 'zod';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { findUserActor } from '../accounts/index.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { dayAfter, dayMs, toDay } from './days.ts';
import { mailReminderRequest } from './mail-reminder-request.ts';
import { readOpenTeams, readOwnShare } from './read-campaigns.ts';
import {
  insertPeople,
  insertReminder,
  listOwners,
  listRemindable,
  listReminders,
  type Reminder,
} from './reminder.store.ts';
import { reminderSteps, stepDue } from './reminder-steps.ts';

type Deps = Pick<CatalogDeps, 'database' | 'clock' | 'unitOfWork'> & { readonly mailer?: Mailer | undefined };

/** A due date that moves by a few days does not make the reminder of so many days before go again. */
const quietMs = 5 * dayMs;

/**
 * Reminds the owners of open entities 14, 7 and 1 days before an active campaign is due. Harmless twice: a reminder is
 * noted with the people it goes to and their e-mails, or not at all.
 */
export function remindOwnersJob(deps: Deps): JobDeclaration {
  return defineJob({
    name: 'campaigns.remind-owners',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 3_600_000,
    everyMs: 3_600_000,
    run: async (_input, { each, signal }) => {
      const today = toDay(deps.clock.now());
      const last = dayAfter(today, Math.max(...reminderSteps));
      const remindable = await listRemindable(deps.database, { from: today, to: last });
      await each(remindable, async ({ orgId, model, campaign, dueDate }, stop) => {
        signal.throwIfAborted();
        const step = stepDue(dueDate, today);
        if (step === undefined) return;
        await remind(deps, systemActor(orgId, model), { campaign, dueDate, step }, stop);
      });
    },
  });
}

async function remind(deps: Deps, actor: Actor, reminder: Reminder, stop: AbortSignal): Promise<void> {
  const { database, clock, unitOfWork, mailer } = deps;
  const now = clock.now().getTime();
  const sent = await listReminders(database, actor.orgId, reminder.campaign);
  const isSent = sent.some(
    ({ dueDate, step, at }) => step === reminder.step && (dueDate === reminder.dueDate || now - at.getTime() < quietMs),
  );
  if (isSent) return;
  const userKeys = await peopleToRemind(deps, actor, reminder.campaign, stop);
  if (!userKeys) return;
  await unitOfWork(actor, async (work) => {
    if (!(await insertReminder(work.tx, actor.orgId, reminder, work.now))) return;
    if (userKeys.length === 0) return;
    await insertPeople(work.tx, actor.orgId, reminder, { userKeys, mail: mailer ? 'waiting' : 'none' });
    if (mailer) for (const userKey of userKeys) await work.enqueue(mailReminderRequest, { ...reminder, userKey });
    work.record({
      event: 'campaign.reminded',
      action: 'OTHER',
      resourceType: 'campaign',
      identifier: reminder.campaign,
      context: { campaign: reminder.campaign },
      message: `Reminded ${userKeys.length} owners of open entities, due ${reminder.dueDate}`,
    });
  });
}

/** By key; undefined while the campaign cannot be measured. Each is asked of as they would see it themselves. */
async function peopleToRemind(
  deps: Deps,
  actor: Actor,
  campaign: string,
  stop: AbortSignal,
): Promise<string[] | undefined> {
  const teams = await readOpenTeams(deps, actor, campaign).catch(whenGone);
  if (!teams) return undefined;
  const keys: string[] = [];
  for (const { key, identifier } of await listOwners(deps.database, actor.orgId, teams)) {
    stop.throwIfAborted();
    const person = await findUserActor(deps.database, actor, identifier);
    const share = person && (await readOwnShare(deps, person.actor, campaign).catch(whenGone));
    if (share && share.open > 0) keys.push(key);
  }
  return keys;
}

/** Deleted since the list was read, or hidden from the person. */
function whenGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
