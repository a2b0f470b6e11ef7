import type { FastifyBaseLogger } from 'fastify';

/** A message to people, each of whom sees only that they got it. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Identifies the subject: a repeated message has the same, so that mail clients show it once. */
  readonly about: string;
}

/** Sends e-mail. */
export interface Mailer {
  /** Resolves once the server accepted it, with the refused recipients. @throws MailFailure */
  send(mail: Mail): Promise<{ readonly refused: readonly string[] }>;
}

/** The server did not take a message. Safe to show: it names neither server nor address. */
export class MailFailure extends Error {
  readonly canRetry: boolean;

  constructor(message: string, canRetry: boolean, cause: unknown) {
    super(message, { cause });
    this.name = 'MailFailure';
    this.canRetry = canRetry;
  }
}

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with user and password if the server asks for them. */
  readonly url: string;
  readonly from: string;
  readonly log: FastifyBaseLogger;
}

const connectMs = 10_000;
const answerMs = 20_000;
/** Servers need not accept more (RFC 5321, 4.5.3.1.8). */
const recipientsMax = 100;

/** The mail server set by the operator. Nothing is loaded or connected before the first message. */
export function createSmtpMailer({ url, from, log }: SmtpSettings): Mailer {
  const transport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: answerMs,
      // content comes from users: it must not include files or addresses
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ to, subject, text, about }) => {
      const refused: string[] = [];
      for (let first = 0; first < to.length; first += recipientsMax) {
        const recipients = to.slice(first, first + recipientsMax);
        try {
          const sent = await (await transport()).sendMail({
            from,
            to: from,
            envelope: { from, to: recipients },
            subject,
            text,
            messageId: `<${about}.${first / recipientsMax}@${domain}>`,
            headers: { 'auto-submitted': 'auto-generated' },
          });
          refused.push(...sent.rejected.map(String));
        } catch (error) {
          throw toMailFailure(error, log);
        }
      }
      return { refused };
    },
  };
}

/** Details go to the operator's log; the reader of the run learns only that it failed. */
function toMailFailure(error: unknown, log: FastifyBaseLogger): MailFailure {
  log.warn({ err: error }, 'The mail server did not take a message');
  const { responseCode } = error as { responseCode?: number };
  if (responseCode === undefined) return new MailFailure('the mail server cannot be reached', true, error);
  return new MailFailure(`the mail server answered ${responseCode}`, responseCode < 500, error);
}
