import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Entity = Readonly<Record<string, unknown>> & { readonly kind: string; readonly metadata: Record<string, unknown> };

export interface FakeBackstage {
  readonly address: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** The catalog API of Backstage as it is published: pages by cursor, entities by reference, and a static token. */
export async function startBackstage(entities: readonly Entity[], token: string, pageSize = 2): Promise<FakeBackstage> {
  const asked: string[] = [];
  const byRef = new Map(entities.map((entity) => [refOf(entity), entity]));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://backstage');
    asked.push(url.pathname);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${token}`) {
      return send(401, { error: { name: 'AuthenticationError', message: 'Missing credentials' } });
    }
    if (url.pathname === '/api/catalog/entities/by-query') {
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const next = from + pageSize < entities.length ? { nextCursor: String(from + pageSize) } : {};
      return send(200, { items: entities.slice(from, from + pageSize), totalItems: entities.length, pageInfo: next });
    }
    if (url.pathname === '/api/catalog/entities/by-refs') {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { entityRefs } = JSON.parse(text) as { entityRefs: string[] };
      return send(200, { items: entityRefs.map((ref) => byRef.get(ref) ?? null) });
    }
    return send(404, { error: { name: 'NotFoundError' } });
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refOf({ kind, metadata }: Entity): string {
  return `${kind}:${metadata['namespace'] ?? 'default'}/${metadata['name']}`.toLowerCase();
}
