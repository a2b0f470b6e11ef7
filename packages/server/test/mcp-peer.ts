import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
// loaded with the exports that Node takes, see there
import './mcp-official-clients.ts';

const v1 = {
  ...(await import('@modelcontextprotocol/sdk/server/index.js')),
  ...(await import('@modelcontextprotocol/sdk/server/streamableHttp.js')),
  ...(await import('@modelcontextprotocol/sdk/types.js')),
};
const v2 = await import('@modelcontextprotocol/server');

/** Which official server answers, and which revisions it speaks. */
export type PeerKind = 'v1' | 'v1 with sessions' | 'v2' | 'v2, modern only' | 'v2, modern only, streaming';

export interface PeerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
}

/** An MCP server of somebody else, on loopback, made with the official libraries. */
export interface McpPeer {
  readonly url: string;
  /** What it lists from now on. */
  tools: PeerTool[];
  /** What its tools answer. */
  answer: (name: string, args: Record<string, unknown>) => Promise<object> | object;
  /** The calls that reached it. */
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[];
  /** Headers of every request. */
  readonly headers: Record<string, unknown>[];
  /** Answers in place of the library. */
  intercept: ((request: IncomingMessage, response: ServerResponse, body: string) => boolean) | undefined;
  close(): Promise<void>;
}

export async function startMcpPeer(kind: PeerKind = 'v2'): Promise<McpPeer> {
  const sessions = new Map<string, InstanceType<typeof v1.StreamableHTTPServerTransport>>();
  const info = { name: 'peer', version: '1.0.0' };
  const capabilities = { capabilities: { tools: {} } };
  const listed = () => ({
    tools: peer.tools.map(({ inputSchema, ...tool }) => ({ inputSchema: inputSchema ?? { type: 'object' }, ...tool })),
  });
  const called = async ({
    name,
    arguments: args = {},
  }: {
    name: string;
    arguments?: Record<string, unknown> | undefined;
  }) => {
    peer.calls.push({ name, args });
    return (await peer.answer(name, args)) as { content: [] };
  };
  const handler = v2.createMcpHandler(
    () => {
      const server = new v2.Server(info, capabilities);
      server.setRequestHandler('tools/list', () => listed() as never);
      server.setRequestHandler('tools/call', ({ params }) => called(params) as never);
      return server;
    },
    {
      legacy: kind.includes('modern only') ? 'reject' : 'stateless',
      ...(kind.includes('streaming') ? { responseMode: 'sse' as const } : {}),
    },
  );

  async function serveV1(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && !known) return void response.writeHead(404).end('{}');
    if (known) return known.handleRequest(request, response, JSON.parse(body));
    const transport = new v1.StreamableHTTPServerTransport({
      ...(kind === 'v1' ? {} : { sessionIdGenerator: () => `session-${sessions.size}` }),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    const server = new v1.Server(info, capabilities);
    server.setRequestHandler(v1.ListToolsRequestSchema, () => listed() as never);
    server.setRequestHandler(v1.CallToolRequestSchema, ({ params }) => called(params));
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, JSON.parse(body));
  }

  async function serveV2(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await handler.fetch(new Request(peer.url, { method: request.method ?? 'POST', headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as ReadableStream).pipe(response);
    else response.end();
  }

  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      peer.headers.push(request.headers);
      if (peer.intercept?.(request, response, body)) return;
      void (kind.startsWith('v1') ? serveV1(request, response, body) : serveV2(request, response, body));
    });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const peer: McpPeer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools: [],
    answer: () => ({ content: [{ type: 'text', text: 'done' }] }),
    calls: [],
    headers: [],
    intercept: undefined,
    close: async () => {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  return peer;
}
