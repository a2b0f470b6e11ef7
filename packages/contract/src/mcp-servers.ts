import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { timestamp } from './wire.ts';

const identifier = z
  .string()
  .min(1)
  .max(24)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens, like issue-tracker');

const url = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine((text) => !URL.canParse(text) || (!new URL(text).username && !new URL(text).password), {
    error: 'may not hold a user name or password; send a header instead',
  });

/** Headers set by the transport, or that would redirect a request. */
const ownHeaders =
  /^(host|connection|content-.*|transfer-encoding|accept|cookie|origin|mcp-.*|proxy-.*|te|trailer|upgrade|expect)$/i;

const headers = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/, 'is not the name of a header')
      .refine((name) => !ownHeaders.test(name), { error: 'is written by the platform' }),
    z
      .string()
      .min(1)
      .max(8000)
      .regex(/^[\x20-\x7e]+$/, 'may hold visible ASCII characters alone'),
  )
  .refine((written) => Object.keys(written).length <= 20, { error: 'may be 20 at most' });

const names = z.array(z.string().min(1).max(1000)).max(1000).nullish();
const permissionsBody = z.strictObject({ roles: names, users: names, teams: names });

const written = {
  title: z.string().max(200).nullish(),
  /** Sent with every request; sealed, never shown. `{{ .secrets["NAME"] }}` stands for a secret. */
  headers: secret(headers).nullish(),
  enabled: z.boolean().nullish(),
  /** Who may use its tools, beside administrators. */
  permissions: permissionsBody.nullish(),
};

const serverBody = z.strictObject({ identifier, url, ...written });
export type McpServerBody = z.output<typeof serverBody>;
const serverPatch = z.strictObject({ url: url.optional(), ...written });
export type McpServerPatch = z.output<typeof serverPatch>;

