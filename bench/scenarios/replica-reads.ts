import { startPostgres } from '../../packages/server/test/database-server.ts';
import { fetchJson } from '../harness/environment.ts';
import { compare } from '../harness/load.ts';
import { inTurn, operation, pageRequests, prepareSides, searchPath, toFindings } from './catalog.ts';
import type { Scenario } from './scenario.ts';

/**
 * Pages of one server, read on the primary by requests without a position and on a standby by requests with one. The primary
 * and the standby share the machine: the ratio is what asking the standby costs, not what a second machine brings.
 */
export const replicaReads: Scenario = {
  name: 'replica-reads',
  async run(environment, size) {
    await prepareSides(environment, size);
    const standby = await startPostgres({ isDurable: true, follows: { url: environment.databaseUrl('bench') } });
    try {
      const server = await environment.startOurs({
        dataDir: environment.folder('replica-reads'),
        database: 'bench',
        settings: { DATABASE_READ_URL: standby.url.replace(/\/postgres$/, '/bench') },
      });
      const headers = await environment.headersFor(server);
      const position = await replayedPosition(server.port, headers);
      const following = { ...headers, 'x-portolan-position': position };
      const loads = await compare(
        [
          { name: 'primary', server, operate: operation(inTurn(pageRequests(headers)), '"ownerCity"') },
          { name: 'standby', server, operate: operation(inTurn(pageRequests(following)), '"ownerCity"') },
        ],
        { ...size, connections: 16 },
      );
      return toFindings(`page of 20, ${size.entities.toLocaleString('en-US')} entities, on a standby`, loads, {
        of: 'ratio',
        least: 0.5,
      });
    } finally {
      await standby.stop();
    }
  },
};

/** A position of the primary, once the standby has answered a read that asks for it. */
async function replayedPosition(port: number, headers: Readonly<Record<string, string>>): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const asked = { ...headers, 'content-type': 'application/json', 'x-portolan-position': 'latest' };
    const address = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${address}${searchPath}`, { method: 'POST', headers: asked, body: '{"limit":1}' });
    const position = answer.headers.get('x-portolan-position') ?? '';
    await fetchJson(port, 'POST', searchPath, { ...headers, 'x-portolan-position': position }, { limit: 1 });
    const metrics = await (await fetch(`${address}/metrics`)).text();
    if (/portolan_standby_reads_total\{place="standby",reason=""\} [1-9]/.test(metrics)) return position;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The standby answered no read');
}
