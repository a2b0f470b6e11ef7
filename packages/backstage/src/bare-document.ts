import type { Document } from './document.ts';
import type { ExportedEntity } from './exported-entity.ts';
import type { JsonObject } from './json.ts';
import { defaultNamespace, fromIdentifier } from './reference.ts';

interface Bare {
  readonly kind: string;
  readonly spec: JsonObject;
}

/** What Backstage asks for; the values of the entity come on top. */
const bare: Readonly<Record<string, Bare>> = {
  component: { kind: 'Component', spec: { type: 'other', lifecycle: 'unknown', owner: 'unknown' } },
  api: { kind: 'API', spec: { type: 'other', lifecycle: 'unknown', owner: 'unknown', definition: '' } },
  resource: { kind: 'Resource', spec: { type: 'other', owner: 'unknown' } },
  system: { kind: 'System', spec: { owner: 'unknown' } },
  domain: { kind: 'Domain', spec: { owner: 'unknown' } },
  _team: { kind: 'Group', spec: { type: 'team', children: [] } },
  _user: { kind: 'User', spec: { memberOf: [] } },
  person: { kind: 'User', spec: { memberOf: [] } },
  backstageLocation: { kind: 'Location', spec: {} },
  backstageTemplate: { kind: 'Template', spec: { type: 'other', steps: [] } },
};

/** Blueprints whose entities are written for Backstage, whether they came from there or not. */
export const exportedBlueprints: readonly string[] = Object.keys(bare);

/** The smallest document for an entity that was made here. */
export function bareDocument({ blueprint, identifier }: ExportedEntity): Document {
  const { kind, spec } = bare[blueprint] ?? { kind: toKind(blueprint), spec: {} };
  const isUser = blueprint === '_user';
  const { namespace, name } = fromIdentifier(kind, isUser ? (identifier.split('@')[0] ?? identifier) : identifier);
  return {
    apiVersion: kind === 'Template' ? 'scaffolder.backstage.io/v1beta3' : 'backstage.io/v1alpha1',
    kind,
    metadata: { ...(namespace === defaultNamespace ? {} : { namespace }), name: toName(name) },
    spec: isUser ? { ...spec, profile: { email: identifier } } : spec,
  };
}

function toKind(blueprint: string): string {
  const letters = blueprint.replace(/[^A-Za-z0-9]/g, '');
  return `${letters.charAt(0).toUpperCase()}${letters.slice(1)}`;
}

/** A name that Backstage takes. */
function toName(identifier: string): string {
  const name = identifier.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  return name.slice(0, 63).replace(/[^A-Za-z0-9]+$/, '') || 'unnamed';
}
