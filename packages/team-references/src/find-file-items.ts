import { collectorOf } from './collect.ts';
import type { JsonObject, OrganizationDocuments } from './documents.ts';
import { isObject } from './json-pointer.ts';
import type { ManualItem } from './plan.ts';
import { findNames } from './walk/find-names.ts';
import { walkResources } from './walk/walk-sources.ts';
import { listAt, textOf, type WorldOptions, worldOf } from './world.ts';

/**
 * What a file of a mapping (`resources`), or of an entity (`identifier`, `blueprint` and `team`), writes as teams. With an
 * organization that knows no teams, titles cannot be told from identifiers, and texts are for review.
 */
export function findFileItems(
  file: string,
  document: JsonObject,
  organization: OrganizationDocuments,
  options: WorldOptions = {},
): ManualItem[] {
  const items: ManualItem[] = [];
  const resource = { kind: 'file', identifier: file, title: file } as const;
  const collector = collectorOf(worldOf(organization, options), resource, document, items);
  if (listAt(document, 'resources').some(isObject)) walkResources(collector, [], document);
  else if ('team' in document && textOf(document['identifier']) !== '' && textOf(document['blueprint']) !== '') {
    const where = { area: 'file-mapping' } as const;
    collector.add(where, ['team'], document['team']!, findNames(document['team'], collector.world, true));
  }
  return items;
}
