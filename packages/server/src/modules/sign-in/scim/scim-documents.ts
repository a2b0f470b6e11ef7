const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const base = 'urn:ietf:params:scim:schemas:core:2.0';

/** Capabilities, for clients that ask (RFC 7643 §5). */
export function serviceProviderConfig(address: string) {
  const unsupported = { supported: false };
  return {
    schemas: [`${base}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: unsupported,
    sort: unsupported,
    etag: unsupported,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: "An access token or API token of the organization's credentials with the role Admin",
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${address}/ServiceProviderConfig` },
  };
}

export function resourceTypes(address: string) {
  const type = (id: string, endpoint: string, schema: string, description: string) => ({
    schemas: [`${base}:ResourceType`],
    id,
    name: id,
    endpoint,
    description,
    schema,
    meta: { resourceType: 'ResourceType', location: `${address}/ResourceTypes/${id}` },
  });
  return [
    type('User', '/Users', user, 'People of the organization'),
    type('Group', '/Groups', group, 'Teams of the organization'),
  ];
}

interface Attribute {
  readonly name: string;
  readonly type?: string;
  readonly required?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly uniqueness?: 'server';
  readonly multiValued?: true;
  readonly subAttributes?: readonly object[];
}

function attribute({ name, type = 'string', required, mutability, uniqueness, multiValued, subAttributes }: Attribute) {
  return {
    name,
    type,
    multiValued: multiValued ?? false,
    required: required ?? false,
    caseExact: name === 'externalId',
    mutability: mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: uniqueness ?? 'none',
    ...(subAttributes ? { subAttributes } : {}),
  };
}

export function schemas(address: string) {
  const schema = (id: string, name: string, attributes: readonly object[]) => ({
    schemas: [`${base}:Schema`],
    id,
    name,
    attributes,
    meta: { resourceType: 'Schema', location: `${address}/Schemas/${id}` },
  });
  const references = (name: string, mutability?: 'readOnly') =>
    attribute({
      name,
      type: 'complex',
      multiValued: true,
      ...(mutability ? { mutability } : {}),
      subAttributes: ['value', 'display', '$ref', 'type'].map((each) => attribute({ name: each })),
    });
  return [
    schema(user, 'User', [
      attribute({ name: 'userName', required: true, uniqueness: 'server', mutability: 'immutable' }),
      attribute({ name: 'externalId', uniqueness: 'server' }),
      attribute({
        name: 'name',
        type: 'complex',
        subAttributes: ['givenName', 'familyName', 'formatted'].map((name) => attribute({ name })),
      }),
      attribute({ name: 'displayName' }),
      attribute({ name: 'active', type: 'boolean' }),
      attribute({
        name: 'emails',
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: [attribute({ name: 'value' }), attribute({ name: 'primary', type: 'boolean' })],
      }),
      references('groups', 'readOnly'),
    ]),
    schema(group, 'Group', [
      attribute({ name: 'displayName', required: true, uniqueness: 'server' }),
      attribute({ name: 'externalId', uniqueness: 'server' }),
      references('members'),
    ]),
  ];
}
