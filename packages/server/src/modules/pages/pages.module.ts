import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { pageRoutes } from './pages.routes.ts';
import { pageTools } from './pages.tools.ts';

export interface PagesDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

export interface Pages {
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createPages(deps: PagesDeps): Pages {
  return { routes: pageRoutes(deps), tools: pageTools(deps) };
}
