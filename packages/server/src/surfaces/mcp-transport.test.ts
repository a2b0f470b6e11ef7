import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { mcpServer, tokens } from '../../test/mcp-server.ts';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

function serve(options?: Parameters<typeof mcpServer>[0]) {
  const server = mcpServer(options);
  opened.push(server.app);
  const post = (payload: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: { authorization: tokens.member, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  return { ...server, post };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a message that is none', () => {
  test.each(['', '{', 'null x', '{"__proto__":{"a":1}}', '\u0000'])('%j is a parse error', async (body) => {
    const answer = await serve().post(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'The body is not valid JSON' },
    });
  });

  test.each([
    ['null', null],
    ['5', null],
    ['"ping"', null],
    ['{}', null],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
    ['{"id":"a","method":"ping"}', 'a'],
    ['{"jsonrpc":"2.0","id":1}', 1],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 1],
    ['{"jsonrpc":"2.0","id":1,"method":""}', 1],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null],
  ])('%s is an invalid request', async (body, id) => {
    const answer = await serve().post(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ id, error: { code: -32600 } });
  });

  test.each([[[]], ['x'], [null], [5]])('with the parameters %j is invalid', async (params) => {
    expect((await serve().post({ ...ping, params })).json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test.each(['resources/list', 'prompts/list', 'server/discover', 'toString', '__proto__'])(
    'asks for %s, which is not there',
    async (method) => {
      const answer = await serve().post({ ...ping, method });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  test('of more than a megabyte is refused before it is read', async () => {
    const answer = await serve().post({ ...ping, params: { text: 'x'.repeat(1_100_000) } });
    expect([answer.statusCode, answer.json().error]).toEqual([413, 'payload_too_large']);
  });

  test('of another type is refused', async () => {
    const answer = await serve().post(ping, { 'content-type': 'text/plain' });
    expect([answer.statusCode, answer.json().error]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('a batch', () => {
  test('is answered request by request', async () => {
    const answer = await serve().post([
      ping,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'list_numbers' } },
      7,
      { jsonrpc: '2.0', id: 3, method: 'nope' },
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'b', result: { content: [{ type: 'text', text: '[0,1,2]' }] } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'A message is a JSON object' } },
      { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'Method not found: nope' } },
    ]);
  });

  test('of notifications alone has no body', async () => {
    const answer = await serve().post([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect([answer.statusCode, answer.body]).toEqual([202, '']);
  });

  test.each([
    ['without messages', [], {}],
    ['of too many', Array(26).fill(ping), {}],
    ['with initialize', [ping, { ...ping, method: 'initialize', params: { protocolVersion: '2025-03-26' } }], {}],
    ['in a revision that has none', [ping], { 'mcp-protocol-version': '2026-07-28' }],
  ])('%s is refused', async (_what, batch, headers) => {
    const answer = await serve().post(batch, headers);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('the transport', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'] as const)(
    '%s is not allowed, and the answer says what is',
    async (method) => {
      for (const url of ['/v1/mcp', '/mcp', '/v1/mcp/']) {
        const answer = await serve().app.inject({ method, url });
        expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST']);
      }
    },
  );

  test.each([undefined, 'Bearer wrong'])(
    '%s as authorization is answered 401 with a challenge',
    async (authorization) => {
      const answer = await serve().app.inject({
        method: 'POST',
        url: '/v1/mcp',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        payload: ping,
      });
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    },
  );

  test.each(['https://evil.example', 'null', 'portal.example', 'http://portal.example.evil.example', ''])(
    'a page of %j is refused before its token is looked at',
    async (origin) => {
      const answer = await serve().post(ping, { host: 'portal.example', origin, authorization: 'Bearer wrong' });
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, -32000]);
    },
  );

  test('a page of the same host may call, and one of the address that people use', async () => {
    const { post } = serve({ publicUrl: () => 'https://portal.example' });
    for (const [host, origin] of [
      ['portal.internal:3000', 'http://portal.internal:3000'],
      ['10.0.0.7:3000', 'https://portal.example'],
    ]) {
      expect((await post(ping, { host: host!, origin: origin! })).statusCode).toBe(200);
    }
  });

  test('a type that says JSON in other words is read', async () => {
    const answer = await serve().post(ping, { 'content-type': 'application/json-rpc+json; charset=utf-8' });
    expect(answer.json().result).toEqual({});
  });
});

describe('MCP-Protocol-Version', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('%s is served', async (version) => {
    expect((await serve().post(ping, { 'mcp-protocol-version': version })).json().result).toEqual({});
  });

  test.each([ping, { jsonrpc: '2.0', method: 'notifications/initialized' }])(
    'of another kind is refused with those that are served (%j)',
    async (message) => {
      const answer = await serve().post(message, { 'mcp-protocol-version': '1999-01-01' });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toMatchObject({
        code: -32022,
        data: { supported: expect.arrayContaining(['2026-07-28', '2025-11-25']), requested: '1999-01-01' },
      });
    },
  );
});

describe('a request of 2026-07-28', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = (method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: meta },
  });
  const headersFor = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
  const shared = {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'portolan', title: 'Portolan', version: '0.1.0' } },
  };

  test('server/discover tells versions and capabilities', async () => {
    const answer = await serve().post(modern('server/discover'), headersFor('server/discover'));
    expect(answer.json().result).toEqual({
      ...shared,
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {} },
      instructions: expect.any(String),
    });
  });

  test('tools/list and tools/call say that they are complete', async () => {
    const { post } = serve();
    const listed = await post(modern('tools/list'), headersFor('tools/list'));
    expect(listed.json().result).toMatchObject({ ...shared, ttlMs: 0, cacheScope: 'private' });
    const called = await post(modern('tools/call', { name: 'list_numbers' }), {
      ...headersFor('tools/call'),
      'mcp-name': 'list_numbers',
    });
    expect(called.json().result).toEqual({ ...shared, content: [{ type: 'text', text: '[0,1,2]' }] });
  });

  test.each(['ping', 'initialize', 'subscriptions/listen', 'prompts/list'])(
    'has no %s, with status 404',
    async (method) => {
      const answer = await serve().post(modern(method), headersFor(method));
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  test.each([
    ['no version', { 'mcp-method': 'tools/call', 'mcp-name': 'get_entity' }],
    [
      'another version',
      { ...headersFor('tools/call'), 'mcp-protocol-version': '2025-11-25', 'mcp-name': 'get_entity' },
    ],
    ['no method', { 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'get_entity' }],
    ['another method', { ...headersFor('tools/list'), 'mcp-name': 'get_entity' }],
    ['no name', headersFor('tools/call')],
    ['another name', { ...headersFor('tools/call'), 'mcp-name': 'list_numbers' }],
    ['a name that is not base64', { ...headersFor('tools/call'), 'mcp-name': '=?base64?!!?=' }],
  ])('with %s in the headers is refused', async (_what, headers) => {
    const answer = await serve().post(modern('tools/call', { name: 'get_entity' }), headers);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  test('may encode the name', async () => {
    const encoded = `=?base64?${Buffer.from('list_numbers').toString('base64')}?=`;
    const answer = await serve().post(modern('tools/call', { name: 'list_numbers' }), {
      ...headersFor('tools/call'),
      'mcp-name': encoded,
    });
    expect(answer.json()).toHaveProperty('result');
  });

  test.each([
    ['no version', { 'io.modelcontextprotocol/protocolVersion': undefined }],
    ['a version of another type', { 'io.modelcontextprotocol/protocolVersion': 5 }],
    ['no capabilities', { 'io.modelcontextprotocol/clientCapabilities': undefined }],
    ['capabilities of another type', { 'io.modelcontextprotocol/clientCapabilities': [] }],
    ['a client without a name', { 'io.modelcontextprotocol/clientInfo': { version: '1' } }],
  ])('with %s in its _meta is refused', async (_what, changed) => {
    const message = { ...modern('tools/list'), params: { _meta: { ...meta, ...changed } } };
    const answer = await serve().post(message, headersFor('tools/list'));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ id: 1, error: { code: -32602, message: expect.stringContaining('_meta') } });
  });

  test('of a version to come is answered with those that are served', async () => {
    const message = modern('server/discover');
    const params = { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } };
    const answer = await serve().post(
      { ...message, params },
      { ...headersFor('server/discover'), 'mcp-protocol-version': '2031-01-01' },
    );
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, -32022]);
    expect(answer.json().error.data.supported[0]).toBe('2026-07-28');
  });
});
