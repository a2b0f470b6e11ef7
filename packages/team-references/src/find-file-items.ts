import { createCollector } from './collect.ts';
import type { Json, JsonObject, OrganizationDocuments } from './documents.ts';
import { isObject } from './json-pointer.ts';
import type { ManualItem } from './plan.ts';
import { listAt, type ReferenceOptions, referenceContext, toText } from './reference-context.ts';
import { findWrittenNames } from './walk/find-names.ts';
import { walkResources } from './walk/walk-sources.ts';
import { walkWorkflow } from './walk/walk-workflow.ts';

/**
 * Finds what a file writes as teams: in a mapping (`resources`), an entity (`identifier`, `blueprint` and `team`) or a
 * list of them, and in workflow steps that write entities. Without known teams, titles and identifiers cannot be
 * distinguished, so texts need a review.
 */
export function findFileItems(
  file: string,
  document: Json,
  organization: OrganizationDocuments,
  options: ReferenceOptions = {},
): ManualItem[] {
  const items: ManualItem[] = [];
  const resource = { kind: 'file', identifier: file, title: file } as const;
  const collector = createCollector(referenceContext(organization, options), resource, document, items);
  const walk = (at: readonly number[], part: Json): void => {
    if (Array.isArray(part)) for (const [index, each] of part.entries()) walk([...at, index], each);
    else if (isEntity(part)) {
      const finding = findWrittenNames(part['team'], collector.world);
      collector.add({ area: 'file-mapping' }, [...at, 'team'], part['team']!, finding);
    }
  };
  if (!isObject(document)) walk([], document);
  else if (listAt(document, 'resources').some(isObject)) walkResources(collector, [], document);
  else if ('jobs' in document || 'runs' in document) walkWorkflow(collector, document);
  else walk([], document);
  return items;
}

const isEntity = (part: Json): part is JsonObject =>
  isObject(part) && 'team' in part && toText(part['identifier']) !== '' && toText(part['blueprint']) !== '';
