import { blueprintEchoFields } from '@portolan/contract/blueprints';
import { entityEchoFields } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { type Operation, type OperationClass, operationClass } from '@portolan/contract/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Actor, isAdmin } from '../actor.ts';
import type { Standbys } from '../db/engine.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { requireScope } from '../scopes.ts';
import { leavePlace } from './admit-requests.ts';
import { type BrowserSession, requireOwnPage } from './browser-session.ts';
import { followPositions } from './follow-positions.ts';
import { toIssues } from './issues.ts';
import { JsonStreamAnswer, openJsonStream } from './json-stream.ts';
import { LineStreamAnswer, writeLineStream } from './line-stream.ts';
import { badText, isBadText } from './read-json.ts';
import { actorOfRequest, setActor } from './request-actor.ts';
import { HttpAnswer, RawAnswer, type RequestInfo, type Route } from './route.ts';
import { noteSecretAnswer, onlyWhereSecretsBelong } from './secret-answers.ts';
import { readTraceparent } from './trace-requests.ts';

/** Authentication, handed in by the composition root. */
export interface Gate {
  /** @throws AppError `unauthorized` */
  authenticate(authorization: string | undefined, userAgent: string | undefined, operation: Operation): Promise<Actor>;
  /**
   * The person whose browser this is, by the session in its cookies; undefined if there is none in them.
   * @throws AppError `unauthorized` for one that is not valid any more
   */
  authenticateSession?(cookies: string, userAgent: string | undefined): Promise<BrowserSession | undefined>;
  /** @throws AppError `unauthorized` */
  authenticateOperator(authorization: string | undefined): void;
}

/** Runs a handler with the database priority of its class. */
export type InClass = <T>(workClass: OperationClass, body: () => T) => T;

/** What handlers run in. */
export interface Surroundings {
  readonly inClass: InClass;
  readonly standbys?: Pick<Standbys, 'follow'> | undefined;
}

/** Serves the operation of a route under its path and aliases: the one generic handler of the HTTP API. */
export function serve(app: FastifyInstance, gate: Gate, { operation, handle }: Route, within: Surroundings): void {
  if (operation.rawBodyBytesMax !== undefined) {
    return void app.register(async (scope) => {
      keepBytes(scope);
      serveIn(scope, gate, { operation, handle }, within);
    });
  }
  if (operation.readsBodyStream) {
    return void app.register(async (scope) => {
      handOnStream(scope);
      serveIn(scope, gate, { operation, handle }, within);
    });
  }
  serveIn(app, gate, { operation, handle }, within);
}

/** Hands bodies of any media type on as they arrive. */
function handOnStream(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, stream, done) => done(null, stream));
}

/** Keeps bodies of any media type as bytes. */
function keepBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

function serveIn(app: FastifyInstance, gate: Gate, { operation, handle }: Route, within: Surroundings): void {
  const { inClass, standbys } = within;
  const parse = inputParser(operation);
  const { rawBodyBytesMax } = operation;
  const workClass = operationClass(operation);
  for (const path of [operation.path, ...(operation.aliases ?? [])]) {
    app.route({
      method: operation.method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        workClass: workClass === 'control' ? 'free' : workClass,
        ...(operation.readsBodyStream ? { readsBodyStream: true } : {}),
      },
      ...(rawBodyBytesMax === undefined ? {} : { bodyLimit: rawBodyBytesMax }),
      onRequest: (request) => admit(operation, gate, request),
      handler: async (request, reply) => {
        // the body of a run's own request may hold secrets that were opened for the run
        const opened = actorOfRequest(request)?.opened;
        request.body = onlyWhereSecretsBelong(operation, request.body, opened);
        request.params = opened?.mask(request.params) ?? request.params;
        request.query = opened?.mask(request.query) ?? request.query;
        const { input, ignored } = parse(request);
        if (ignored.length > 0) reply.header('x-ignored-fields', ignored.map(encodeURIComponent).join(', '));
        return followPositions(
          standbys,
          operation,
          request,
          reply,
          async () => inClass(workClass, () => handle(input, toRequestInfo(operation, gate, request))),
          (answer) => inClass(workClass, () => send(operation, request, reply, answer)),
        );
      },
      // errors thrown here go to the application's handler
      errorHandler: (error) => {
        throw withOperationStatus(operation, error);
      },
    });
  }
}

