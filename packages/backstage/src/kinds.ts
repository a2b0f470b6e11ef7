/** A field of `spec` that refers to entities. */
export interface ReferenceField {
  readonly field: string;
  /** The kind that a reference without one means; without it, each must name its kind. */
  readonly kind?: string;
  readonly many?: true;
  /** The relation that the field writes. */
  readonly relation: RelationName;
  /** The entity that is named has the relation, and this one is its target. */
  readonly isReversed?: true;
}

export type RelationName =
  | 'system'
  | 'domain'
  | 'parent'
  | 'providesApis'
  | 'consumesApis'
  | 'dependsOn'
  | 'team'
  | 'owner';

/** A value that a property copies from a document, and an export copies back. */
export interface ValueField {
  readonly property: string;
  readonly path: readonly string[];
  readonly type: 'text' | 'texts' | 'object' | 'objects';
}

interface Kind {
  readonly blueprint: string;
  readonly values: readonly ValueField[];
  readonly references: readonly ReferenceField[];
}

const owner: ReferenceField = { field: 'owner', kind: 'group', relation: 'owner' };
const system: ReferenceField = { field: 'system', kind: 'system', relation: 'system' };
const dependsOn: ReferenceField = { field: 'dependsOn', many: true, relation: 'dependsOn' };
const dependencyOf: ReferenceField = { field: 'dependencyOf', many: true, relation: 'dependsOn', isReversed: true };

function value(property: string, path: string, type: ValueField['type'] = 'text'): ValueField {
  return { property, path: path.split('.'), type };
}
const type = value('type', 'spec.type');
const lifecycle = value('lifecycle', 'spec.lifecycle');

/** Properties of every blueprint that documents are mapped to. */
export const commonValues: readonly ValueField[] = [
  value('description', 'metadata.description'),
  value('tags', 'metadata.tags', 'texts'),
  value('labels', 'metadata.labels', 'object'),
  value('annotations', 'metadata.annotations', 'object'),
];

/** Kinds with a place of their own in the catalog, by their name in small letters. */
const kinds: Readonly<Record<string, Kind>> = {
  component: {
    blueprint: 'component',
    values: [type, lifecycle],
    references: [
      owner,
      system,
      { field: 'subcomponentOf', kind: 'component', relation: 'parent' },
      { field: 'providesApis', kind: 'api', many: true, relation: 'providesApis' },
      { field: 'consumesApis', kind: 'api', many: true, relation: 'consumesApis' },
      dependsOn,
      dependencyOf,
    ],
  },
  api: {
    blueprint: 'api',
    values: [type, lifecycle, value('definition', 'spec.definition'), value('remotes', 'spec.remotes', 'objects')],
    references: [owner, system],
  },
  resource: { blueprint: 'resource', values: [type], references: [owner, system, dependsOn, dependencyOf] },
  system: {
    blueprint: 'system',
    values: [type],
    references: [owner, { field: 'domain', kind: 'domain', relation: 'domain' }],
  },
  domain: {
    blueprint: 'domain',
    values: [type],
    references: [owner, { field: 'subdomainOf', kind: 'domain', relation: 'parent' }],
  },
  group: {
    blueprint: '_team',
    values: [type, value('email', 'spec.profile.email'), value('picture', 'spec.profile.picture')],
    references: [
      { field: 'parent', kind: 'group', relation: 'parent' },
      { field: 'children', kind: 'group', many: true, relation: 'parent', isReversed: true },
      { field: 'members', kind: 'user', many: true, relation: 'team', isReversed: true },
    ],
  },
  user: {
    blueprint: 'person',
    values: [value('picture', 'spec.profile.picture')],
    references: [{ field: 'memberOf', kind: 'group', many: true, relation: 'team' }],
  },
  location: {
    blueprint: 'backstageLocation',
    values: [
      type,
      value('target', 'spec.target'),
      value('targets', 'spec.targets', 'texts'),
      value('presence', 'spec.presence'),
    ],
    references: [],
  },
  template: {
    blueprint: 'backstageTemplate',
    values: [type, value('steps', 'spec.steps', 'objects')],
    references: [owner],
  },
};

/** How a kind is mapped; one that is not known keeps its whole `spec` as one value. */
export function findKind(name: string): Kind {
  const known = Object.hasOwn(kinds, name.toLowerCase()) ? kinds[name.toLowerCase()] : undefined;
  return known ?? { blueprint: toBlueprint(name), values: [value('spec', 'spec', 'object')], references: [owner] };
}

/** `AIResource` and `AiResource` become `aiResource`; a kind called `Person` is not the person that a user is. */
function toBlueprint(name: string): string {
  const blueprint = name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
  const isTaken = Object.values(kinds).some((kind) => kind.blueprint === blueprint);
  return isTaken ? `backstage${name.charAt(0).toUpperCase()}${name.slice(1)}Kind` : blueprint;
}

/** Blueprints of users with an address; a user without one is a `person`, who cannot sign in. */
export const userBlueprint = '_user';
