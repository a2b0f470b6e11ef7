import { setTimeout as wait } from 'node:timers/promises';
import { Postponed } from '../../../platform/jobs/job.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import { type ReaderPorts, SourceRefusal } from '../source-type.ts';

export interface HostRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Statuses that are answers besides 2xx; others are failures. */
  readonly allows?: readonly number[];
  /** Whether an answer will never be another one, as what a commit holds. */
  readonly isFinal?: (text: string) => boolean;
  readonly signal: AbortSignal;
}

export interface HostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface TransportOptions {
  /** What people call the host in messages: `GitHub`. */
  readonly title: string;
  /** Credentials are sent nowhere else, whatever links and redirects say. */
  readonly origin: string;
  readonly concurrency: number;
  /** Statuses besides 401 that mean that the credentials are refused. */
  readonly refusesWith?: readonly number[];
  /** How long to wait where the host says that there is a limit but not until when. */
  readonly unknownLimitMs?: number;
  authorize(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

export interface Transport {
  send(url: string, request: HostRequest): Promise<HostAnswer>;
  requestCount(): number;
}

/** A status that the caller did not expect. */
class HostFailure extends Error {
  readonly status: number;

  constructor(title: string, status: number, path: string) {
    super(`${title} answers ${status} for ${path}`);
    this.name = 'HostFailure';
    this.status = status;
  }
}

const attemptsMax = 5;
const redirectsMax = 3;
/** Left to others who use the same credentials. */
const reservedShare = 0.2;
const minuteMs = 60_000;

/**
 * All requests to a host: at most so many at once, failed ones repeated, limits of the host kept. A used-up limit is
 * `Postponed` until the host takes requests again; 401 is a `SourceRefusal`.
 */
export function createTransport(ports: ReaderPorts, options: TransportOptions): Transport {
  const { title, origin, concurrency, refusesWith = [], unknownLimitMs = minuteMs } = options;
  const { retryMs = 500 } = ports;
  const waiting: (() => void)[] = [];
  let running = 0;
  let requests = 0;
  let closedUntil: Date | undefined;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  async function sendOnce(url: string, request: HostRequest): Promise<HostAnswer> {
    if (closedUntil && closedUntil > ports.now()) throw postponed(closedUntil);
    let target = url;
    for (let redirect = 0; ; redirect += 1) {
      requests += 1;
      const headers = { 'user-agent': 'portolan', ...request.headers, ...(await options.authorize(request.signal)) };
      const { method = 'GET', body = null, signal } = request;
      const answer = await ports.fetch(target, { method, headers, body, signal });
      const text = await answer.text();
      noteLimit(answer);
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || !location || method !== 'GET' || redirect === redirectsMax) {
        return { status: answer.status, headers: answer.headers, text };
      }
      const next = new URL(location, target);
      if (next.origin !== origin) return { status: answer.status, headers: answer.headers, text };
      target = next.href;
    }
  }

  function noteLimit({ status, headers }: Response): void {
    const left = Number(headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining') ?? Number.NaN);
    const limit = Number(headers.get('x-ratelimit-limit') ?? headers.get('ratelimit-limit') ?? Number.NaN);
    const isUsedUp = status === 429 || (status === 403 && (left === 0 || headers.has('retry-after')));
    // some say so in words, or by answering late
    const isNear = headers.get('x-ratelimit-nearlimit')?.toLowerCase() === 'true';
    const isSlowed = status < 300 && (headers.has('retry-after') || headers.has('x-ratelimit-delay'));
    if (!isUsedUp && !isNear && !isSlowed && !(left < limit * reservedShare)) return;
    closedUntil = resetOf(headers, ports.now(), unknownLimitMs);
    if (isUsedUp) throw postponed(closedUntil);
  }

  function postponed(until: Date): Postponed {
    return new Postponed(
      until,
      `waits for ${title} until ${until.toISOString().slice(11, 16)} UTC: its limit is used up`,
    );
  }

  /** Asks only for what may have changed since the host was asked the same. */
  async function send(url: string, request: HostRequest): Promise<HostAnswer> {
    const { answers } = ports;
    const { method = 'GET', body = '', isFinal = () => false } = request;
    if (!answers || (method !== 'GET' && !request.isFinal)) return ask(url, request);
    const name = `${method} ${url} ${body}`;
    const kept = answers.find(name);
    if (kept?.isFinal) return kept;
    const etag = kept?.headers.get('etag');
    const headers = { ...request.headers, ...(etag ? { 'if-none-match': etag } : {}) };
    const allows = [...(request.allows ?? []), ...(etag ? [304] : [])];
    const answer = await ask(url, { ...request, headers, allows });
    if (answer.status === 304 && kept) return kept;
    const isOfAlways = answer.status === 200 && isFinal(answer.text);
    if (answer.status === 200 && (isOfAlways || answer.headers.has('etag'))) {
      answers.keep(name, { ...answer, isFinal: isOfAlways });
    }
    return answer;
  }

  async function ask(url: string, request: HostRequest): Promise<HostAnswer> {
    const { pathname, origin: asked } = new URL(url);
    if (asked !== origin) throw new Error(`${title} names an address of another host: ${asked}`);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await inTurn(() => sendOnce(url, request)).catch((error: unknown) => toPassing(error));
      if ('status' in outcome) {
        const isAnswer = outcome.status < 300 && !refusesWith.includes(outcome.status);
        if (isAnswer || request.allows?.includes(outcome.status)) return outcome;
        if (outcome.status === 401 || refusesWith.includes(outcome.status)) throw refusedCredentials(title);
        if (outcome.status < 500) throw new HostFailure(title, outcome.status, pathname);
      }
      if (attempt === attemptsMax) {
        throw 'status' in outcome ? new HostFailure(title, outcome.status, pathname) : outcome.failure;
      }
      const pauseMs = retryMs * 2 ** (attempt - 1) * (0.5 + Math.random());
      await wait(pauseMs, undefined, { signal: request.signal });
    }
  }

  /** A failure that may pass; throws the others. */
  function toPassing(error: unknown): { readonly failure: OutgoingFailure } {
    if (!(error instanceof OutgoingFailure)) throw error;
    if (error.kind === 'refused') {
      throw new SourceRefusal(
        'address_refused',
        error.message,
        'Correct the address of the source, or ask the operator.',
      );
    }
    if (error.kind === 'too_large') throw error;
    return { failure: error };
  }

  return { send, requestCount: () => requests };
}

function refusedCredentials(title: string): SourceRefusal {
  return new SourceRefusal(
    'credentials_refused',
    `${title} refuses the credentials: they expired, were revoked or are mistyped`,
    `Make a new token in ${title} and replace the secret of the source.`,
  );
}

function resetOf(headers: Headers, now: Date, unknownLimitMs: number): Date {
  const after = headers.get('retry-after');
  if (after !== null && after !== '') {
    const seconds = Number(after);
    const until = Number.isNaN(seconds) ? new Date(after) : new Date(now.getTime() + seconds * 1000);
    if (!Number.isNaN(until.getTime())) return until;
  }
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  return reset * 1000 > now.getTime() ? new Date(reset * 1000) : new Date(now.getTime() + unknownLimitMs);
}

/** The address of the next page; the end of a list is that there is none, never a short page. */
export function nextPage(headers: Headers): URL | undefined {
  for (const link of (headers.get('link') ?? '').split(/,\s*(?=<)/)) {
    const found = /^<([^>]+)>\s*;.*\brel="?next"?/.exec(link.trim());
    if (found?.[1]) return new URL(found[1]);
  }
  return undefined;
}
