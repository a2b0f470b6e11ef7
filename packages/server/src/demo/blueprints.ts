import { domainBlueprint, environmentBlueprint, serviceBlueprint } from './blueprints-catalog.ts';
import {
  cloudResourceBlueprint,
  deploymentBlueprint,
  incidentBlueprint,
  pullRequestBlueprint,
} from './blueprints-delivery.ts';
import { devSandboxBlueprint, packageBlueprint, vulnerabilityBlueprint } from './blueprints-supply.ts';
import type { BlueprintBody } from './types.ts';

/**
 * In creation order: relations and mirrors only name earlier blueprints (or the blueprint itself). Aggregations look the
 * other way, from a service to what refers to it, so they must be added in a second pass once all blueprints exist.
 */
export const blueprints: BlueprintBody[] = [
  domainBlueprint,
  serviceBlueprint,
  environmentBlueprint,
  cloudResourceBlueprint,
  deploymentBlueprint,
  incidentBlueprint,
  pullRequestBlueprint,
  packageBlueprint,
  vulnerabilityBlueprint,
  devSandboxBlueprint,
];
