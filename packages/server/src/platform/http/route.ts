import type { ServerResponse } from 'node:http';
import type { Operation, OperationAnswer, OperationInput } from '@portolan/contract/operation';
import type { FastifyBaseLogger } from 'fastify';
import type { Actor } from '../actor.ts';
import type { JsonStreamAnswer } from './json-stream.ts';
import type { LineStreamAnswer } from './line-stream.ts';

/** What a handler knows of the request beside its parsed input. */
export interface RequestInfo {
  /** Throws on public and operator operations, which have none. */
  readonly actor: Actor;
  /** The actor as the credential of the request stands now, for answers that go on. @throws AppError once it has ended */
  readmit(): Promise<Actor>;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The trace that the work of the request belongs to, if any. */
  readonly traceparent: string | undefined;
  /** The query as it was sent. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** The unchecked body; a `Buffer` where the operation reads bytes, a `Readable` where it reads a stream. */
  readonly rawBody: unknown;
  readonly remoteAddress: string;
  readonly log: FastifyBaseLogger;
}

/** An answer with a status or headers of its own. */
export class HttpAnswer<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** An answer that the handler writes itself (event streams). */
export class RawAnswer {
  readonly write: (response: ServerResponse) => Promise<void>;

  constructor(write: (response: ServerResponse) => Promise<void>) {
    this.write = write;
  }
}

/** What a handler answers: the members beside `ok: true`, which the one generic handler adds. */
export type Payload<O extends Operation> = Omit<OperationAnswer<O>, 'ok'> & { readonly ok?: boolean };

export type Handler<O extends Operation> = (
  input: OperationInput<O>,
  request: RequestInfo,
) => Promise<Payload<O> | HttpAnswer<Payload<O>> | JsonStreamAnswer | LineStreamAnswer | RawAnswer>;

/** An operation of the contract bound to the use case that serves it. */
export interface Route {
  readonly operation: Operation;
  readonly handle: Handler<Operation>;
}

/** Binds an operation to its handler: one line per operation in `*.routes.ts`, no logic. */
export function route<O extends Operation>(operation: O, handle: Handler<O>): Route {
  return { operation, handle: handle as unknown as Handler<Operation> };
}
