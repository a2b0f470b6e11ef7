import { type BlueprintDefinition, blueprintsFor } from './blueprints.ts';

/** Item kinds that are known, with the blueprint that each is mapped to. */
const blueprintByKind: Readonly<Record<string, string>> = {
  group: '_team',
  user: '_user',
  person: 'person',
  domain: 'domain',
  system: 'system',
  api: 'api',
  resource: 'resource',
  component: 'component',
  location: 'backstageLocation',
  template: 'backstageTemplate',
};

/** Properties that the platform has on every team and that documents fill as well. */
const ownProperties: Readonly<Record<string, readonly string[]>> = { _team: ['description'] };

/**
 * Resources of a mapping that write drafts as they are, one expression for each value, so that people can change each
 * where their model is another one.
 */
export const defaultMapping: readonly Readonly<Record<string, unknown>>[] = Object.entries(blueprintByKind).map(
  ([kind, blueprint]) => {
    const definition = blueprintsFor([blueprint]).find(({ identifier }) => identifier === blueprint);
    if (!definition) throw new Error(`There is no blueprint ${blueprint}`);
    return { kind, selector: { query: 'true' }, port: { entity: { mappings: mappingsFor(definition) } } };
  },
);

function mappingsFor({ identifier, schema, relations, ownership }: BlueprintDefinition): object {
  const properties = [...Object.keys(schema.properties), ...(ownProperties[identifier] ?? [])];
  const hasTeam = ownership !== undefined || identifier === '_user';
  return {
    identifier: '.identifier',
    title: '.title',
    blueprint: JSON.stringify(identifier),
    ...(hasTeam ? { team: '.team' } : {}),
    properties: Object.fromEntries(properties.map((key) => [key, `.properties.${key}`])),
    relations: Object.fromEntries(Object.keys(relations).map((key) => [key, `.relations.${key}`])),
  };
}

/** The blueprints that the default mapping writes to. */
export const defaultBlueprints: readonly BlueprintDefinition[] = blueprintsFor(Object.values(blueprintByKind));
