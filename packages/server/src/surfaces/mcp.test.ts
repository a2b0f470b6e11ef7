import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { declareTools, end, listen, mcpServer, tokens } from '../../test/mcp-server.ts';
import { createToolRegistry } from '../platform/tools/registry.ts';
import { tool } from '../platform/tools/tool.ts';
import { createToolSet } from '../platform/tools/tool-source.ts';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await end(app);
});

function serve(options?: Parameters<typeof mcpServer>[0]) {
  const server = mcpServer(options);
  opened.push(server.app);
  const post = (payload: unknown, headers: Record<string, string> = {}, url = '/v1/mcp') =>
    server.app.inject({
      method: 'POST',
      url,
      headers: { authorization: tokens.member, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  return { ...server, post };
}

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, given?: unknown) => request('tools/call', { name, arguments: given });

describe('initialize', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('asked for %s it agrees on %s', async (asked, agreed) => {
    const answer = await serve().post(request('initialize', { protocolVersion: asked, capabilities: {} }));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: 'portolan', title: 'Portolan', version: '0.1.0' },
        instructions: expect.stringContaining('list_blueprints'),
      },
    });
  });

  test('without a version is refused', async () => {
    const answer = await serve().post(request('initialize', {}));
    expect(answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });
});

test('ping is answered with nothing, under the id it came with, on both paths', async () => {
  const { post } = serve();
  for (const id of [0, -7, 'a "quoted" id', '']) {
    expect((await post(request('ping', undefined, id), {}, '/mcp')).json()).toEqual({ jsonrpc: '2.0', id, result: {} });
  }
});

test.each(['notifications/initialized', 'notifications/cancelled', 'notifications/unknown'])(
  '%s is accepted without a body',
  async (method) => {
    const answer = await serve().post({ jsonrpc: '2.0', method, params: {} });
    expect([answer.statusCode, answer.body]).toEqual([202, '']);
  },
);

test('a response is accepted without a body', async () => {
  const answer = await serve().post({ jsonrpc: '2.0', id: 5, result: {} });
  expect([answer.statusCode, answer.body]).toEqual([202, '']);
});

