import type { ScimGroupRow, ScimUserRow } from './scim.store.ts';

export function presentScimUser(user: ScimUserRow, address: string) {
  const { key, identifier, title, firstName, lastName, externalId, status, groups } = user;
  const name = {
    ...(firstName === null ? {} : { givenName: firstName }),
    ...(lastName === null ? {} : { familyName: lastName }),
    ...(title === null ? {} : { formatted: title }),
  };
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: key,
    ...(externalId === null ? {} : { externalId }),
    userName: identifier,
    name,
    ...(title === null ? {} : { displayName: title }),
    emails: [{ value: identifier, type: 'work', primary: true }],
    active: status !== 'Disabled',
    groups: groups.map((group) => ({ ...group, $ref: `${address}/Groups/${group.value}`, type: 'direct' })),
    meta: meta('User', `${address}/Users/${key}`, user),
  };
}

export function presentScimGroup(group: ScimGroupRow, address: string) {
  const { key, name, externalId, members } = group;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: key,
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    members: members
      .filter(({ isPerson }) => isPerson)
      .map(({ value, display, email }) => ({
        value,
        display: display ?? email,
        $ref: `${address}/Users/${value}`,
        type: 'User',
      })),
    meta: meta('Group', `${address}/Groups/${key}`, group),
  };
}

function meta(resourceType: string, location: string, row: { readonly createdAt: Date; readonly updatedAt: Date }) {
  const { createdAt, updatedAt } = row;
  return { resourceType, created: createdAt.toISOString(), lastModified: updatedAt.toISOString(), location };
}

/** A resource with the requested attributes; always `schemas`, `id` and `meta`. */
export function selected<Resource extends object>(
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
): object {
  const named = toAttributeNames(query['attributes']);
  const excluded = toAttributeNames(query['excludedAttributes']);
  if (named.length === 0 && excluded.length === 0) return resource;
  const isShown = (name: string): boolean =>
    ['schemas', 'id', 'meta'].includes(name) ||
    (named.length > 0 ? named.some((each) => each.split('.')[0] === name) : !excluded.includes(name));
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name.toLowerCase())));
}

function toAttributeNames(value: unknown): string[] {
  const texts = [value ?? []].flat().flatMap((each) => String(each).split(','));
  return texts
    .map((each) =>
      each
        .trim()
        .replace(/^urn:.*:/i, '')
        .toLowerCase(),
    )
    .filter(Boolean);
}

export function listResponse(resources: readonly object[], total: number, startIndex: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
