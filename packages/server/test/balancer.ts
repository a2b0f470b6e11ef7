import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Adds a replica; connections go to it once it is ready. */
  add(url: string): void;
  /** Resolves when the replica is given connections. */
  untilReady(url: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * What stands before replicas in a cluster: it passes connections on, not requests, in turn to the replicas whose `/ready`
 * answered 200 at the last probe, and repeats nothing. Connections that are open stay where they are.
 */
export async function startBalancer(probeMs: number): Promise<Balancer> {
  const replicas = new Set<string>();
  const ready = new Set<string>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((caller) => {
    const urls = [...ready];
    turn += 1;
    const url = urls[turn % Math.max(1, urls.length)];
    if (url === undefined) return void caller.destroy();
    const { hostname, port } = new URL(url);
    const replica = connect(Number(port), hostname);
    for (const [from, to] of [
      [caller, replica],
      [replica, caller],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
    }
  });
  const probe = async (): Promise<void> => {
    for (const url of replicas) {
      const status = await askReady(url, probeMs);
      if (status === 200) ready.add(url);
      else ready.delete(url);
      // it is gone, and nobody will listen there again
      if (status === undefined) replicas.delete(url);
    }
  };
  const probing = setInterval(() => void probe(), probeMs);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    add: (url) => void replicas.add(url),
    async untilReady(url) {
      while (!ready.has(url)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    close() {
      clearInterval(probing);
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The status of `/ready` over a connection of its own; undefined where nobody answers. */
function askReady(url: string, timeout: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request(`${url}/ready`, { agent: false, timeout }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}
