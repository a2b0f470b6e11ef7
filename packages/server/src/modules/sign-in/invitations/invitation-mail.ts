import type { Reader } from '../../../platform/db/database.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { onOneLine } from '../../../platform/mail/on-one-line.ts';
import { findUser } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';

/** Who made a link, and for which organization, as its holder sees it. */
export async function describeMaker(
  reader: Reader,
  orgId: string,
  madeBy: string,
): Promise<{ readonly organization: { readonly id: string; readonly name: string }; readonly maker: string | null }> {
  const organization = await findOrganization(reader, orgId);
  const person = await findUser(reader, orgId, madeBy);
  return {
    organization: { id: orgId, name: organization?.name ?? orgId },
    maker: person ? (person.title ?? person.identifier) : null,
  };
}

interface MailedLink {
  readonly orgId: string;
  readonly to: string;
  readonly madeBy: string;
  readonly url: string;
  readonly until: Date;
}

export async function buildInvitationMail(
  reader: Reader,
  { orgId, to, madeBy, url, until }: MailedLink,
): Promise<Omit<Mail, 'about'>> {
  const { organization, maker } = await describeMaker(reader, orgId, madeBy);
  const where = onOneLine(organization.name);
  const sentence = maker === null ? `You are invited to ${where}` : `${onOneLine(maker)} invites you to ${where}`;
  const lines = [
    `${sentence} on Portolan, the developer portal.`,
    '',
    'Open this link to join:',
    url,
    '',
    `It works once, until ${shownMoment(until)}. Keep it to yourself: whoever has it can sign in as you.`,
    'If you did not expect this invitation, you can ignore it.',
  ];
  return { to: [to], subject: sentence, text: `${lines.join('\n')}\n` };
}

const shown = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function shownMoment(at: Date): string {
  return `${shown.format(at)} UTC`;
}
