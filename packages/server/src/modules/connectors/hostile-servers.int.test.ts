import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { type McpPeer, startMcpPeer } from '../../../test/mcp-peer.ts';

let app: TestApp;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => app.close());

let made = 0;
const secret = 'tracker-token-0123456789';

async function connect(url: string, on = app) {
  made += 1;
  const identifier = `hostile-${made}`;
  const headers = { authorization: `Bearer ${secret}` };
  const created = await on.request('POST', '/v1/mcp/servers', { body: { identifier, url, headers } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return identifier;
}
const refresh = (identifier: string, on = app) => on.request('POST', `/v1/mcp/servers/${identifier}/refresh`);

/** A server that is no MCP server, or a bad one. */
async function rawServer(listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  closers.push(async () => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** An approved tool of a good server, and how to call it. */
async function approved(tools = [{ name: 'ask' }]) {
  const peer = await startMcpPeer('v2');
  closers.push(peer.close);
  peer.tools = tools;
  const identifier = await connect(peer.url);
  const read = (await refresh(identifier)).body.tools as { name: string; hash: string }[];
  const decisions = read.map(({ name, hash }) => ({ name, hash, decision: 'approve' }));
  await app.request('PATCH', `/v1/mcp/servers/${identifier}/tools`, { body: { decisions } });
  return { peer, identifier, call: () => callTool(`mcp_${identifier}__ask`) };
}

async function callTool(name: string) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  return (await app.request('POST', '/v1/mcp', { body })).body.result;
}

describe('reading the tools of', () => {
  const bad: Record<string, RequestListener> = {
    'a page': (_request, response) => response.end('<html>hello</html>'),
    'a server that wants other credentials': (_request, response) => response.writeHead(401).end('{}'),
    'a broken server': (_request, response) => response.writeHead(500).end(secret),
    'a server that redirects': (_request, response) =>
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    'a server that closes': (request) => request.socket.destroy(),
    'a server of an unknown revision': (_request, response) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '1999-01-01' } })),
    'a server that sends without end': (_request, response) => {
      const flood = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
      response.once('close', () => clearInterval(flood));
    },
    'a server that answers other requests': (_request, response) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 'other', result: {} })),
  };

  test.each(Object.keys(bad))('%s says so, keeps nothing and shows no credentials', async (kind) => {
    const identifier = await connect(await rawServer(bad[kind] as RequestListener));
    const answer = await refresh(identifier);
    expect(answer).toMatchObject({ status: 502, body: { error: 'mcp_server_failed' } });
    expect(answer.body.message).toContain(`"${identifier}"`);
    const { body } = await app.request('GET', `/v1/mcp/servers/${identifier}`);
    expect(body.server).toMatchObject({ problem: answer.body.message, headers: ['authorization'], tools: { all: 0 } });
    expect(JSON.stringify([answer.body, body])).not.toContain(secret);
    const tested = await app.request('POST', `/v1/mcp/servers/${identifier}/test`);
    expect(tested.body.test).toMatchObject({ reached: false, tools: [] });
  });

  test('a server with too many tools, or pages without end, keeps nothing', async () => {
    const peer = await startMcpPeer('v2');
    closers.push(peer.close);
    peer.tools = Array.from({ length: 201 }, (_, index) => ({ name: `tool_${index}` }));
    const crowded = await connect(peer.url);
    expect((await refresh(crowded)).body.message).toContain('more than 200 tools');
    const endless = await rawServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method } = JSON.parse(body);
        const result = method === 'initialize' ? { protocolVersion: '2025-06-18' } : { tools: [], nextCursor: 'more' };
        response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    expect((await refresh(await connect(endless))).body.message).toContain('more than 20 pages');
  });

  test('what cannot be offered is left out and told of', async () => {
    const peer = await startMcpPeer('v2');
    closers.push(peer.close);
    let deep: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 50; depth++) deep = { properties: { deep } };
    peer.tools = [
      { name: 'fine' },
      { name: 'deep', inputSchema: { type: 'object', properties: { deep } } },
      { name: 'huge', inputSchema: { type: 'object', description: 'x'.repeat(40_000) } },
    ];
    const identifier = await connect(peer.url);
    expect((await refresh(identifier)).body.tools.map(({ name }: { name: string }) => name)).toEqual(['fine']);
    const { server } = (await app.request('GET', `/v1/mcp/servers/${identifier}`)).body;
    expect(server.problem).toContain('2 of 3 tools were left out');
  });
});

describe('a private address', () => {
  test('is not asked, however it is written', async () => {
    const guarded = await createTestApp({ allowsPrivateNetwork: false });
    const peer = await startMcpPeer('v2');
    closers.push(peer.close);
    const { port } = new URL(peer.url);
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '169.254.169.254',
      '10.0.0.1',
    ];
    for (const host of hosts) {
      const identifier = await connect(`http://${host}:${port}/mcp`, guarded);
      const answer = await refresh(identifier, guarded);
      expect(answer, host).toMatchObject({ status: 502, body: { error: 'mcp_server_failed' } });
      expect(answer.body.message, host).toContain('not on the public internet');
    }
    expect(peer.headers).toEqual([]);
    await guarded.close();
  });

  test.each(['file:///etc/passwd', 'ftp://example.com', 'http://user:secret@example.com', 'nonsense', 7, null])(
    '%s is no address',
    async (url) => {
      const body = { identifier: 'none', url };
      expect((await app.request('POST', '/v1/mcp/servers', { body })).status).toBe(422);
    },
  );

  test('headers that the transport writes, or that break lines, are refused', async () => {
    for (const headers of [{ Host: 'x' }, { 'Mcp-Session-Id': 'x' }, { a: 'b\r\nc: d' }, { 'a b': 'c' }, { a: 7 }]) {
      const body = { identifier: 'none', url: 'https://example.com', headers };
      expect((await app.request('POST', '/v1/mcp/servers', { body })).status, JSON.stringify(headers)).toBe(422);
    }
  });
});

