import { isObject } from './json.ts';

/** Names an entity of Backstage; as written, so with the case of its author. */
export interface Reference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const defaultNamespace = 'default';

interface Context {
  /** The kind that a reference without one means; without it, every reference must name its kind. */
  readonly kind?: string | undefined;
  /** The namespace of the entity that refers. */
  readonly namespace?: string | undefined;
}

/** Reads `[<kind>:][<namespace>/]<name>` or `{kind, namespace, name}`; undefined if that is no reference here. */
export function parseReference(written: unknown, context: Context = {}): Reference | undefined {
  const parts = typeof written === 'string' ? splitReference(written) : isObject(written) ? written : undefined;
  if (!parts) return undefined;
  const kind = parts['kind'] ?? context.kind;
  const namespace = parts['namespace'] ?? (context.namespace || defaultNamespace);
  const { name } = parts;
  return isName(kind) && isName(namespace) && isName(name) ? { kind, namespace, name } : undefined;
}

/** A colon after the first slash belongs to the name. */
function splitReference(text: string): Readonly<Record<string, string | undefined>> {
  const slash = text.indexOf('/');
  const firstColon = text.indexOf(':');
  const colon = slash !== -1 && slash < firstColon ? -1 : firstColon;
  return {
    kind: colon === -1 ? undefined : text.slice(0, colon),
    namespace: slash === -1 ? undefined : text.slice(colon + 1, slash),
    name: text.slice(Math.max(colon, slash) + 1),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The full reference in small letters: two that name the same entity are the same text. */
export function printReference({ kind, namespace, name }: Reference): string {
  return `${kind}:${namespace}/${name}`.toLowerCase();
}

/** The shortest text that means the same in this context. */
export function shortReference(reference: Reference, context: Context): string {
  const { kind, namespace, name } = reference;
  const isHome = namespace.toLowerCase() === (context.namespace || defaultNamespace).toLowerCase();
  const place = isHome && !name.includes('/') ? name : `${namespace}/${name}`;
  return kind.toLowerCase() === context.kind?.toLowerCase() && !place.split('/')[0]?.includes(':')
    ? place
    : `${kind.toLowerCase()}:${place}`;
}

/** The identifier of the entity in the catalog. Names of teams may hold no slash. */
export function toIdentifier({ kind, namespace, name }: Reference): string {
  const separator = kind.toLowerCase() === 'group' ? '.' : '/';
  const place = namespace.toLowerCase() === defaultNamespace ? '' : `${namespace}${separator}`;
  return `${place}${name}`.toLowerCase();
}

/** The reference that an identifier of the catalog stands for. */
export function fromIdentifier(kind: string, identifier: string): Reference {
  const at = kind.toLowerCase() === 'group' ? -1 : identifier.indexOf('/');
  return at === -1
    ? { kind, namespace: defaultNamespace, name: identifier }
    : { kind, namespace: identifier.slice(0, at), name: identifier.slice(at + 1) };
}
