import { connect } from 'node:net';

/** One kept-alive connection with one request in flight: the load generator must cost less than what it measures. */
export interface HttpConnection {
  /** A JSON request; the answer must have a length. */
  send(request: Buffer): Promise<Answer>;
  /** A request whose answer is an event stream. */
  stream(request: Buffer, firstText: RegExp, msMax?: number): Promise<StreamTimes>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Moments of a stream, in milliseconds since its request was sent. */
export interface StreamTimes {
  readonly firstEventMs: number;
  readonly firstTextMs: number;
  readonly endMs: number;
  /** The longest time in which nothing at all came. */
  readonly longestSilenceMs: number;
  readonly text: string;
}

/** A stream that takes longer is taken for lost, unless told. */
const streamMsMax = 60_000;

/** The bytes of a request, made once and sent often. */
export function requestBytes(
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1'];
  if (!('user-agent' in headers)) lines.push('user-agent: portolan-bench');
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (content) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(content)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** Opens a connection to a server on loopback. Answers that are not as the caller expects reject. */
export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let onData: (chunk: Buffer) => void = () => undefined;
  let onGone: (error: Error) => void = () => undefined;
  socket.on('data', (chunk) => onData(chunk));
  socket.on('error', (error) => onGone(error));
  socket.on('close', () => onGone(new Error('The server closed the connection')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        onGone = reject;
        let received: Buffer | undefined;
        onData = (chunk) => {
          received = received ? Buffer.concat([received, chunk]) : chunk;
          try {
            const answer = readAnswer(received);
            if (answer) resolve(answer);
          } catch (error) {
            reject(error as Error);
          }
        };
        socket.write(request);
      }),
    stream: (request, firstText, msMax = streamMsMax) =>
      new Promise((resolve, reject) => {
        const patience = setTimeout(() => reject(new Error(`A stream did not end:\n${text}`)), msMax);
        onGone = (error) => {
          clearTimeout(patience);
          reject(error);
        };
        const startedAt = performance.now();
        let text = '';
        let firstEventMs = Number.NaN;
        let firstTextMs = Number.NaN;
        let lastMs = 0;
        let longestSilenceMs = 0;
        onData = (chunk) => {
          text += chunk.toString('latin1');
          const elapsed = performance.now() - startedAt;
          longestSilenceMs = Math.max(longestSilenceMs, elapsed - lastMs);
          lastMs = elapsed;
          if (Number.isNaN(firstEventMs) && text.includes('data: ')) firstEventMs = elapsed;
          if (Number.isNaN(firstTextMs) && firstText.test(text)) firstTextMs = elapsed;
          if (!text.endsWith('\r\n0\r\n\r\n')) {
            if (/^HTTP\/1\.1 [^2]/.test(text)) reject(new Error(`The stream was refused: ${text}`));
            return;
          }
          clearTimeout(patience);
          resolve({ firstEventMs, firstTextMs, endMs: elapsed, longestSilenceMs, text });
        };
        socket.write(request);
      }),
    close: () => {
      onGone = () => undefined;
      socket.destroy();
    },
  };
}

function readAnswer(received: Buffer): Answer | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without a length:\n${head}`);
  const end = headEnd + 4 + Number(length);
  if (received.length < end) return undefined;
  return { status: Number(head.slice(9, 12)), body: received.subarray(headEnd + 4, end) };
}
