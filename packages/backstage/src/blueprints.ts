import type { JsonObject } from './json.ts';

/** A blueprint as `POST /v1/blueprints` takes it; one of the platform is extended by what is listed. */
export interface BlueprintDefinition {
  readonly identifier: string;
  readonly title: string;
  readonly icon?: string;
  readonly schema: { readonly properties: Readonly<Record<string, JsonObject>>; readonly required: readonly string[] };
  readonly relations: Readonly<Record<string, JsonObject>>;
  readonly ownership?: { readonly type: 'Direct' };
}

const text = (title: string, more: JsonObject = {}): JsonObject => ({ type: 'string', title, ...more });
const object = (title: string, more: JsonObject = {}): JsonObject => ({ type: 'object', title, ...more });
const list = (title: string, items: JsonObject): JsonObject => ({ type: 'array', title, items });
const url = (title: string): JsonObject => text(title, { format: 'url' });
const one = (title: string, target: string): JsonObject => ({ title, target, required: false, many: false });
const many = (title: string, target: string): JsonObject => ({ title, target, required: false, many: true });

const reference = {
  ref: text('Reference', { description: 'The full reference in Backstage' }),
  namespace: text('Namespace'),
  kind: text('Kind'),
};
const metadata = {
  tags: list('Tags', { type: 'string' }),
  labels: object('Labels'),
  annotations: object('Annotations'),
  links: list('Links', { type: 'object', format: 'labeled-url' }),
  sourceUrl: url('Source'),
  viewUrl: url('View'),
  editUrl: url('Edit'),
  codeowner: text('Owner by CODEOWNERS', { description: 'Who owns the file, where the document names no owner' }),
  unresolvedReferences: list('References without a target', { type: 'string' }),
  backstage: object('Backstage document', {
    description: 'The document as its author wrote it, for the export back',
    hidden: true,
  }),
};
const description = text('Description', { format: 'markdown' });
const common = { ...reference, description, ...metadata };
const ownerRef = text('Owning user', { description: 'The user of Backstage who owns it, if no group does' });

const type = text('Type');
const lifecycle = text('Lifecycle', {
  enumColors: { production: 'green', experimental: 'yellow', deprecated: 'red' },
});
const dependsOnOther = list('Depends on (other)', { type: 'string' });

const ownerUser = one('Owning user', '_user');
const system = one('System', 'system');
const dependencies = {
  dependsOnComponents: many('Depends on components', 'component'),
  dependsOnResources: many('Depends on resources', 'resource'),
};

/** A blueprint whose entities have owners. */
function owned(
  identifier: string,
  title: string,
  icon: string,
  properties: Readonly<Record<string, JsonObject>>,
  relations: Readonly<Record<string, JsonObject>> = {},
): BlueprintDefinition {
  return {
    identifier,
    title,
    icon,
    schema: { properties: { ...common, ownerRef, ...properties }, required: [] },
    relations: { ownerUser, ...relations },
    ownership: { type: 'Direct' },
  };
}

const definitions: readonly BlueprintDefinition[] = [
  {
    identifier: '_team',
    title: 'Team',
    schema: {
      properties: { ...reference, ...metadata, type, email: text('Email'), picture: text('Picture') },
      required: [],
    },
    relations: { parent: one('Parent team', '_team') },
  },
  {
    identifier: '_user',
    title: 'User',
    schema: { properties: { ...common, picture: text('Picture') }, required: [] },
    relations: {},
  },
  {
    identifier: 'person',
    title: 'Person',
    icon: 'User',
    schema: {
      properties: { ...common, picture: text('Picture'), groups: list('Groups', { type: 'string' }) },
      required: [],
    },
    relations: {},
  },
  owned('domain', 'Domain', 'Cluster', { type }, { parent: one('Parent domain', 'domain') }),
  owned('system', 'System', 'DeployedAt', { type }, { domain: one('Domain', 'domain') }),
  owned(
    'api',
    'API',
    'Swagger',
    {
      type,
      lifecycle,
      definition: text('Definition'),
      openapi: object('OpenAPI', { spec: 'open-api' }),
      asyncapi: object('AsyncAPI', { spec: 'async-api' }),
      remotes: list('Remotes', { type: 'object' }),
    },
    { system },
  ),
  owned(
    'component',
    'Component',
    'Microservice',
    { type, lifecycle, language: text('Language'), dependsOnOther },
    {
      system,
      parent: one('Part of', 'component'),
      providesApis: many('Provides APIs', 'api'),
      consumesApis: many('Consumes APIs', 'api'),
      ...dependencies,
    },
  ),
  owned('resource', 'Resource', 'Cloud', { type, dependsOnOther }, { system, ...dependencies }),
  {
    identifier: 'backstageLocation',
    title: 'Backstage location',
    icon: 'Link',
    schema: {
      properties: {
        ...common,
        type,
        target: text('Target'),
        targets: list('Targets', { type: 'string' }),
        presence: text('Presence'),
      },
      required: [],
    },
    relations: {},
  },
  owned('backstageTemplate', 'Backstage template', 'Template', {
    type,
    parameters: list('Parameters', { type: 'object' }),
    steps: list('Steps', { type: 'object' }),
  }),
];

/** The blueprints that entities of these blueprints need: themselves, and the targets of their relations. */
export function blueprintsFor(identifiers: Iterable<string>): readonly BlueprintDefinition[] {
  const wanted = new Set<string>();
  const want = (identifier: string): void => {
    if (wanted.has(identifier)) return;
    wanted.add(identifier);
    const { relations } = definitions.find((one) => one.identifier === identifier) ?? unknown(identifier);
    for (const { target } of Object.values(relations)) want(String(target));
  };
  for (const identifier of identifiers) want(identifier);
  const known = new Set(definitions.map(({ identifier }) => identifier));
  const others = [...wanted].filter((identifier) => !known.has(identifier));
  return [...definitions.filter(({ identifier }) => wanted.has(identifier)), ...others.map(unknown)];
}

/** For a kind that is not known. */
function unknown(identifier: string): BlueprintDefinition {
  const words = identifier.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return owned(identifier, title.slice(0, 100), 'DefaultBlueprint', { spec: object('Spec') });
}
