import * as contract from '@portolan/contract/mcp-servers';
import { type Route, route } from '../../platform/http/route.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { getServer, listServers, listServerTools } from './read-servers.ts';
import { refreshTools, testServer } from './refresh-tools.ts';
import { reviewTools } from './review-tools.ts';
import { createServer, deleteServer, patchServer } from './write-servers.ts';

export function connectorRoutes(deps: ConnectorsDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listMcpServers, async (_input, { actor }) => ({ servers: await listServers(database, actor) })),
    route(contract.createMcpServer, async ({ body }, { actor }) => ({ server: await createServer(deps, actor, body) })),
    route(contract.getMcpServer, async ({ params }, { actor }) => ({
      server: await getServer(database, actor, params.server_identifier),
    })),
    route(contract.patchMcpServer, async ({ params, body }, { actor }) => ({
      server: await patchServer(deps, actor, params.server_identifier, body),
    })),
    route(contract.deleteMcpServer, async ({ params }, { actor }) => {
      await deleteServer(deps, actor, params.server_identifier);
      return {};
    }),
    route(contract.testMcpServer, async ({ params }, { actor }) => ({
      test: await testServer(deps, actor, params.server_identifier),
    })),
    route(contract.refreshMcpServer, async ({ params }, { actor }) => ({
      tools: await refreshTools(deps, actor, params.server_identifier),
    })),
    route(contract.listMcpServerTools, async ({ params }, { actor }) => ({
      tools: await listServerTools(database, actor, params.server_identifier),
    })),
    route(contract.reviewMcpServerTools, async ({ params, body }, { actor }) => ({
      tools: await reviewTools(deps, actor, params.server_identifier, body),
    })),
  ];
}
