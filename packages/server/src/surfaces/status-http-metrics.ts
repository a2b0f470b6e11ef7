import type { ServerResponse } from 'node:http';
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
    help: 'Time until an HTTP request was answered, by operation, method and class of status',
    labelNames: ['operation', 'method', 'status'],
    buckets,
    registers: [registry],
  });
  const seriesOf = createSeriesLookup();
  const streams = new Set<ServerResponse>();
  let inFlight = 0;

  const childOf = ({ operation, method, byClass }: Series, statusClass: number) => {
    const found = byClass.get(statusClass);
    if (found) return found;
    const status = statusClass === 0 ? 'aborted' : `${statusClass}xx`;
    const child = duration.labels({ operation, method, status });
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
      isStream: declared?.isStream === true && method !== 'HEAD',
      byClass: new Map(),
    };
    routes.set(url, (routes.get(url) ?? new Map<string, Series>()).set(method, series));
    return series;
  };
  return (url, method) => routes.get(url)?.get(method) ?? add(url, method);
}

/** Operations by method and router path, aliases included. */
function knownOperations(): ReadonlyMap<string, { readonly id: string; readonly isStream: boolean }> {
  return new Map(
    operations.flatMap(({ id, method, path, aliases = [], answerType }) =>
      [path, ...aliases].map((each) => [
        `${method} ${each.replace(/\{(\w+)\}/g, ':$1')}`,
        { id, isStream: answerType === 'text/event-stream' },
      ]),
    ),
  );
}
