import type { ServerResponse } from 'node:http';
import { operationClass } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

export interface HttpMeasures {
  /** Requests without a complete answer, event streams included. */
  inFlight(): number;
  /** Open answers of streaming operations. */
  openStreams(): number;
}

/** Seconds; the largest are for event streams. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Cached labels per route and method, to build none per request. */
interface Series {
  readonly operation: string;
  readonly method: string;
  /** Which promise of the service levels it falls under; `other` for what is no operation, such as files of the portal. */
  readonly workClass: string;
  readonly isStream: boolean;
  /** Keyed by hundreds of the status; 0 if the caller left before there was one. */
  readonly byClass: Map<number, Histogram.Internal<string>>;
}

/**
 * Measures every request from its arrival until its answer is written or its caller has left, at about two microseconds
 * each. Uses the response's `close` instead of Fastify's `onResponse`, which does not fire if the caller leaves early.
 */
export function observeHttp(app: FastifyInstance, registry: Registry): HttpMeasures {
  const duration = new Histogram({
    name: 'portolan_http_request_duration_seconds',
    help: 'Time until an HTTP request was answered, by operation and its class (interactive, events, streams, bulk, other), method and class of status',
    labelNames: ['operation', 'class', 'method', 'status'],
    buckets,
    registers: [registry],
  });
  const seriesOf = createSeriesLookup();
  const streams = new Set<ServerResponse>();
  let inFlight = 0;

  const childOf = ({ operation, method, workClass, byClass }: Series, statusClass: number) => {
    const found = byClass.get(statusClass);
    if (found) return found;
    const status = statusClass === 0 ? 'aborted' : `${statusClass}xx`;
    const child = duration.labels({ operation, class: workClass, method, status });
    byClass.set(statusClass, child);
    return child;
  };

  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now();
    const series = seriesOf(request.routeOptions.url, request.method);
    const response = reply.raw;
    inFlight += 1;
    if (series.isStream) streams.add(response);
    response.once('close', () => {
      inFlight -= 1;
      if (series.isStream) streams.delete(response);
      const statusClass = response.headersSent ? Math.trunc(response.statusCode / 100) : 0;
      childOf(series, statusClass).observe((performance.now() - begun) / 1000);
    });
    done();
  });

  return {
    inFlight: () => inFlight,
    openStreams: () => [...streams].filter((response) => response.headersSent && !response.writableEnded).length,
  };
}

/** Finds the series of a route by the router's path; requests that match no route count as `unmatched`. */
function createSeriesLookup(): (url: string | undefined, method: string) => Series {
  const known = knownOperations();
  const routes = new Map<string | undefined, Map<string, Series>>();
  const add = (url: string | undefined, method: string): Series => {
    const declared = known.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
    const series: Series = {
      operation: declared?.id ?? url ?? 'unmatched',
      method,
      workClass: declared?.workClass ?? 'other',
      isStream: declared?.isStream === true && method !== 'HEAD',
      byClass: new Map(),
    };
    routes.set(url, (routes.get(url) ?? new Map<string, Series>()).set(method, series));
    return series;
  };
  return (url, method) => routes.get(url)?.get(method) ?? add(url, method);
}

interface KnownOperation {
  readonly id: string;
  readonly workClass: string;
  readonly isStream: boolean;
}

/** Operations by method and router path, aliases included. */
function knownOperations(): ReadonlyMap<string, KnownOperation> {
  return new Map(
    operations.flatMap((operation) => {
      const { id, method, path, aliases = [], answerType } = operation;
      const known = { id, workClass: operationClass(operation), isStream: answerType === 'text/event-stream' };
      return [path, ...aliases].map((each) => [`${method} ${each.replace(/\{(\w+)\}/g, ':$1')}`, known] as const);
    }),
  );
}
