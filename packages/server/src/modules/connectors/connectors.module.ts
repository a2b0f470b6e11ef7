import type { Route } from '../../platform/http/route.ts';
import type { ToolSource } from '../../platform/tools/tool-source.ts';
import { createConnectorSource } from './connector-source.ts';
import type { ConnectorsDeps } from './connectors.deps.ts';
import { connectorRoutes } from './connectors.routes.ts';

export interface Connectors {
  readonly routes: Route[];
  readonly source: ToolSource;
}

export function createConnectors(deps: ConnectorsDeps): Connectors {
  return { routes: connectorRoutes(deps), source: createConnectorSource(deps) };
}
