import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { BlueprintListener, PageListener } from './blueprint-listener.ts';
import { blueprintRoutes } from './blueprints.routes.ts';
import { blueprintTools } from './blueprints.tools.ts';
import { blueprintBuilderTools } from './builder.tools.ts';
import { type CompilePattern, createDefinitionChecker } from './entity-validator.ts';
import type { WriteBlueprintDeps } from './write-blueprint.ts';

export interface BlueprintsOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly listener: BlueprintListener;
  readonly pageListener: PageListener;
  readonly compilePattern: CompilePattern;
}

export interface BlueprintsDeps extends BlueprintsOptions, WriteBlueprintDeps {}

export interface Blueprints {
  readonly deps: BlueprintsDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createBlueprints(options: BlueprintsOptions): Blueprints {
  const deps: BlueprintsDeps = { ...options, checkDefinitions: createDefinitionChecker(options.compilePattern) };
  return { deps, routes: blueprintRoutes(deps), tools: [...blueprintTools(deps), ...blueprintBuilderTools(deps)] };
}
