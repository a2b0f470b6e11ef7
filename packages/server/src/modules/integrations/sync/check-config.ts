import { toRecord } from '@portolan/contract/json-value';
import { type MappedResource, mappingExpressions, mappingsOfResource } from '@portolan/jq';
import { checkStoredJq, type StoredJq } from '../../../platform/check-stored-jq.ts';

/**
 * Warns of expressions in a mapping that will fail. The document belongs to the integration, so anything that does not
 * look like a mapping is ignored.
 */
export function warnOfConfig(config: unknown): readonly string[] {
  const { resources } = toRecord(config);
  return checkStoredJq(
    toList(resources).flatMap((resource, index) => listExpressions(resource, `/config/resources/${index}`)),
  ).warnings;
}

function listExpressions(resource: unknown, at: string): StoredJq[] {
  const port = toRecord(toRecord(resource)['port']);
  const { mappings } = toRecord(port['entity']);
  if (!toList(mappings).every((each) => typeof each === 'object' && each !== null)) return [];
  if (mappings === undefined) return [];
  return mappingsOfResource(resource as MappedResource).flatMap(({ mapping, placeOf }) =>
    mappingExpressions(mapping).map(({ path, expression }) => ({
      use: 'mapping' as const,
      path: [at, ...placeOf(path)].join('/'),
      expression,
    })),
  );
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
