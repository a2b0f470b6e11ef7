import type { EntityBody } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import { followsMapping } from '../../platform/client-kind.ts';
import { derivedKeysOf, propertiesOf, type StoredBlueprint } from '../blueprints/index.ts';
import type { Properties } from '../entity-rows/index.ts';
import { convertValue } from './convert-value.ts';

type Body = EntityBody & { readonly identifier: string };

export interface FittedBody {
  readonly body: Body;
  /** Sentences for the `Warning` header; none names a value. */
  readonly warnings: readonly string[];
  /** What was dropped because the blueprint does not have it, with the values. */
  readonly unknown: Properties;
}

/**
 * A body as the blueprint can take it (decision 0071). What the blueprint has no place for is dropped for clients that
 * follow a mapping, or for everybody or nobody where the blueprint says so; texts that are numbers, and the reverse, are
 * converted for clients that follow a mapping. What stays wrong is refused later. Relations are never dropped.
 */
export function fitBody(actor: Actor, blueprint: StoredBlueprint, body: Body): FittedBody {
  const { unknownProperties = 'by-client' } = blueprint.definition;
  const isMapped = followsMapping(actor);
  const drops = unknownProperties === 'by-client' ? isMapped : unknownProperties === 'lenient';
  if (!body.properties || (!drops && !isMapped)) return { body, warnings: [], unknown: {} };
  const definitions = propertiesOf(blueprint);
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
    else if (derivedKeysOf(blueprint).includes(key)) {
      warnings.push(`"${key}" of "${blueprint.identifier}" is computed by the platform; its value was dropped`);
    } else {
      unknown[key] = value;
      warnings.push(droppedWarning(blueprint, key));
    }
  }
  return { body: warnings.length === 0 ? body : { ...body, properties }, warnings, unknown };
}

/** What the author of a value is told, in the answer and in the log of the integration. */
export function droppedWarning({ identifier }: Pick<StoredBlueprint, 'identifier'>, key: string): string {
  return `"${key}" is not a property of "${identifier}"; its value was dropped. Add the property, or take it out of the mapping`;
}
