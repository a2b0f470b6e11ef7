import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { BlueprintsDeps, BlueprintsOptions } from './blueprints.deps.ts';
import { blueprintRoutes } from './blueprints.routes.ts';
import { blueprintTools } from './blueprints.tools.ts';
import { blueprintBuilderTools } from './builder.tools.ts';
import { createDefinitionChecker } from './entity-validator.ts';

export interface Blueprints {
  readonly deps: BlueprintsDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createBlueprints(options: BlueprintsOptions): Blueprints {
  const deps: BlueprintsDeps = { ...options, checkDefinitions: createDefinitionChecker(options.compilePattern) };
  return { deps, routes: blueprintRoutes(deps), tools: [...blueprintTools(deps), ...blueprintBuilderTools(deps)] };
}
