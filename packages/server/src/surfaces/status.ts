import type { FastifyInstance } from 'fastify';
import { Gauge, type Metric, Registry } from 'prom-client';
import type { Standbys } from '../platform/db/engine.ts';
import type { Presence } from '../platform/db/presence.types.ts';
import { AppError, errorBody } from '../platform/errors.ts';
import type { Surface } from '../platform/http/server.ts';
import { observeHttp } from './status-http-metrics.ts';
import { observeProcess } from './status-process-metrics.ts';
import { createReadiness, type Readiness } from './status-readiness.ts';

export interface Status {
  /** Serves `/health`, `/ready` and `/metrics`, and measures every request. */
  readonly serve: Surface;
  /** Makes `/ready` answer 503, so that load balancers stop sending requests; the other two keep working. */
  stopServing(): void;
  /** The same, until it is taken back. */
  setDraining(isDraining: boolean): void;
  isStopping(): boolean;
  /** Adds a gauge to `/metrics`, read at each scrape. Names must be unique and start with `portolan_`. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds metrics that are maintained elsewhere and were created without a registry. */
  add(...parts: readonly { readonly metrics: readonly Metric[] }[]): void;
  /** What `/metrics` serves, whether or not it has a value yet. */
  describe(): readonly DescribedMetric[];
}

export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** Each status has its own registry, so that several applications in one process do not mix metrics. */
export function createStatus(presence: Presence, nowMs?: () => number, standbys?: Standbys): Status {
  const registry = new Registry();
  const readiness = createReadiness(presence, nowMs);
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
    setDraining: readiness.setDraining,
    isStopping: readiness.isStopping,
    gauge,
    add: (...parts) => {
      for (const metric of parts.flatMap(({ metrics }) => metrics)) registry.registerMetric(metric);
    },
    describe: () => registry.getMetricsAsArray().map(describeMetric),
    serve: (app) => {
      const http = observeHttp(app, registry);
      gauge('portolan_http_requests_in_flight', 'HTTP requests that are being answered', http.inFlight);
      gauge('portolan_event_streams_open', 'Event streams that are being written', http.openStreams);
      gauge('portolan_database_up', 'Whether the database answers: 1 or 0', () => (presence.absence() ? 0 : 1));
      gauge('portolan_database_read_only', 'Whether the database takes no writes: 1 or 0', () =>
        presence.isReadOnly() ? 1 : 0,
      );
      observeProcess(app, registry);
      servePaths(app, registry, readiness, standbys);
    },
  };
}

/** prom-client keeps the names of labels, but does not say so in its types. */
function describeMetric(metric: object): DescribedMetric {
  const { name, help, type, labelNames } = metric as DescribedMetric & { readonly labelNames: readonly string[] };
  return { name, help, type, labels: labelNames };
}

function servePaths(app: FastifyInstance, registry: Registry, readiness: Readiness, standbys?: Standbys): void {
  let wasReady = true;
  // health is about this process only, so nothing else is checked
  const free = { config: { workClass: 'free' } } as const;
  app.get('/health', free, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ ok: true, status: 'alive' }),
  );
  app.get('/ready', free, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { problem, mode } = await readiness.look();
    // Probes run every few seconds, so only changes are logged.
    if (problem !== undefined && wasReady) request.log.warn({ error: problem }, 'not ready to serve');
    wasReady = problem === undefined;
    const reads = standbys && { reads: toReads(standbys) };
    if (wasReady) return { ok: true, status: 'ready', ...(mode ? { mode } : {}), ...reads };
    const refusal = new AppError('service_unavailable', problem instanceof AppError ? problem.message : notReady);
    return reply.status(refusal.status).send(errorBody(refusal));
  });
  app.get('/metrics', free, async (_request, reply) => {
    reply.header('cache-control', 'no-store').type(registry.contentType);
    return registry.metrics();
  });
}

/** What `portolan doctor` says of the standbys, in the order of the setting: everybody may read it, so without addresses. */
function toReads(standbys: Standbys) {
  const { standbys: each, clockAheadMs } = standbys.describe();
  return {
    standbys: each.map(({ problem = null, behindMs, behindBytes }) => ({
      problem,
      behindMs: behindMs === undefined ? null : Math.round(behindMs),
      behindBytes: behindBytes ?? null,
    })),
    clockAheadMs: clockAheadMs === undefined ? null : Math.round(clockAheadMs),
  };
}

const notReady = 'The database does not answer, or is not migrated yet';
