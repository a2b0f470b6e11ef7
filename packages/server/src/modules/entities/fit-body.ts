import type { EntityBody } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { followsMapping } from '../../platform/client-kind.ts';
import { blueprintProperties, listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import type { Properties } from '../entity-rows/index.ts';
import { convertValue } from './convert-value.ts';

type Body = EntityBody & { readonly identifier: string };

export interface FittedBody {
  readonly body: Body;
  /** For the `Warning` header; none contains a value. */
  readonly warnings: readonly string[];
  /** Dropped unknown properties with their values. */
  readonly unknown: Properties;
}

/**
 * Fits a body to the blueprint (decision 0071). Unknown properties are dropped for clients with a mapping, unless the
 * blueprint says otherwise; texts and numbers are converted into each other for clients with a mapping. What remains
 * wrong is refused later. Relations are never dropped.
 */
export function fitBody(actor: Actor, blueprint: StoredBlueprint, body: Body): FittedBody {
  const { unknownProperties = 'by-client' } = blueprint.definition;
  const isMapped = followsMapping(actor);
  const drops = unknownProperties === 'by-client' ? isMapped : unknownProperties === 'lenient';
  if (!body.properties || (!drops && !isMapped)) return { body, warnings: [], unknown: {} };
  const definitions = blueprintProperties(blueprint);
  const properties: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(body.properties)) {
    const definition = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
    if (definition) {
      const converted = isMapped ? convertValue(definition, value) : undefined;
      properties[key] = converted ? converted.value : value;
      if (converted) warnings.push(`"${key}" of "${blueprint.identifier}" ${converted.what}`);
    } else if (!drops) properties[key] = value;
    else if (listDerivedKeys(blueprint).includes(key)) {
      warnings.push(`"${key}" of "${blueprint.identifier}" is computed by the platform; its value was dropped`);
    } else {
      unknown[key] = value;
      warnings.push(droppedWarning(blueprint, key));
    }
  }
  return { body: warnings.length === 0 ? body : { ...body, properties }, warnings, unknown };
}

/** The warning for the author, in the answer and the integration's log. */
export function droppedWarning({ identifier }: Pick<StoredBlueprint, 'identifier'>, key: string): string {
  return `"${key}" is not a property of "${identifier}"; its value was dropped. Add the property, or take it out of the mapping`;
}
