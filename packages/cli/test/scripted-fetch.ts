/** A request as a scripted server saw it. */
export interface SeenRequest {
  /** `GET /v1/blueprints`; the query apart. */
  readonly call: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Handler = (request: SeenRequest) => Response | Promise<Response>;

/** A server in memory: handlers by `METHOD /path`, several for several calls; what it was asked is kept. */
export function scriptedFetch(script: Readonly<Record<string, Handler | readonly Handler[]>>): {
  readonly fetch: typeof fetch;
  readonly seen: readonly SeenRequest[];
} {
  const seen: SeenRequest[] = [];
  const withSignIn: typeof script = { 'POST /v1/auth/access_token': signIn, ...script };
  return {
    seen,
    fetch: async (input, init = {}) => {
      const url = new URL(String(input));
      const request: SeenRequest = {
        call: `${init.method ?? 'GET'} ${decodeURIComponent(url.pathname)}`,
        query: Object.fromEntries(url.searchParams),
        headers: new Headers(init.headers),
        body: bodyOf(init),
      };
      const before = seen.filter(({ call }) => call === request.call).length;
      seen.push(request);
      const entry = Object.entries(withSignIn).find(([call]) => matches(call, request.call))?.[1];
      const handler = typeof entry === 'function' ? entry : entry?.[Math.min(before, entry.length - 1)];
      if (!handler) return refusal(404, 'not_found', `${request.call} is not scripted`);
      return abortable(handler(request), init.signal ?? undefined);
    },
  };
}

/** JSON parsed, JSON lines as the list of them. */
function bodyOf({ body, headers }: RequestInit): unknown {
  if (typeof body !== 'string') return undefined;
  const isLines = new Headers(headers).get('content-type') === 'application/x-ndjson';
  if (!isLines) return JSON.parse(body);
  const lines = body.split('\n').filter((line) => line !== '');
  return lines.map((line): unknown => JSON.parse(line));
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export function refusal(status: number, error: string, message: string, details?: unknown): Response {
  return json({ ok: false, error, message, ...(details === undefined ? {} : { details }) }, status);
}

/** An event stream. `cut` ends it as a broken connection does; without it the stream ends cleanly. */
export function eventStream(events: readonly { id: string; event: string; data: unknown }[], end?: 'cut'): Response {
  const texts = events.map(({ id, event, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const lines = text.split('\n').map((line) => `data: ${line}\n`);
    return `id: ${id}\nevent: ${event}\n${lines.join('')}\n`;
  });
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts.shift();
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
      else if (end === 'cut') controller.error(cutError());
      else controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/** What `fetch` throws when the other side closes the connection. */
export function cutError(): TypeError {
  return new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } });
}

function signIn({ body }: SeenRequest): Response {
  const { clientSecret } = body as { clientSecret: string };
  if (clientSecret !== 'secret') return refusal(401, 'unauthorized', 'The client id or secret is wrong');
  return json({ ok: true, accessToken: 'token', expiresIn: 10_800, tokenType: 'Bearer' });
}

/** `{…}` in a scripted path stands for any one part. */
function matches(pattern: string, call: string): boolean {
  const parts = pattern.split('/');
  const given = call.split('/');
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index]);
}

function abortable(answer: Response | Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    Promise.resolve(answer).then((response) => resolve(stopping(response, signal)), reject);
  });
}

/** The body fails when the request is aborted, as a real one does. */
function stopping(response: Response, signal: AbortSignal | undefined): Response {
  if (!signal || !response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