describe('tools/list', () => {
  test('shows a member the tools for developers, in order of name, without initialize before', async () => {
    const { tools } = (await serve().post(request('tools/list'))).json().result;
    const names = ['get_broken', 'get_entity', 'list_numbers', 'run_deploy', 'search_nested', 'track_forever'];
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(tools[1]).toEqual({
      name: 'get_entity',
      title: 'Get an entity',
      description: 'What it answers',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { blueprint: { type: 'string', minLength: 1 }, identifier: { type: 'string', minLength: 1 } },
        required: ['blueprint', 'identifier'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Get an entity',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });

  test('shows an administrator the tools for builders too, with what they may do', async () => {
    const { tools } = (await serve().post(request('tools/list', {}), { authorization: tokens.admin })).json().result;
    const hints = Object.fromEntries(
      tools.map((each: { name: string; annotations: object }) => [each.name, each.annotations]),
    );
    expect(hints).toMatchObject({
      create_entity: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      delete_entity: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      run_deploy: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    });
  });

  test.each(['1', 'true', 'yes', ' 1 '])('in read-only mode (%s) shows reads alone', async (mode) => {
    const headers = { authorization: tokens.admin, 'x-read-only-mode': mode };
    const { tools } = (await serve().post(request('tools/list'), headers)).json().result;
    const isRead = ({ annotations }: { annotations: { readOnlyHint: boolean } }) => annotations.readOnlyHint;
    expect([tools.length, tools.every(isRead)]).toEqual([5, true]);
  });

  test.each(['0', 'false', ''])('x-read-only-mode: %s leaves all', async (mode) => {
    const { tools } = (await serve().post(request('tools/list'), { 'x-read-only-mode': mode })).json().result;
    expect(tools).toHaveLength(6);
  });

  test('goes on after a cursor, and pages what is more than a hundred', async () => {
    const [first] = declareTools({ contexts: [] });
    const names = Array.from({ length: 230 }, (_, index) => `get_${String(index).padStart(3, '0')}`);
    const many = names.map((name) => tool({ ...first!, name, aliases: [] }));
    const { post } = serve({ tools: createToolSet(createToolRegistry(many)) });
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await post(request('tools/list', { cursor }))).json();
      listed.push(...result.tools.map(({ name }: { name: string }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(listed).toEqual(names);
  });

  test.each([[5], ['a b'], [{}], ['']])('refuses the cursor %j', async (cursor) => {
    expect((await serve().post(request('tools/list', { cursor }))).json().error.code).toBe(-32602);
  });
});

describe('tools/call', () => {
  test('gives the result as structure and as text, with the rights of the caller and the origin MCP', async () => {
    const server = serve();
    const answer = await server.post(call('get_entity', { blueprint: 'service', identifier: 'cart' }), {
      'user-agent': 'claude/1',
    });
    const { content, ...rest } = answer.json().result;
    expect(rest).toMatchObject({ structuredContent: { entity: { title: 'Cart', properties: { language: 'Go' } } } });
    expect(rest).not.toHaveProperty('isError');
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(rest.structuredContent) }]);
    expect(server.contexts[0]?.actor).toMatchObject({ id: 'member', origin: 'MCP', datasource: 'claude/1' });
  });

  test('takes an alias', async () => {
    const answer = await serve().post(call('get_thing', { blueprint: 'service', identifier: 'cart' }));
    expect(answer.json().result.structuredContent.entity.identifier).toBe('cart');
  });

  test.each([[undefined], [null], [{}]])('takes %j for no arguments', async (given) => {
    expect((await serve().post(call('list_numbers', given))).json().result).toEqual({
      content: [{ type: 'text', text: '[0,1,2]' }],
    });
  });

  test('a refusal is a result with our error body', async () => {
    const answer = await serve().post(call('get_entity', { blueprint: 'service', identifier: 'x' }));
    const { content, structuredContent, isError } = answer.json().result;
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      ok: false,
      error: 'not_found',
      message: 'Entity with identifier "x" was not found',
      details: { resource: 'Entity', byField: 'identifier', withValue: 'x' },
    });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  });

  test('arguments that do not fit are a result too, with every issue', async () => {
    const answer = await serve().post(call('get_entity', { identifier: 5, other: 1 }));
    expect(answer.json().result).toMatchObject({
      isError: true,
      structuredContent: {
        error: 'invalid_request',
        details: [{ path: '/blueprint' }, { path: '/identifier' }, { path: '/other' }],
      },
    });
  });

  test('a defect is bland, and logged once with the tool', async () => {
    const { post, logged } = serve();
    const answer = await post(call('get_broken'));
    expect(answer.json().result.structuredContent).toEqual({
      ok: false,
      error: 'internal_error',
      message: 'get_broken failed inside',
    });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"tool":"get_broken"');
  });

  test.each(['nope', '__proto__', 'constructor', 'create_entity'])('of a member, %s is unknown', async (name) => {
    const answer = await serve().post(call(name, { identifier: 'x' }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: `Unknown tool: ${name}` } });
  });

  test('an administrator calls a tool for builders', async () => {
    const answer = await serve().post(call('create_entity', { identifier: 'x' }), { authorization: tokens.admin });
    expect(answer.json().result.structuredContent).toEqual({ identifier: 'x' });
  });

  test('in read-only mode a tool that changes something is refused and does not run', async () => {
    const server = serve();
    const answer = await server.post(call('run_deploy', {}), { 'x-read-only-mode': '1' });
    expect(answer.json().result).toMatchObject({ isError: true, structuredContent: { error: 'missing_permissions' } });
    expect(server.contexts).toEqual([]);
  });

  test.each([
    [undefined],
    [{}],
    [{ name: 5 }],
    [{ name: ['get_entity'] }],
    [{ name: 'list_numbers', arguments: [] }],
    [{ name: 'list_numbers', arguments: 'x' }],
  ])('the parameters %j are invalid', async (params) => {
    expect((await serve().post(request('tools/call', params))).json()).toMatchObject({
      id: 1,
      error: { code: -32602 },
    });
  });

  test('a tool over its deadline is abandoned', async () => {
    const answer = await serve({ deadlineMs: 10 }).post(call('track_forever'));
    expect(answer.json().result.structuredContent).toMatchObject({ error: 'service_unavailable' });
  });

  test('a client that goes away aborts the tool', async () => {
    const server = serve();
    const address = await listen(server.app);
    const client = new AbortController();
    const gone = fetch(`${address}/v1/mcp`, {
      method: 'POST',
      headers: { authorization: tokens.member, 'content-type': 'application/json' },
      body: JSON.stringify(call('track_forever')),
      signal: client.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(() => server.contexts.length).toBe(1);
    const { signal } = server.contexts[0]!;
    expect(signal.aborted).toBe(false);
    client.abort();
    await expect.poll(() => signal.aborted).toBe(true);
    expect(await gone).toBe('AbortError');
  });

  test('a result over the bound is refused whole, with what to do', async () => {
    const answer = await serve({ resultBytesMax: 1_000 }).post(call('list_numbers', { count: 400 }));
    expect(answer.json().result).toMatchObject({
      isError: true,
      structuredContent: { error: 'payload_too_large', message: expect.stringContaining('limit') },
    });
  });

  test('arguments of nearly a megabyte are read, and their error stays within the bound', async () => {
    const answer = await serve().post(call('get_entity', { blueprint: 'x', identifier: 'y'.repeat(1_000_000) }));
    expect(answer.json().result).toMatchObject({ isError: true });
    expect(answer.body.length).toBeLessThan(600_000);
  });

  test('arguments nested sixty thousand levels deep are refused in words', async () => {
    const depth = 60_000;
    const query = `${'{"rules":['.repeat(depth)}${']}'.repeat(depth)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_nested","arguments":{"query":${query}}}}`;
    const answer = await serve().post(body);
    expect(answer.json()).toMatchObject({
      id: 1,
      result: { isError: true, structuredContent: { error: 'invalid_request' } },
    });
  });
});