/**
 * Before the body is read: 401 for a bad token, 403 where the operation is for administrators alone or outside the
 * scopes of the token. No other place decides about scopes of operations.
 */
async function admit(operation: Operation, gate: Gate, request: FastifyRequest): Promise<void> {
  const { authorization } = request.headers;
  if (operation.access === 'public') return;
  if (operation.access === 'operator') return gate.authenticateOperator(authorization);
  const actor =
    (await admitBrowser(gate, request)) ?? (await gate.authenticate(authorization, userAgent(request), operation));
  setActor(request, operationClass(operation) === 'bulk' ? { ...actor, givesWay: true } : actor);
  if (operation.access === 'admin' && !isAdmin(actor)) {
    throw new AppError('missing_permissions', `Only an administrator may do this: ${operation.summary}`);
  }
  requireScope(actor, operation);
}

/** A session counts only without a token, and is the only credential that a foreign page could make a browser send. */
async function admitBrowser(gate: Gate, request: FastifyRequest): Promise<Actor | undefined> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined || cookie === undefined) return undefined;
  const session = await gate.authenticateSession?.(cookie, userAgent(request));
  if (session) requireOwnPage(request.method, request.headers, session.csrfToken);
  return session?.actor;
}

function userAgent(request: FastifyRequest): string | undefined {
  return request.headers['user-agent'];
}

function toRequestInfo(operation: Operation, gate: Gate, request: FastifyRequest): RequestInfo {
  const current = (): Actor => {
    const actor = actorOfRequest(request);
    if (!actor) throw new Error(`${request.url} has no actor: its operation is public`);
    return onBehalf(actor, request.query);
  };
  return {
    get actor() {
      return current();
    },
    readmit: async () => {
      await admit(operation, gate, request);
      return current();
    },
    requestId: request.id,
    query: request.query as RequestInfo['query'],
    headers: request.headers,
    traceparent: readTraceparent(request),
    rawBody: request.body,
    remoteAddress: request.ip,
    log: request.log,
  };
}

/**
 * Any request may say with `run_id` which run it serves; empty counts as absent (api contract §1.11). What a run itself
 * asks of our API serves that run, whatever its address says.
 */
function onBehalf(actor: Actor, query: unknown): Actor {
  if (actor.depth !== undefined) return actor;
  const named = (query as { readonly run_id?: unknown }).run_id;
  const runId = Array.isArray(named) ? named.at(-1) : named;
  return typeof runId === 'string' && runId !== '' ? { ...actor, runId: runId.slice(0, 200) } : actor;
}

