import type { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import type { Operation } from './operation.ts';

/** Everything the server answered that is not a success. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody | undefined;

  constructor(status: number, body: ErrorBody | undefined, fallback: string) {
    super(body?.message ?? fallback);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export interface ClientOptions {
  /** Address of the installation, with or without a trailing slash or `/v1`. */
  readonly baseUrl: string;
  /** Answers a token for each request; absent for public operations. */
  readonly token?: () => Promise<string>;
  readonly userAgent?: string;
  readonly fetch?: typeof fetch;
}

/** What a call of an operation is given. */
export interface CallInput<O extends Operation> {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: O extends { body: infer Body extends z.ZodType } ? z.input<Body> : never;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What a call of an operation answers. */
export type CallAnswer<O extends Operation> = O extends { answer: infer A extends z.ZodType } ? z.output<A> : unknown;

/** A client that is typed by the operations it calls. */
export interface Client {
  /** @throws ApiError for every status that is not a success */
  call<O extends Operation>(declared: O, input?: CallInput<O>): Promise<CallAnswer<O>>;
  /** The open response, for streams. @throws ApiError */
  open<O extends Operation>(declared: O, input?: CallInput<O>): Promise<Response>;
}

export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const send = options.fetch ?? fetch;

  async function open<O extends Operation>(declared: O, input: CallInput<O> = {}): Promise<Response> {
    const headers: Record<string, string> = { ...input.headers };
    if (options.userAgent) headers['user-agent'] = options.userAgent;
    if (declared.access !== 'public' && options.token) headers['authorization'] = `Bearer ${await options.token()}`;
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    const response = await send(base + addressOf(declared.path, input), {
      method: declared.method,
      headers,
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new ApiError(response.status, readErrorBody(text), `HTTP ${response.status}: ${text.slice(0, 200)}`);
  }

  return {
    open,
    async call(declared, input) {
      const response = await open(declared, input);
      if (response.status === 204) return undefined as CallAnswer<typeof declared>;
      return (await response.json()) as CallAnswer<typeof declared>;
    },
  };
}

function addressOf(
  path: string,
  input: { params?: Record<string, string>; query?: CallInput<Operation>['query'] },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined) throw new TypeError(`path parameter ${name} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const part of Array.isArray(value) ? value : [value]) query.append(name, String(part));
  }
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}

function readErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as ErrorBody;
    return typeof body === 'object' && body !== null && typeof body.error === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
