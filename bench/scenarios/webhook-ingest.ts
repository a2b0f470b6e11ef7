import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { type HttpConnection, openConnection, requestBytes } from '../harness/http-connection.ts';
import { type Contender, compare } from '../harness/load.ts';
import type { StartedProcess } from '../harness/processes.ts';
import type { Finding } from '../harness/table.ts';
import { inTurn, toFindings } from './catalog.ts';
import type { Scenario } from './scenario.ts';

type Headers = Readonly<Record<string, string>>;

/** So many may wait of one webhook before it turns events away. */
const perWebhook = 4_500;
const webhooks = 40;
const names = 1_000;

/** About as large as what a repository tells of a push. */
const eventAt = (index: number): object => ({
  action: 'opened',
  repository: { full_name: `org/repo-${index % names}`, private: false, topics: ['a', 'b', 'c'] },
  pull_request: { number: index, title: 'Change something', body: 'x'.repeat(2_000), user: { login: 'somebody' } },
});

/**
 * How many events are let in, by a process that maps none of them, against a route that keeps the bytes; and what an
 * event costs altogether, until it is an entity.
 */
export const webhookIngest: Scenario = {
  name: 'webhook-ingest',
  async run(environment, size) {
    const web = await environment.startOurs({
      dataDir: environment.folder('web'),
      database: 'ingest',
      settings: { PORTOLAN_ROLE: 'web' },
    });
    const headers = await environment.headersFor(web);
    const bare = await environment.startContender('trivial-events.ts');
    const addresses = await createWebhooks(web, headers, webhooks);
    let sent = 0;
    const ours = (): Buffer => {
      sent += 1;
      const address = addresses[Math.floor(sent / perWebhook)];
      if (address === undefined) throw new Error('More events were let in than this run is made for');
      return requestBytes('POST', address, { body: eventAt(sent) });
    };
    const kept = inTurn(Array.from({ length: 500 }, (_, at) => requestBytes('POST', '/hook', { body: eventAt(at) })));
    const loads = await compare(
      [
        { name: 'Fastify + pg', server: bare, operate: accepted(kept) },
        { name: 'ours', server: web, operate: accepted(ours) },
      ],
      { ...size, connections: 8 },
    );
    const letIn = toFindings('webhook event let in', loads, { of: 'ratio', least: 0.3 });
    await web.stop();
    return [...letIn, ...(await whole(environment))];
  },
};

function accepted(request: () => Buffer): Contender['operate'] {
  return async (connection: HttpConnection) => {
    const { status, body } = await connection.send(request());
    if (status !== 202) throw new Error(`An event was not let in: ${status} ${body.toString('utf8').slice(0, 300)}`);
  };
}

/** Blueprint and webhooks; the paths that events are sent to. */
async function createWebhooks({ port }: StartedProcess, headers: Headers, count: number): Promise<string[]> {
  const properties = { number: { type: 'number' }, author: { type: 'string' } };
  const blueprint = { identifier: 'bench_pull', title: 'Pull request', schema: { properties } };
  await fetchJson(port, 'POST', '/v1/blueprints', headers, blueprint);
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await fetchJson(port, 'POST', '/v1/webhooks', headers, {
      identifier: `bench_${index}`,
      title: `Bench ${index}`,
      mappings: [
        {
          blueprint: 'bench_pull',
          filter: '.body.action == "opened"',
          entity: {
            identifier: '.body.repository.full_name',
            title: '.body.pull_request.title',
            properties: { number: '.body.pull_request.number', author: '.body.pull_request.user.login' },
          },
        },
      ],
    });
    paths.push(new URL((created['integration'] as { url: string }).url).pathname);
  }
  return paths;
}

/** Sends as many as may wait, and waits until all are entities. */
async function whole(environment: Environment): Promise<Finding[]> {
  const events = 4_000;
  const server = await environment.startOurs({ dataDir: environment.folder('mapped'), database: 'mapped' });
  const headers = await environment.headersFor(server);
  const [address = ''] = await createWebhooks(server, headers, 1);
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(server.port)));
  let sent = 0;
  const operate = accepted(() => requestBytes('POST', address, { body: eventAt(sent++) }));
  await Promise.all(
    connections.map(async (connection) => {
      while (sent < events) await operate(connection);
    }),
  );
  const sentMs = performance.now() - startedAt;
  for (const connection of connections) connection.close();
  const last = `/v1/blueprints/bench_pull/entities/${encodeURIComponent(`org/repo-${(sent - 1) % names}`)}`;
  const numberOf = async (): Promise<number> => {
    const found = await fetchJson(server.port, 'GET', last, headers).catch(() => undefined);
    return ((found?.['entity'] as { properties?: { number?: number } })?.properties?.number ?? -1) as number;
  };
  // events are mapped in the order they were let in, which is that of sending but for those in flight
  for (let seen = await numberOf(); seen < sent - 1; seen = await numberOf()) {
    if (performance.now() - startedAt > 300_000) throw new Error(`The last event was not mapped: ${seen} of ${sent}`);
    await sleep(50);
  }
  const ms = performance.now() - startedAt;
  const cpuMs = ((await server.cpuMs()) - cpuBefore) / sent;
  await server.stop();
  const path = `webhook event let in and mapped, ${events.toLocaleString('en-US')} events`;
  const note = `all were let in after ${(sentMs / 1000).toFixed(1)} s`;
  return [
    { path, contender: 'ours', figure: 'CPU per event', value: cpuMs * 1000, unit: 'µs' },
    { path, contender: 'ours', figure: 'events', value: sent / (ms / 1000), unit: '/s', note },
  ];
}
