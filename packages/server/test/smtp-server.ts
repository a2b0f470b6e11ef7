import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A message that the server took. */
export interface TakenMail {
  readonly user: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came, with lines ended by `\n`. */
  readonly content: string;
}

export interface SmtpServer {
  readonly address: string;
  readonly taken: TakenMail[];
  /** Answers a command in place of the usual; it hangs on `hang`. */
  answer: (command: string) => string | 'hang' | undefined;
  close(): Promise<void>;
}

/** A mail server on loopback, as far as a client asks one: EHLO, AUTH PLAIN, MAIL, RCPT, DATA, RSET, QUIT. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let mail = empty();
    let content: string | undefined;
    let held = '';
    socket.on('data', (chunk) => {
      held += chunk.toString('utf8');
      for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
        const line = held.slice(0, end);
        held = held.slice(end + 2);
        if (content !== undefined && line !== '.') {
          content += `${line.replace(/^\./, '')}\n`;
          continue;
        }
        const answer = smtp.answer(content === undefined ? line : '(end of data)');
        if (answer === 'hang') return;
        if (answer !== undefined) {
          content = undefined;
          say(answer);
        } else if (content !== undefined) {
          smtp.taken.push({ ...mail, content });
          content = undefined;
          mail = { ...empty(), user: mail.user };
          say('250 taken');
        } else if (/^EHLO /i.test(line)) say('250-here\r\n250 AUTH PLAIN');
        else if (/^AUTH PLAIN /i.test(line)) {
          mail = { ...mail, user: Buffer.from(line.slice(11), 'base64').toString('utf8').split('\0')[1] };
          say('235 welcome');
        } else if (/^MAIL FROM:/i.test(line)) {
          mail = { ...mail, from: addressIn(line) };
          say('250 ok');
        } else if (/^RCPT TO:/i.test(line)) {
          mail = { ...mail, to: [...mail.to, addressIn(line)] };
          say('250 ok');
        } else if (/^DATA/i.test(line)) {
          content = '';
          say('354 go on');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
    say('220 here');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const smtp: SmtpServer = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: [],
    answer: () => undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return smtp;
}

const empty = (): Omit<TakenMail, 'content'> => ({ user: undefined, from: '', to: [] });

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
