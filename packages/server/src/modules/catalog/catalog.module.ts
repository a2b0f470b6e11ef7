import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { catalogRoutes } from './catalog.routes.ts';
import { catalogTools } from './catalog.tools.ts';

export interface Catalog {
  readonly deps: CatalogDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createCatalog(deps: CatalogDeps): Catalog {
  return { deps, routes: catalogRoutes(deps), tools: catalogTools(deps) };
}
