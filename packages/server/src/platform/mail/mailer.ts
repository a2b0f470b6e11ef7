import type { FastifyBaseLogger } from 'fastify';

/** A message to people, each of whom sees only that they got it. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Names what the message is about: one that is sent again has the same, so that readers show it once. */
  readonly about: string;
}

/** Sends e-mail. */
export interface Mailer {
  /** Resolves once the server has taken it; answers those whom it refused. @throws MailFailure */
  send(mail: Mail): Promise<{ readonly refused: readonly string[] }>;
}

/** The server did not take a message. The message is for anybody to read: it names no server, and no address. */
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
/** A server need not take more at a time (RFC 5321, 4.5.3.1.8). */
const recipientsMax = 100;

/** A mail server that the operator set. Nothing is loaded or connected to before the first message. */
export function createSmtpMailer({ url, from, log }: SmtpSettings): Mailer {
  const transport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: answerMs,
      // what is sent is text that others wrote: it never names a file or an address to take content from
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
          throw failureOf(error, log);
        }
      }
      return { refused };
    },
  };
}

/** The operator reads what happened in the log; whoever reads the run learns no more than that it did. */
function failureOf(error: unknown, log: FastifyBaseLogger): MailFailure {
  log.warn({ err: error }, 'The mail server did not take a message');
  const { responseCode } = error as { responseCode?: number };
  if (responseCode === undefined) return new MailFailure('the mail server cannot be reached', true, error);
  return new MailFailure(`the mail server answered ${responseCode}`, responseCode < 500, error);
}
