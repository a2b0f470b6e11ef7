import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { z } from 'zod';
import type { Actor } from '../src/platform/actor.ts';
import { AppError, notFound } from '../src/platform/errors.ts';
import { createHttpServer } from '../src/platform/http/server.ts';
import { createToolRegistry } from '../src/platform/tools/registry.ts';
import { type ToolContext, type ToolDeclaration, tool } from '../src/platform/tools/tool.ts';
import { createToolSet } from '../src/platform/tools/tool-source.ts';
import { createMcp, type McpOptions } from '../src/surfaces/mcp.ts';

/** Tokens the server knows: one for each kind of caller. */
export const tokens = { admin: 'Bearer admin', member: 'Bearer member' };

const member: Actor = {
  orgId: 'org_1',
  model: 'blueprints',
  kind: 'person',
  id: 'member',
  roles: ['Member'],
  teamKeys: [],
  datasource: '',
  origin: 'API',
};

async function authenticate(authorization: string | undefined, userAgent: string | undefined): Promise<Actor> {
  const actor = { ...member, datasource: userAgent ?? '' };
  if (authorization === tokens.admin) return { ...actor, id: 'admin', roles: ['Admin'] };
  if (authorization === tokens.member) return actor;
  throw new AppError('unauthorized', 'The token is not valid');
}

/** What the tools saw, newest last. */
export interface RecordedCalls {
  readonly contexts: ToolContext[];
}

const entities = new Map([
  ['cart', { identifier: 'cart', title: 'Cart', blueprint: 'service', properties: { language: 'Go', tier: 1 } }],
  ['größe', { identifier: 'größe', title: 'Größe', blueprint: 'service', properties: {} }],
]);

interface Nested {
  readonly rules: Nested[];
}
const nested: z.ZodType<Nested> = z.lazy(() => z.strictObject({ rules: z.array(nested) }));

/** One tool of every effect and audience, declared as modules declare theirs. */
export function declareTools(seen: RecordedCalls): ToolDeclaration[] {
  const shared = { title: 'Title', description: 'What it answers', audience: 'developer' } as const;
  return [
    tool({
      ...shared,
      name: 'get_entity',
      title: 'Get an entity',
      effect: 'read',
      aliases: ['get_thing'],
      input: z.strictObject({ blueprint: z.string().min(1), identifier: z.string().min(1) }),
      run: async (context, { identifier }) => {
        seen.contexts.push(context);
        const entity = entities.get(identifier);
        if (!entity) throw notFound('Entity', identifier);
        return { entity };
      },
    }),
    tool({
      ...shared,
      name: 'list_numbers',
      effect: 'read',
      input: z.strictObject({ count: z.number().int().default(3) }),
      run: async (_context, { count }) => Array.from({ length: count }, (_, index) => index),
    }),
    tool({
      ...shared,
      name: 'search_nested',
      effect: 'read',
      input: z.strictObject({ query: nested }),
      run: async () => ({ total: 0 }),
    }),
    tool({
      ...shared,
      name: 'get_broken',
      effect: 'read',
      input: z.strictObject({}),
      run: async () => {
        throw new Error('password=hunter2');
      },
    }),
    tool({
      ...shared,
      name: 'track_forever',
      effect: 'read',
      input: z.strictObject({}),
      run: (context) => {
        seen.contexts.push(context);
        return new Promise(() => {});
      },
    }),
    tool({
      ...shared,
      name: 'create_entity',
      effect: 'write',
      audience: 'builder',
      input: z.strictObject({ identifier: z.string() }),
      run: async (_context, { identifier }) => ({ identifier }),
    }),
    tool({
      ...shared,
      name: 'delete_entity',
      effect: 'destructive',
      audience: 'builder',
      input: z.strictObject({ identifier: z.string() }),
      run: async () => ({}),
    }),
    tool({
      ...shared,
      name: 'run_deploy',
      effect: 'destructive',
      input: z.strictObject({}),
      run: async (context) => {
        seen.contexts.push(context);
        return { mode: 'executed' };
      },
    }),
  ];
}

/** The HTTP application with nothing but MCP on it; what it logs is kept. */
export function mcpServer(
  options: Partial<McpOptions> = {},
): RecordedCalls & { app: FastifyInstance; logged: string[] } {
  const seen: RecordedCalls = { contexts: [] };
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) });
  const app = createHttpServer({
    log,
    gate: { authenticate, authenticateOperator: () => {} },
    routes: [],
    surfaces: [createMcp({ tools: createToolSet(createToolRegistry(declareTools(seen))), authenticate, ...options })],
  });
  return { ...seen, app, logged };
}

/** Listens on loopback. */
export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/**
 * Ends the application and its connections. Node's `fetch` opens a new one in place of each it aborted, and a server
 * that ends waits for a connection that never sent anything.
 */
export async function end(app: FastifyInstance): Promise<void> {
  const ended = app.close();
  app.server.closeAllConnections();
  await ended;
}
