import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Standbys } from '../db/engine.ts';
import { isAway } from '../db/passing-failure.ts';
import { AppError, asAppError, errorBody } from '../errors.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { type AdmitOptions, admitRequests } from './admit-requests.ts';
import { compressAnswers } from './compress-answers.ts';
import { type Gate, type InClass, serve } from './operation.ts';
import { readJson } from './read-json.ts';
import { actorOfRequest, prepareForActors } from './request-actor.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Route } from './route.ts';
import { traceRequests } from './trace-requests.ts';

/** Largest body of any request (api contract §1.10). */
const bodyBytesMax = 1024 * 1024;
/** Entity identifiers have up to 1,000 characters, and percent-encoding makes up to nine bytes of one. */
const pathParameterMax = 9_100;

export interface HttpServerOptions {
  readonly log: FastifyBaseLogger;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  readonly gate: Gate;
  /** Admission; without it all requests begin at once. */
  readonly admit?: AdmitOptions & { readonly inClass: InClass };
  /** Where operations that are marked so may be read; nowhere else without it. */
  readonly standbys?: Standbys | undefined;
  /** Requests are spans of it; of none without it. */
  readonly tracing?: Tracing | undefined;
  /** Whether the server is stopping: answers then ask to close the connection. */
  readonly isStopping?: () => boolean;
  readonly routes: readonly Route[];
  /** Handlers beside the contract: MCP, documents, health. */
  readonly surfaces?: readonly Surface[];
}

/** Adds paths to the application; errors are answered like those of operations. */
export type Surface = (app: FastifyInstance) => void;

/** The HTTP application: not listening yet, and callable through `inject` without a port. */
export function createHttpServer({
  log,
  gate,
  routes,
  surfaces = [],
  trustedProxies = [],
  admit,
  standbys,
  tracing,
  isStopping = () => false,
}: HttpServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // an empty list would trust nobody too, but make Fastify read the headers of every request
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    requestIdHeader: false,
    genReqId: requestIds(),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: pathParameterMax,
    },
    rewriteUrl: (request) => withoutOrigin(request.url ?? '/'),
    // requests on kept-alive connections are still answered after the listener has closed
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // bodies have a limit of their own, because some are streamed
    requestTimeout: 0,
    frameworkErrors: (error, request, reply) => {
      // no hook runs if the router fails
      sendError(error, request.log, mark(request, reply));
    },
    clientErrorHandler: refuseMalformed,
  });
  app.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[^;]+\+json/]) {
    app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: unknown, text: string) => readJson(text));
  }
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, text: string) => {
    if (text !== '') throw new AppError('unsupported_media_type', 'Send the body as application/json');
  });
  limitBodyTime(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    mark(request, reply);
    if (isStopping()) reply.header('connection', 'close');
    done();
  });
  compressAnswers(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request.log, reply));
  app.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}`;
    return sendError(new AppError('not_found', message), request.log, reply);
  });
  prepareForActors(app);
  if (tracing) traceRequests(app, tracing);
  if (admit) admitRequests(app, admit);
  const inClass: InClass = admit?.inClass ?? ((_workClass, body) => body());
  for (const route of routes) serve(app, gate, route, { inClass, standbys });
  for (const surface of surfaces) surface(app);
  return app;
}

/** How long a whole body may take, and the silence in one that is streamed. */
const bodyMs = 60_000;
/** That of an event: its senders are strangers, and one who dawdles keeps a place from those who wait nine seconds for it. */
const eventMs = 5_000;

/** Cuts connections whose body does not come. */
function limitBodyTime(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request;
    const { workClass, readsBodyStream } = request.routeOptions.config;
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
    if (hasBody && !raw.complete) {
      const mostMs = workClass === 'events' ? eventMs : bodyMs;
      const late = setTimeout(() => {
        // refused before its body was read
        if (reply.raw.writableEnded) return;
        // what waits to be read is not the sender's silence
        if (raw.readableLength > 0) return void late.refresh();
        refuseMalformed(new Error('The body did not arrive in time'), raw.socket);
      }, mostMs);
      late.unref();
      const ended = (): void => clearTimeout(late);
      raw.once('end', ended).once('close', ended);
      if (readsBodyStream) raw.prependListener('data', () => late.refresh());
    }
    done(null, payload);
  });
}

/** Headers of every answer; every temporary refusal has `Retry-After`. */
function mark(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const passes = reply.statusCode === 429 || reply.statusCode === 503;
  if (passes && !reply.hasHeader('retry-after')) reply.header('retry-after', String(retryAfterSeconds()));
  return reply.header('x-trace-id', request.id).header('x-content-type-options', 'nosniff');
}

/** Unique by a random prefix per process and a counter: a random value per request would cost more than the rest. */
function requestIds(): () => string {
  const start = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    count = (count + 1) % 0x1000000;
    return start + count.toString(16).padStart(6, '0');
  };
}

/** Answers bytes that are not HTTP with one JSON error, if possible, and closes the connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const refusal = new AppError(
    isTooLong ? 'payload_too_large' : 'invalid_json',
    isTooLong ? 'The headers of the request are too long' : 'The request is not valid HTTP',
  );
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** A proxy may pass the absolute form of the request target (RFC 9112 §3.2.2). */
function withoutOrigin(url: string): string {
  return url.startsWith('http') ? url.replace(/^https?:\/\/[^/?]*/, '') || '/' : url;
}

function sendError(error: FastifyError | AppError, log: FastifyBaseLogger, reply: FastifyReply): FastifyReply {
  const known = answerTo(error);
  const body = errorBody(known);
  if (known.code === 'service_unavailable') {
    // the absence of the database is logged once, where it is noticed
    if (!isAway(known.cause)) log.warn({ err: error, code: known.code }, 'request refused');
  } else if (known.status >= 500) log.error({ err: error, code: known.code }, 'request failed');
  if (known.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(known.retryAfterSeconds))));
  if (known.status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer');
  return reply.status(known.status).send(actorOfRequest(reply.request)?.opened?.mask(body) ?? body);
}

/** Maps Fastify's own refusals to our codes, and anything unexpected to `internal_error`. */
function answerTo(error: FastifyError | AppError): AppError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('payload_too_large', `The body is larger than ${bodyBytesMax} bytes (1 MiB)`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_json', 'Content-Length does not match the body');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found', 'A part of the path is longer than any identifier');
    case 'FST_ERR_BAD_URL':
      return new AppError('not_found', 'The path is not a valid URL path');
    default:
      return asAppError(error, 'Something failed inside. The id of the request is in x-trace-id.');
  }
}
