import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { PagesDeps } from './pages.deps.ts';
import { pageRoutes } from './pages.routes.ts';
import { pageTools } from './pages.tools.ts';

export interface Pages {
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createPages(deps: PagesDeps): Pages {
  return { routes: pageRoutes(deps), tools: pageTools(deps) };
}
