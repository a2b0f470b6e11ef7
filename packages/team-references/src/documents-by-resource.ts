import type { JsonObject, OrganizationDocuments, Resource, ResourceKind } from './documents.ts';
import { objectAt, toText } from './reference-context.ts';

/** A key that is unique among all documents of an organization. */
export function resourceKey({ kind, identifier, blueprint = '' }: Omit<Resource, 'title'>): string {
  return JSON.stringify([kind, blueprint, identifier]);
}

/** Every document of an organization by its `resourceKey`; pointers of items refer to these. */
export function documentsByResource(documents: OrganizationDocuments): Map<string, JsonObject> {
  const all = new Map<string, JsonObject>();
  const add = (kind: ResourceKind, document: JsonObject | null, named = document) => {
    if (document && named) all.set(resourceKey(toResource(kind, named)), document);
  };
  for (const { blueprint, permissions } of documents.blueprints) {
    add('blueprint', blueprint);
    add('blueprint-permissions', permissions, blueprint);
  }
  for (const { action, permissions } of documents.actions) {
    add(kindOfAction(action), action);
    add('action-permissions', permissions, action);
  }
  for (const { page, permissions } of documents.pages) {
    add('page', page);
    add('page-permissions', permissions, page);
  }
  for (const each of documents.integrations) add('integration', each);
  for (const each of documents.webhooks) add('webhook', each);
  for (const each of documents.scorecards) add('scorecard', each);
  for (const each of documents.agents) add('agent', each);
  for (const each of documents.destinations ?? []) add('destination', each);
  return all;
}

export function kindOfAction(action: JsonObject): 'action' | 'automation' {
  return objectAt(action, 'trigger')['type'] === 'automation' ? 'automation' : 'action';
}

export function toResource(kind: ResourceKind, document: JsonObject): Resource {
  const identifier = toText(document['identifier']) || toText(document['installationId']) || toText(document['id']);
  const blueprint = kind === 'scorecard' ? toText(document['blueprint']) : '';
  return {
    kind,
    identifier,
    title: toText(document['title']) || identifier,
    ...(blueprint === '' ? {} : { blueprint }),
  };
}
