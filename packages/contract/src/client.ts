import type { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import { type Operation, onlyReads } from './operation.ts';
import { createPositions, type Positions, positionHeader } from './position.ts';

/** Everything the server answered that is not a success. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody | undefined;
  /** `Retry-After`, in seconds, where the answer has one. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: ErrorBody | undefined, fallback: string, retryAfter?: number) {
    super(body?.message ?? fallback);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export interface ClientOptions {
  /** Address of the installation, with or without a trailing slash or `/v1`. */
  readonly baseUrl: string;
  /** Answers a token for each request; absent for public operations. */
  readonly token?: () => Promise<string>;
  readonly userAgent?: string;
  readonly fetch?: typeof fetch;
  /** What its reads have to show; its own unless it shares them. */
  readonly positions?: Positions;
}

/** What every call may be given. */
interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type ParamsInput<O extends Operation> = O extends { params: infer Params extends z.ZodType }
  ? { params: z.input<Params> }
  : { params?: never };
type QueryInput<O extends Operation> = O extends { query: infer Query extends z.ZodType }
  ? object extends z.input<Query>
    ? { query?: z.input<Query> | undefined }
    : { query: z.input<Query> }
  : { query?: never };
/** JSON lines, of operations that read their body as a stream. */
type LinesInput<O extends Operation> = O extends { readsBodyStream: true } ? { lines: string } : { lines?: never };
type BodyInput<O extends Operation> = O extends { body: infer Body extends z.ZodType }
  ? undefined extends z.input<Body>
    ? { body?: z.input<Body> }
    : { body: z.input<Body> }
  : { body?: never };

/** What a call of an operation is given: what its schemas take, and nothing that they do not name. */
export type CallInput<O extends Operation> = Flat<
  ParamsInput<O> & QueryInput<O> & BodyInput<O> & LinesInput<O> & CallOptions
>;
type Flat<T> = { [K in keyof T]: T[K] };

/** The argument that holds the input of a call; it may be left out where the operation needs nothing. */
export type CallArguments<Input> = object extends Input ? [input?: Input] : [input: Input];

/** What a call of an operation answers. */
export type CallAnswer<O extends Operation> = O extends { answer: infer A extends z.ZodType } ? z.output<A> : unknown;

/** A client that is typed by the operations it calls. */
export interface Client {
  /** @throws ApiError for every status that is not a success */
  call<O extends Operation>(declared: O, ...input: CallArguments<CallInput<O>>): Promise<CallAnswer<O>>;
  /** The open response, for streams. @throws ApiError */
  open<O extends Operation>(declared: O, ...input: CallArguments<CallInput<O>>): Promise<Response>;
}

/** The input of any call, as it is written into a request. */
interface RequestInput extends CallOptions {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  lines?: string | undefined;
}

export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const request = options.fetch ?? fetch;
  const positions = options.positions ?? createPositions();

  async function send(declared: Operation, input: RequestInput = {}): Promise<Response> {
    const headers: Record<string, string> = { ...input.headers };
    if (options.userAgent) headers['user-agent'] = options.userAgent;
    if (declared.access !== 'public' && options.token) headers['authorization'] = `Bearer ${await options.token()}`;
    if (input.lines !== undefined) headers['content-type'] = 'application/x-ndjson';
    else if (input.body !== undefined) headers['content-type'] = 'application/json';
    const position = positions.begin();
    headers[positionHeader] ??= position.sent;
    const body = input.lines ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const response = await request(base + buildPath(declared.path, input), {
      method: declared.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(input.signal ? { signal: input.signal } : {}),
    }).catch((error: unknown) => {
      // it may have been written all the same
      if (!onlyReads(declared)) positions.miss();
      throw error;
    });
    if (response.status >= 500 && !onlyReads(declared)) positions.miss();
    else position.answered(response.headers.get(positionHeader));
    if (response.ok) return response;
    const text = await response.text();
    throw new ApiError(
      response.status,
      readErrorBody(text),
      `HTTP ${response.status}: ${text.slice(0, 200)}`,
      readSeconds(response.headers.get('retry-after')),
    );
  }

  return {
    open: (declared, ...[input]) => send(declared, input as RequestInput | undefined),
    async call(declared, ...[input]) {
      const response = await send(declared, input as RequestInput | undefined);
      if (response.status === 204) return undefined as CallAnswer<typeof declared>;
      return (await response.json()) as CallAnswer<typeof declared>;
    },
  };
}

function buildPath(path: string, input: RequestInput): string {
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

function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

function readErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as ErrorBody;
    return typeof body === 'object' && body !== null && typeof body.error === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