async function send(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
): Promise<unknown> {
  noteSecretAnswer(operation, reply.raw);
  const opened = actorOfRequest(request)?.opened;
  if (answer instanceof RawAnswer) {
    reply.hijack();
    leavePlace(request);
    reply.raw.setHeader('x-trace-id', request.id);
    await answer.write(reply.raw);
    return reply;
  }
  if (answer instanceof LineStreamAnswer) {
    reply.hijack();
    // a place is asked for with each part
    leavePlace(request);
    reply.raw.setHeader('x-trace-id', request.id);
    await writeLineStream(reply.raw, answer, (value) => opened?.mask(value) ?? value);
    return reply;
  }
  if (answer instanceof JsonStreamAnswer) {
    const body = await openJsonStream(answer);
    for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
    return reply
      .status(operation.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(body);
  }
  const { body, status, headers } = answer instanceof HttpAnswer ? answer : new HttpAnswer(answer);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  const whole = { ok: true, ...(body as object) };
  return reply.status(status ?? operation.status ?? 200).send(opened?.mask(whole) ?? whole);
}

interface ParsedInput {
  // biome-ignore lint/suspicious/noExplicitAny: the route's type ties it to the schemas that produced it
  readonly input: any;
  readonly ignored: string[];
}

function inputParser(operation: Operation): (request: FastifyRequest) => ParsedInput {
  const params = compiledOnUse(operation.params);
  const query = compiledOnUse(operation.query);
  const body = compiledOnUse(
    operation.readsRawBody || operation.readsBodyStream ? undefined : closedIfAsked(operation),
  );
  const known = operation.body instanceof z.ZodObject ? new Set(Object.keys(operation.body.shape)) : undefined;
  for (const field of [...entityEchoFields, ...blueprintEchoFields]) known?.add(field);
  const empty = {};
  return (request) => {
    const issues: Issue[] = [];
    const read = (schema: (() => z.ZodType) | undefined, value: unknown, prefix: string): unknown => {
      if (!schema) return empty;
      const result = schema().safeParse(value);
      if (result.success && prefix !== '') issues.push(...badTexts(result.data, prefix));
      if (result.success) return result.data;
      issues.push(...toIssues(result.error, value, prefix));
      return undefined;
    };
    const input = {
      params: read(params, request.params, '{path}'),
      query: read(query, request.query, '{query}'),
      body: body && read(body, request.body ?? {}, ''),
    };
    if (issues.length > 0) throw invalidRequest(issues);
    return { input, ignored: ignoredFields(operation, known, request.body) };
  };
}

/**
 * The schema as generated code, made when it is first asked for: all of them together take longer than a start may. What
 * cannot be compiled stays as it is, and so does every issue.
 */
function compiledOnUse(schema: z.ZodType | undefined): (() => z.ZodType) | undefined {
  if (!schema) return undefined;
  let compiled: z.ZodType | undefined;
  return () => {
    compiled ??= z.compile(schema);
    return compiled;
  };
}

/** Text of the address that the database cannot store; bodies are checked when they are read. */
function badTexts(values: unknown, prefix: string): Issue[] {
  return Object.entries(values as object).flatMap(([name, value]) =>
    [value].flat().some((text) => typeof text === 'string' && isBadText(text))
      ? [{ path: `${prefix}/${name}`, message: badText }]
      : [],
  );
}

/** The known extras that clients write back are accepted on closed bodies too, without effect. */
function closedIfAsked(operation: Operation): z.ZodType | undefined {
  if (operation.unknownFields !== 'closed' || !(operation.body instanceof z.ZodObject)) return operation.body;
  const extras = Object.fromEntries(
    [...entityEchoFields, ...blueprintEchoFields]
      .filter((field) => !(field in (operation.body as z.ZodObject).shape))
      .map((field) => [field, z.unknown().optional()]),
  );
  return operation.body.extend(extras).strict();
}

function ignoredFields(operation: Operation, known: Set<string> | undefined, body: unknown): string[] {
  if (operation.unknownFields !== 'open' || !known || typeof body !== 'object' || body === null) return [];
  return Object.keys(body)
    .filter((key) => !known.has(key))
    .slice(0, 20);
}

/** `invalid_request` is the one code whose status the route group decides: 400 on the AI routes. */
function withOperationStatus(operation: Operation, error: unknown): unknown {
  if (operation.rawBodyBytesMax !== undefined && (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError('payload_too_large', `The body is larger than ${operation.rawBodyBytesMax} bytes`);
  }
  const isOurs = error instanceof AppError && error.code === 'invalid_request';
  return isOurs && operation.invalidStatus === 400 ? new BadRequest(error.message, error.details) : error;
}

class BadRequest extends AppError {
  constructor(message: string, details: AppError['details']) {
    super('invalid_request', message, details === undefined ? {} : { details });
  }

  override get status(): number {
    return 400;
  }
}