describe('calling a tool of', () => {
  test('a server that is gone is an error that a model can read, and the next call works again', async () => {
    const { peer, call } = await approved();
    peer.intercept = (_request, response) => {
      response.destroy();
      return true;
    };
    expect(await call()).toMatchObject({ isError: true, structuredContent: { error: 'mcp_server_failed' } });
    peer.intercept = undefined;
    expect(await call()).not.toHaveProperty('isError');
  });

  test('a server that answers an error passes it on as one', async () => {
    const { peer, call } = await approved();
    peer.answer = () => ({ isError: true, content: [{ type: 'text', text: 'No such issue' }] });
    const answer = await call();
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: 'mcp_server_failed' } });
    expect(answer.structuredContent.message).toContain('No such issue');
  });

  test('a server that repeats its credentials does not show them', async () => {
    const { peer, call } = await approved();
    peer.answer = () => ({ content: [{ type: 'text', text: `you sent ${secret}` }], structuredContent: { secret } });
    const answer = await call();
    expect(JSON.stringify(answer)).not.toContain(secret);
    expect(answer.structuredContent).toMatchObject({ text: 'you sent ******', structured: { secret: '******' } });
  });

  test('a server whose answer is too large, or is no result, is refused', async () => {
    const { peer, call } = await approved();
    peer.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(600_000) }] });
    expect((await call()).structuredContent.message).toContain('larger than');
    peer.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(150_000) }] });
    expect((await call()).structuredContent.text).toContain('[cut: 150000 characters in all]');
    peer.answer = () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
    expect((await call()).structuredContent).toMatchObject({ omitted: ['image image/png'] });
  });

  test('a server whose answer is deep, or no text that can be kept, is not our undoing', async () => {
    const { peer, call } = await approved();
    const answerWith = (result: string) => {
      peer.intercept = (_request, response, body) => {
        if (!body.includes('tools/call')) return false;
        response.end(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":${result}}`);
        return true;
      };
    };
    answerWith(`{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(await call()).toMatchObject({ isError: true, structuredContent: { error: 'mcp_server_failed' } });
    answerWith('{"content":[{"type":"text","text":"a\\u0000b\\ud800c"}],"structuredContent":{"k\\u0000":"\\udc00"}}');
    expect((await call()).structuredContent).toMatchObject({
      text: 'a\ufffdb\ufffdc',
      structured: { 'k\ufffd': '\ufffd' },
    });
  });

  test('a server that forgets its sessions is connected to anew, and the tool runs once', async () => {
    const peer = await startMcpPeer('v1 with sessions');
    closers.push(peer.close);
    peer.tools = [{ name: 'ask' }];
    const identifier = await connect(peer.url);
    const read = (await refresh(identifier)).body.tools as { name: string; hash: string }[];
    const decisions = read.map(({ name, hash }) => ({ name, hash, decision: 'approve' }));
    await app.request('PATCH', `/v1/mcp/servers/${identifier}/tools`, { body: { decisions } });
    expect(await callTool(`mcp_${identifier}__ask`)).not.toHaveProperty('isError');
    let forgets = true;
    peer.intercept = (_request, response) => {
      if (!forgets) return false;
      forgets = false;
      response.writeHead(404).end('{}');
      return true;
    };
    expect(await callTool(`mcp_${identifier}__ask`)).not.toHaveProperty('isError');
    expect(peer.calls).toHaveLength(2);
  });
});

describe('secrets in headers', () => {
  test('are filled in by name, and missing ones are told of without a request', async () => {
    const peer: McpPeer = await startMcpPeer('v2');
    closers.push(peer.close);
    peer.tools = [{ name: 'ask' }];
    const headers = { 'x-api-key': '{{ .secrets["TRACKER"] }}' };
    const body = { identifier: 'with-secret', url: peer.url, headers };
    await app.request('POST', '/v1/mcp/servers', { body });
    expect((await refresh('with-secret')).body.message).toContain('"TRACKER"');
    expect(peer.headers).toEqual([]);
    const named = { secretName: 'TRACKER', secretValue: 'the-value' };
    expect((await app.request('POST', '/v1/organization/secrets', { body: named })).body).toMatchObject({ ok: true });
    expect((await refresh('with-secret')).status).toBe(200);
    expect(peer.headers[0]).toMatchObject({ 'x-api-key': 'the-value' });
    const row = await app.request('GET', '/v1/audit-log?resources=mcp-server');
    expect(JSON.stringify(row.body)).not.toContain('the-value');
  });
});
