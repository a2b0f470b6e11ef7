import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import pg from 'pg';
import { z } from 'zod';

/**
 * A server of the Model Context Protocol as its SDK's documentation builds one without sessions: a tool that reads a row of
 * the trivial catalog. No rights, no limits, no record of the call.
 */
const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 10 });

function newServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'get_entity',
    { description: 'Reads an entity', inputSchema: { blueprint: z.string(), identifier: z.string() } },
    async ({ identifier }) => {
      const { rows } = await pool.query({
        name: 'read',
        text: `select identifier, title, properties, relations, created_at as "createdAt", updated_at as "updatedAt"
          from rows where org = $1 and kind = $2 and identifier = $3`,
        values: ['o', 'service', identifier],
      });
      const structuredContent = { entity: rows[0] };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  return server;
}

createServer((request, response) => {
  if (request.url === '/health') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    return;
  }
  const server = newServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void Promise.all([transport.close(), server.close()]));
  server
    .connect(transport)
    .then(() => transport.handleRequest(request, response))
    .catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
}).listen(Number(process.env['PORT']), '127.0.0.1');
