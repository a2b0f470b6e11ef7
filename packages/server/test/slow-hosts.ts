import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A host on loopback that takes its time, so that there is a middle in which its reader can die. */
export interface SlowHost {
  readonly url: string;
  /** That were answered so far. */
  readonly requests: number;
  close(): Promise<void>;
}

export interface HostReply {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answering = (url: URL, body: string, own: string, method: string) => HostReply | undefined;

/** Answers with what `answer` gives, and 404 for what it does not know. */
export async function startSlowHost(latencyMs: number, answer: Answering): Promise<SlowHost> {
  const host = {
    url: '',
    requests: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = answer(new URL(request.url ?? '', host.url), await readText(request), host.url, request.method ?? '');
    await wait(latencyMs);
    host.requests += 1;
    const body = typeof reply?.body === 'string' ? reply.body : JSON.stringify(reply?.body ?? {});
    response.writeHead(reply ? 200 : 404, reply?.headers).end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A Gitea with so many repositories in `acme`, each with an owner and two services that it declares. */
export function startSlowGitea(count: number, latencyMs: number): Promise<SlowHost> {
  const repositories = Array.from({ length: count }, (_none, at) => ({
    id: at + 1,
    name: `r${at}`,
    full_name: `acme/r${at}`,
    owner: { login: 'acme' },
    default_branch: 'main',
    updated_at: '2026-11-01T00:00:00Z',
    html_url: `https://git.example/acme/r${at}`,
  }));
  const files: Record<string, (name: string) => string> = {
    CODEOWNERS: () => '.* @acme/keepers\n',
    'README.md': (name) => `# ${name}\n`,
    // the second one points at a repository that may come later
    'port.yml': (name) => {
      const target = `acme/r${(Number(name.slice(1)) * 7 + 3) % count}`;
      const relations = `  relations:\n    repository: ${target}\n`;
      return ['a', 'b'].map((each) => `- identifier: ${name}-${each}\n  blueprint: part\n${relations}`).join('');
    },
  };
  const tree = Object.keys(files).map((path) => ({ path, type: 'blob', sha: path, size: 50 }));
  return startSlowHost(latencyMs, ({ pathname, searchParams }, _body, own) => {
    const path = pathname.replace('/api/v1', '');
    if (path === '/users/acme') return { body: { id: 1 } };
    if (path === '/orgs/acme/teams') return { body: [{ id: 1, name: 'Keepers' }] };
    if (path.endsWith('/hooks') || path.endsWith('/members')) return { body: [] };
    if (path === '/repos/search') {
      const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
      const next = page * limit < count ? { link: `<${own}${pathname}?page=${page + 1}>; rel="next"` } : {};
      const data = repositories.slice((page - 1) * limit, page * limit);
      return { body: { data }, headers: { 'x-total-count': String(count), ...next } };
    }
    const [, name = '', rest = ''] = /^\/repos\/acme\/(r\d+)\/(.*)$/.exec(path) ?? [];
    if (rest === 'branches/main') {
      return { body: { commit: { id: `c0ffee${name}`, message: 'change', timestamp: '2026-11-01T00:00:00Z' } } };
    }
    if (rest === 'languages') return { body: { Go: 3, Shell: 1 } };
    if (rest.startsWith('git/trees/')) return { body: { tree, truncated: false, total_count: tree.length } };
    const content = files[rest.replace('raw/', '')];
    return content && { body: content(name) };
  });
}

/** The catalog API of a Backstage with components in a circle, so many a page whatever is asked for. */
export function startSlowBackstage(count: number, perPage: number, latencyMs: number): Promise<SlowHost> {
  const entities = Array.from({ length: count }, (_none, at) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: `c${at}`, namespace: 'default' },
    spec: { type: 'service', lifecycle: 'production', owner: 'group:default/keepers' },
    relations: [{ type: 'dependsOn', targetRef: `component:default/c${(at + 1) % count}` }],
  }));
  return startSlowHost(latencyMs, ({ searchParams }) => {
    const from = Number(searchParams.get('cursor') ?? 0);
    const next = from + perPage < count ? { nextCursor: String(from + perPage) } : {};
    return { body: { items: entities.slice(from, from + perPage), pageInfo: next } };
  });
}
