import { join } from 'node:path';
import { type BlueprintBody, blueprintBody } from '@portolan/contract/blueprints';
import { isRecord } from '@portolan/contract/json-value';
import { describe, expect, test } from 'vitest';
import type { StoredBlueprint } from '../src/modules/blueprints/index.ts';
import { readPackFiles } from '../src/modules/packs/read-pack-files.ts';
import { planBlueprints } from '../src/modules/sources/installs/plan-install.ts';
import { nativeSourceTypes } from '../src/modules/sources/native-source-types.ts';

const models = [...readPackFiles(join(import.meta.dirname, '../data/packs')).values()].flatMap(({ blueprints }) =>
  blueprints.map((each) => blueprintBody.parse(each) as BlueprintBody),
);

/** What resources of a mapping write, by blueprint: paths into an entity. */
function writtenBy(resources: readonly Readonly<Record<string, unknown>>[]): Map<string, Set<string>> {
  const written = new Map<string, Set<string>>();
  for (const resource of resources) {
    const { mappings } = (resource as { port: { entity: { mappings: Readonly<Record<string, unknown>> } } }).port
      .entity;
    const name = String(mappings['blueprint']).replaceAll('"', '');
    const paths = written.get(name) ?? new Set();
    for (const part of ['properties', 'relations']) {
      const values = mappings[part];
      if (isRecord(values)) for (const key of Object.keys(values)) paths.add(`${part}/${key}`);
    }
    written.set(name, paths);
  }
  return written;
}

const lacking = ({ schema, relations = {} }: BlueprintBody, paths: Iterable<string>): string[] =>
  [...paths].filter((path) => {
    const [part, key = ''] = path.split('/');
    return !Object.hasOwn(part === 'properties' ? schema.properties : relations, key);
  });

/** Asks for all that is optional. */
const everything = { pullRequests: true, pipelineRuns: true, releases: true };

/** A model that is installed first is extended by what the source brings, and nothing that it writes is lost. */
describe.each(nativeSourceTypes)('a source "$type"', (type) => {
  const optional = type.optionalParts?.(everything) ?? { blueprints: [], mapping: [] };
  const written = writtenBy([...type.defaultMapping, ...(type.modelMapping?.resources ?? []), ...optional.mapping]);
  const own = [...type.blueprints, ...optional.blueprints].map((each) => blueprintBody.parse(each) as BlueprintBody);

  test('means the same as starter models by what has the same name', () => {
    const stored = models.map(
      (definition) => ({ identifier: definition.identifier, definition }) as unknown as StoredBlueprint,
    );
    expect(planBlueprints(own, stored, new Set()).conflicts).toEqual([]);
  });

  test('writes what its own blueprints or a starter model have', () => {
    const found = [...written].flatMap(([name, paths]) => {
      const definition = [...own, ...models].find(({ identifier }) => identifier === name);
      // of people and teams the platform has more than what a source adds
      return definition && !name.startsWith('_') ? lacking(definition, paths).map((path) => `${name} ${path}`) : [];
    });
    expect(found).toEqual([]);
  });
});