const server = z.object({
  identifier: z.string(),
  title: z.string().optional(),
  url: z.string(),
  /** Names of the headers sent. */
  headers: z.array(z.string()),
  enabled: z.boolean(),
  permissions: z.object({ roles: z.array(z.string()), users: z.array(z.string()), teams: z.array(z.string()) }),
  /** The protocol revision, once known. */
  protocolVersion: z.string().optional(),
  /** When its tools were last read. */
  checkedAt: timestamp.nullable(),
  /** Why the last read failed. */
  problem: z.string().nullable(),
  tools: z.object({ offered: z.number(), toReview: z.number(), all: z.number() }),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type McpServer = z.output<typeof server>;

const definition = z.object({
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.json()),
});
export type McpToolDefinition = z.output<typeof definition>;

/** `new` and `changed` wait for review; only `approved` tools are offered. */
const mcpToolStates = ['new', 'changed', 'approved', 'declined', 'gone'] as const;
const tool = z.object({
  name: z.string(),
  /** The name that patterns match and models call. */
  offeredAs: z.string(),
  state: z.enum(mcpToolStates),
  hash: z.string(),
  definition,
  /** The approved definition, if it differs. */
  decidedDefinition: definition.optional(),
  /** Whether an administrator vouches that it changes nothing; the server's own claim is ignored. */
  readOnly: z.boolean(),
  claimsReadOnly: z.boolean(),
  /** Warnings for reviewers, such as removed invisible characters. */
  warnings: z.array(z.string()),
  decidedAt: timestamp.nullable(),
  decidedBy: z.string().nullable(),
});
export type McpServerTool = z.output<typeof tool>;

const reviewBody = z.strictObject({
  decisions: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(1000),
        /** Of the definition that was reviewed; a decision on another is refused. */
        hash: z.string().min(1).max(200),
        decision: z.enum(['approve', 'decline']),
        /** Required to run the tool without approval. */
        readOnly: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(200),
});
export type McpToolReview = z.output<typeof reviewBody>;

const tag = 'MCP servers';
const params = z.object({ server_identifier: z.string().min(1).max(1000) });
const oneServer = z.object({ ok: z.literal(true), server });
const someTools = z.object({ ok: z.literal(true), tools: z.array(tool) });

export const listMcpServers = operation({
  id: 'listMcpServers',
  method: 'GET',
  path: '/v1/mcp/servers',
  tag,
  summary: 'List the MCP servers whose tools the assistant can be given',
  access: 'admin',
  answer: z.object({ ok: z.literal(true), servers: z.array(server) }),
  errors: [],
});

export const createMcpServer = operation({
  id: 'createMcpServer',
  method: 'POST',
  path: '/v1/mcp/servers',
  tag,
  summary: 'Connect an MCP server',
  description: 'Nothing is asked of it yet: read its tools with `refresh`, then approve those that may be offered.',
  access: 'admin',
  status: 201,
  body: serverBody,
  unknownFields: 'closed',
  answer: oneServer,
  errors: ['identifier_taken', 'limit_reached'],
});

export const getMcpServer = operation({
  id: 'getMcpServer',
  method: 'GET',
  path: '/v1/mcp/servers/{server_identifier}',
  tag,
  summary: 'Get a connected MCP server',
  access: 'admin',
  params,
  answer: oneServer,
  errors: ['not_found'],
});

export const patchMcpServer = operation({
  id: 'patchMcpServer',
  method: 'PATCH',
  path: '/v1/mcp/servers/{server_identifier}',
  tag,
  summary: 'Change a connected MCP server',
  description: 'Headers are replaced whole. Another address makes every tool wait for review again.',
  access: 'admin',
  params,
  body: serverPatch,
  unknownFields: 'closed',
  answer: oneServer,
  errors: ['not_found'],
});

export const deleteMcpServer = operation({
  id: 'deleteMcpServer',
  method: 'DELETE',
  path: '/v1/mcp/servers/{server_identifier}',
  tag,
  summary: 'Disconnect an MCP server, with everything that was decided about its tools',
  access: 'admin',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const testMcpServer = operation({
  id: 'testMcpServer',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/mcp/servers/{server_identifier}/test',
  tag,
  summary: 'Ask an MCP server for its tools without keeping them',
  access: 'admin',
  scope: 'create:mcp-servers',
  params,
  answer: z.object({
    ok: z.literal(true),
    test: z.object({
      reached: z.boolean(),
      problem: z.string().nullable(),
      protocolVersion: z.string().nullable(),
      tools: z.array(z.string()),
      milliseconds: z.number(),
    }),
  }),
  errors: ['not_found'],
});

export const refreshMcpServer = operation({
  id: 'refreshMcpServer',
  method: 'POST',
  path: '/v1/mcp/servers/{server_identifier}/refresh',
  tag,
  summary: 'Read the tools of an MCP server; new and changed ones wait for review',
  access: 'admin',
  params,
  answer: someTools,
  errors: ['not_found', 'mcp_server_failed'],
});

export const listMcpServerTools = operation({
  id: 'listMcpServerTools',
  method: 'GET',
  path: '/v1/mcp/servers/{server_identifier}/tools',
  tag,
  summary: 'List the tools of an MCP server with what was decided about each',
  access: 'admin',
  params,
  answer: someTools,
  errors: ['not_found'],
});

export const reviewMcpServerTools = operation({
  id: 'reviewMcpServerTools',
  method: 'PATCH',
  path: '/v1/mcp/servers/{server_identifier}/tools',
  tag,
  summary: 'Approve or decline tools of an MCP server, each by the hash of what was read',
  access: 'admin',
  params,
  body: reviewBody,
  unknownFields: 'closed',
  answer: someTools,
  errors: ['not_found', 'stale_version'],
});

export const mcpServerOperations = [
  listMcpServers,
  createMcpServer,
  getMcpServer,
  patchMcpServer,
  deleteMcpServer,
  testMcpServer,
  refreshMcpServer,
  listMcpServerTools,
  reviewMcpServerTools,
] as const;
