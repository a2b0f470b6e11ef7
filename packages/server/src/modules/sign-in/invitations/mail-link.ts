import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { type Mail, MailFailure } from '../../../platform/mail/mailer.ts';
import { findAccountByKey, maySignIn } from '../account.store.ts';
import { findMailedLink, type StoredLink, setLinkSecret } from '../passwords/link.store.ts';
import { linkUrl } from '../passwords/make-link.ts';
import { assertStillPermitted } from '../passwords/password-links.ts';
import { hashProof, newProof, writeProof } from '../proof.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { type MailState, setMailState } from './invitation.store.ts';
import { buildInvitationMail } from './invitation-mail.ts';
import { mailLinkDeclared } from './mail-link-request.ts';

interface ReadyMail {
  readonly link: StoredLink;
  readonly mail: Mail;
}

/**
 * Mails the link of an invitation. The link gets its secret here, so that it is in the message and nowhere else. It may
 * run twice: the second message carries a link that works, and the first does not any more.
 */
export function mailLinkJob(deps: SignInDeps): JobDeclaration {
  const { database, clock, mailer } = deps;
  const job = defineJob({
    ...mailLinkDeclared,
    run: async ({ linkId }, { orgId, attempt }) => {
      const ready = await database.transaction((tx) => prepareMail(deps, tx, orgId, linkId));
      if (!ready) return;
      const told = async (state: MailState, problem?: string): Promise<void> => {
        await database.transaction(async (tx) => {
          // another invitation since has a state of its own
          const current = await findMailedLink(tx, orgId, linkId, clock.now());
          if (current) await setMailState(tx, { orgId, userKey: current.userKey }, state, clock.now(), problem);
        });
      };
      if (!mailer) return told('failed', 'no mail server is set up');
      try {
        await mailer.send(ready.mail);
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        const again = error.canRetry && attempt < mailLinkDeclared.attempts;
        await told(again ? 'waiting' : 'failed', error.message);
        if (again) throw error;
        return;
      }
      await told('sent');
    },
  });
  return job as unknown as JobDeclaration;
}

/** Undefined if the link has ended, or its maker may not give it any more. */
async function prepareMail(
  { publicUrl, clock }: SignInDeps,
  tx: Tx,
  orgId: string,
  linkId: string,
): Promise<ReadyMail | undefined> {
  const now = clock.now();
  const link = await findMailedLink(tx, orgId, linkId, now);
  const account = link && (await findAccountByKey(tx, orgId, link.userKey));
  if (!link || !account || !maySignIn(account)) return undefined;
  const secret = newProof();
  try {
    const changed = { ...link, orgId, secretHash: hashProof(secret) };
    await setLinkSecret(tx, await assertStillPermitted(tx, changed, account));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = 'whoever invited this person may not do so any more; invite them again';
    await setMailState(tx, { orgId, userKey: link.userKey }, 'failed', now, problem);
    return undefined;
  }
  const url = linkUrl(publicUrl(), writeProof({ orgId, id: link.id, secret }));
  const mail = await buildInvitationMail(tx, {
    orgId,
    to: account.identifier,
    madeBy: link.createdBy,
    url,
    until: link.expiresAt,
  });
  return { link, mail: { ...mail, about: `${link.id}.${hashProof(secret).slice(0, 8)}` } };
}
