import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Who may call an operation at all; finer rights are decided by the use case. */
export type Access = 'public' | 'token' | 'admin' | 'operator';

/**
 * What happens to top-level body fields that the schema does not name: `open` ignores them and lists them in
 * `X-Ignored-Fields`; `closed` refuses them.
 */
export type UnknownFields = 'open' | 'closed';

/** What an operation is for, which decides who waits for whom when there is more to do than can be done; `control` waits for nobody. */
export type OperationClass = 'control' | 'interactive' | 'events' | 'bulk' | 'streams';

/** One operation of the HTTP API, as data: the server serves it, the client calls it, OpenAPI describes it. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase, a verb first. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Changes nothing though its method is not GET: the question is in the body. */
  readonly isReadOnly?: true;
  /** With the `/v1` prefix and `{name}` parameters. */
  readonly path: string;
  /** The same operation under other paths; not described in OpenAPI. */
  readonly aliases?: readonly string[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Still there, and not for new clients. */
  readonly deprecated?: true;
  readonly access: Access;
  /** The scope a restricted token needs, where method and path do not say it; null if any token will do. */
  readonly scope?: string | null;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly unknownFields?: UnknownFields;
  /** `body` describes what is documented, and the handler reads a wider form itself from the raw body. */
  readonly readsRawBody?: true;
  /** The handler reads the bytes of the body itself, of any media type, up to this many. */
  readonly rawBodyBytesMax?: number;
  /** The handler reads the body itself while it arrives, of any length. */
  readonly readsBodyStream?: true;
  /** Status of an `invalid_request` on this route group; 422 unless told. */
  readonly invalidStatus?: 400 | 422;
  /** Status of success; 200 unless told. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  readonly answer?: Answer;
  /**
   * `bulk` for what takes or reads large amounts, `control` for what an operator needs while nothing else is served; the
   * class of all others follows from their answer.
   */
  readonly workClass?: 'bulk' | 'control';
  /** A standby may answer it, if the caller has seen no more than that has (decision 0209). */
  readonly reads?: 'standby';
  /** The media type of success; `application/json` unless told. */
  readonly answerType?:
    | 'application/json'
    | 'application/x-ndjson'
    | 'application/yaml'
    | 'application/gzip'
    | 'text/event-stream';
  /** Codes beyond those every operation of its access may give. */
  readonly errors: readonly ErrorCode[];
}

/** The parsed input of an operation: path parameters, query and body, each as its schema outputs it. */
export interface OperationInput<O extends Operation> {
  readonly params: O extends { params: infer P extends z.ZodType } ? z.output<P> : Record<string, never>;
  readonly query: O extends { query: infer Q extends z.ZodType } ? z.output<Q> : Record<string, never>;
  readonly body: O extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
}

/** The answer of an operation on success. */
export type OperationAnswer<O extends Operation> = O extends { answer: infer A extends z.ZodType }
  ? z.input<A>
  : undefined;

/** The names in braces of a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ParamKeys<O extends Operation> = O extends { params: infer P extends z.ZodType } ? keyof z.input<P> : never;
/** `unknown` where the schema of the parameters has the names of the path, all of them and no others. */
type NamesAgree<O extends Operation> = [NamesIn<O['path']>, ParamKeys<O>] extends [ParamKeys<O>, NamesIn<O['path']>]
  ? unknown
  : { params: { 'has not the names of the path': NamesIn<O['path']> } };

/** Declares an operation; the identity function, there so that the literal types are kept. */
export function operation<const O extends Operation>(declared: O & NamesAgree<O>): O {
  return declared;
}

/** Whether an operation only reads, which decides the scope it needs and whether the portal has changed something. */
export function onlyReads({ method, isReadOnly }: Pick<Operation, 'method' | 'isReadOnly'>): boolean {
  return method === 'GET' || isReadOnly === true;
}

/**
 * The class of an operation: what answers with a stream, what was declared, what other systems send as they please, and
 * else what a person waits for.
 */
export function operationClass({ answerType, workClass, rawBodyBytesMax, path }: Operation): OperationClass {
  if (answerType === 'text/event-stream' || path.endsWith('/invoke')) return 'streams';
  return workClass ?? (rawBodyBytesMax === undefined ? 'interactive' : 'events');
}

/** The codes that may answer an operation, its own and those that come with its access, path and body. */
export function possibleErrors(declared: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(declared.errors);
  if (declared.access !== 'public') codes.add('unauthorized');
  if (declared.access === 'admin') codes.add('missing_permissions');
  if (['token', 'admin'].includes(declared.access) && declared.scope !== null) codes.add('insufficient_scope');
  if (declared.params || declared.query || declared.body) codes.add('invalid_request');
  if (declared.rawBodyBytesMax !== undefined) codes.add('payload_too_large');
  if (declared.body) {
    codes.add('invalid_json');
    codes.add('payload_too_large');
  }
  codes.add('too_many_requests');
  codes.add('service_unavailable');
  codes.add('internal_error');
  return [...codes].sort();
}
