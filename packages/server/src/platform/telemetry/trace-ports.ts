import type { Database } from '../db/database.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { formatTraceparent } from './span-exporter.ts';
import type { Tracing } from './tracing.ts';

/**
 * Transactions of requests and jobs as spans of these. The worker's own questions are in none, and neither are single
 * statements: there are too many of both.
 */
export function traceDatabase(database: Database, tracing: Tracing | undefined): Database {
  if (!tracing) return database;
  const start = { name: 'transaction', kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;
  return {
    ...database,
    transaction: (body, options) =>
      tracing.current()
        ? tracing.run(start, () => database.transaction(body, options))
        : database.transaction(body, options),
  };
}

/**
 * Calls of other systems as spans, which those can go on with. Addresses are left out, hosts too: people put secrets into
 * every part of them.
 */
export function traceOutgoing(outgoing: Outgoing, tracing: Tracing | undefined): Outgoing {
  if (!tracing) return outgoing;
  const start = (method: string) => ({
    name: method,
    kind: 'client' as const,
    attributes: { 'http.request.method': method },
  });
  return {
    ...outgoing,
    send: (request) =>
      tracing.run(start(request.method ?? 'POST'), async (span) => {
        const isSet = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'traceparent');
        const headers = { ...request.headers, ...(isSet ? {} : { traceparent: formatTraceparent(span.context) }) };
        const answer = await outgoing.send({ ...request, headers });
        span.note(answered(answer.status));
        return answer;
      }),
    // models and connectors: the span lasts until the answer begins
    fetch: (input, init) =>
      tracing.run(start(init?.method ?? 'GET'), async (span) => {
        const answer = await outgoing.fetch(input, init);
        span.note(answered(answer.status));
        return answer;
      }),
  };
}

function answered(status: number): Readonly<Record<string, string | number>> {
  return { 'http.response.status_code': status, ...(status >= 400 ? { 'error.type': String(status) } : {}) };
}
