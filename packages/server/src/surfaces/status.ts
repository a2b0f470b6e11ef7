import type { FastifyInstance } from 'fastify';
import { Gauge, type Metric, Registry } from 'prom-client';
import type { Database } from '../platform/db/database.ts';
import { AppError, errorBody } from '../platform/errors.ts';
import type { Surface } from '../platform/http/server.ts';
import { observeHttp } from './status-http-metrics.ts';
import { observeProcess } from './status-process-metrics.ts';
import { createReadiness } from './status-readiness.ts';

/** What probes and Prometheus ask of a running server. */
export interface Status {
  /** Serves `/health`, `/ready` and `/metrics`, and measures every request of the application. */
  readonly serve: Surface;
  /** From now on `/ready` answers 503, so that load balancers send nothing new; the other two go on. */
  stopServing(): void;
  /** Adds a gauge to `/metrics` whose value is read at each scrape. Names begin with `portolan_` and are unique. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds a metric that somebody else counts, made without a registry. */
  add(metric: Metric): void;
}

export interface StatusOptions {
  /** How long `/ready` waits for the database. */
  readonly databaseDeadlineMs?: number;
}

/** Under the one second after which common probes give up by default. */
const databaseDeadlineMsDefault = 900;

/** Every status has its own registry of metrics: two applications in one process do not mix. */
export function createStatus(database: Database, options: StatusOptions = {}): Status {
  const registry = new Registry();
  const readiness = createReadiness(database, options.databaseDeadlineMs ?? databaseDeadlineMsDefault);
  const gauge: Status['gauge'] = (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  return {
    stopServing: readiness.stopServing,
    gauge,
    add: (metric) => registry.registerMetric(metric),
    serve: (app) => {
      const http = observeHttp(app, registry);
      gauge('portolan_http_requests_in_flight', 'HTTP requests that are being answered', http.inFlight);
      gauge('portolan_event_streams_open', 'Event streams that are being written', http.openStreams);
      observeProcess(app, registry);
      servePaths(app, registry, readiness.problem);
    },
  };
}

function servePaths(app: FastifyInstance, registry: Registry, problem: () => Promise<unknown>): void {
  let wasReady = true;
  app.get('/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ ok: true, status: 'alive' }),
  );
  app.get('/ready', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const reason = await problem();
    // Probes ask every few seconds: only the change is news.
    if (reason !== undefined && wasReady) request.log.warn({ err: reason }, 'not ready to serve');
    wasReady = reason === undefined;
    if (wasReady) return { ok: true, status: 'ready' };
    const refusal = new AppError('service_unavailable', reason instanceof AppError ? reason.message : notReady);
    return reply.status(refusal.status).header('retry-after', '1').send(errorBody(refusal));
  });
  app.get('/metrics', async (_request, reply) => {
    reply.header('cache-control', 'no-store').type(registry.contentType);
    return registry.metrics();
  });
}

const notReady = 'The database does not answer, or is not migrated yet';
