import { type ImportPart, type ImportServer, isPassingAnswer, type WireProblem } from '../src/send/import-wire.ts';

/** A break of the connection. */
class Broken extends Error {}
class Refused extends Error {}

/**
 * The protocol of imports in memory: chunks of three lines, refuses identifiers that begin with `bad`, and breaks off the
 * answer after as many pieces as `breaks` says, one number a request. With `storesOn` it goes on to store what it had
 * received, but only after it was asked how far it is.
 */
export function createFakeServer(breaks: (number | undefined)[] = [], { storesOn = false } = {}) {
  let received: readonly string[] = [];
  const stored: string[] = [];
  const problems: WireProblem[] = [];
  const requests: ImportPart[] = [];
  const waits: number[] = [];
  let status = 'open';
  const counts = () => ({
    created: stored.length - problems.length,
    changed: 0,
    unchanged: 0,
    refused: problems.length,
    waiting: 0,
  });

  async function* answer(part: ImportPart, lines: readonly string[]): AsyncGenerator<Uint8Array> {
    const breakAfter = breaks.shift() ?? Number.POSITIVE_INFINITY;
    let pieces = 0;
    const piece = (value: object) => {
      if (pieces++ >= breakAfter) {
        if (storesOn) received = lines.slice(stored.length - (part.after ?? 0));
        throw new Broken();
      }
      return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    };
    yield piece({ import: 'imp_1', lines: stored.length });
    for (let at = 0; at < lines.length; at += 3) {
      const told: WireProblem[] = [];
      for (const line of lines.slice(at, at + 3)) {
        stored.push(line);
        const { identifier } = JSON.parse(line) as { identifier: string };
        if (identifier.startsWith('bad'))
          told.push({ line: stored.length, message: 'Not this one.', path: '/properties/cost' });
      }
      problems.push(...told);
      for (const problem of told) yield piece({ ...problem, error: 'invalid_request' });
      yield piece({ chunk: at / 3, line: stored.length, ...counts() });
    }
    if (part.more) return;
    status = 'completed';
    yield piece({ done: true, import: 'imp_1', status, lines: stored.length, ...counts(), missing: 0 });
  }

  const server: ImportServer = {
    async send(part, body) {
      requests.push(part);
      stored.push(...received);
      received = [];
      if (part.import !== undefined && part.after !== stored.length) throw new Refused('import_out_of_step');
      return answer(part, body.split('\n').filter(Boolean));
    },
    read: async () => ({ lines: stored.length, status, counts: counts() }),
    listProblems: async (_, after) => problems.filter(({ line }) => line > after),
    cancel: async () => {
      status = 'cancelled';
    },
    isPassing: (error) => error instanceof Broken || (error instanceof Refused && isPassingAnswer(409, error.message)),
    wait: async (milliseconds) => void waits.push(milliseconds),
  };
  return { server, stored, requests, waits, status: () => status };
}
