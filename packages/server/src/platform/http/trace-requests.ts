import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTraceparent } from '../telemetry/span-exporter.ts';
import type { OpenSpan, Tracing } from '../telemetry/tracing.ts';

const spanKey = Symbol('span');
type TracedRequest = FastifyRequest & { [spanKey]?: OpenSpan | undefined };

/**
 * A span for every request but probes and scrapes, by the template of its route: addresses hold names and keys. What the
 * request does is in the span, which goes on with the `traceparent` that came.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest(spanKey, undefined);

  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions;
    if (config.workClass === 'free') return done();
    const { method } = request;
    const span = tracing.begin({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route },
      traceparent: header(request),
    });
    (request as TracedRequest)[spanKey] = span;
    const { raw } = reply;
    raw.once('close', () => {
      // the caller left before there was an answer
      if (!raw.headersSent) return span.end('aborted');
      span.note({ 'http.response.status_code': raw.statusCode });
      span.end(raw.statusCode >= 500 ? String(raw.statusCode) : undefined);
    });
    tracing.within(span, done);
  });

  // reading a body may come from events that belong to the connection
  app.addHook('preHandler', (request, _reply, done) => {
    const span = (request as TracedRequest)[spanKey];
    if (span) tracing.within(span, done);
    else done();
  });
}

/** What the work of a request goes on with: its span, or the `traceparent` that came where nothing is traced. */
export function readTraceparent(request: FastifyRequest): string | undefined {
  const span = (request as TracedRequest)[spanKey];
  return span ? formatTraceparent(span.context) : header(request);
}

function header(request: FastifyRequest): string | undefined {
  const value = request.headers['traceparent'];
  return typeof value === 'string' ? value : undefined;
}
