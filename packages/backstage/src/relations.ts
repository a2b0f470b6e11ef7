import { type FoundDocument, toReference } from './document.ts';
import type { Json } from './json.ts';
import { findKind, type ReferenceField, type RelationName } from './kinds.ts';
import type { Problem } from './problem.ts';
import { parseReference, printReference, type Reference } from './reference.ts';

/** One target of a relation. */
export interface Link {
  readonly relation: RelationName;
  readonly target: Reference;
}

/**
 * The relations of documents by their full references, in the order in which they are written. A link that two
 * documents state, such as `memberOf` and `members`, is there once.
 */
export function collectLinks(found: readonly FoundDocument[], problems: Problem[]): Map<string, Link[]> {
  const links = new Map<string, Map<string, Link>>();
  const add = (from: Reference, link: Link) => {
    // What a kind has no relation for stays in the document alone.
    if (!hasRelation(from.kind, link.relation)) return;
    const key = printReference(from);
    const own = links.get(key) ?? new Map<string, Link>();
    links.set(key, own);
    const name = `${link.relation} ${printReference(link.target)}`;
    if (!own.has(name)) own.set(name, link);
  };
  const reversed: (() => void)[] = [];
  for (const one of found) {
    const self = toReference(one.document);
    if (one.relations) {
      for (const link of linksOfRelations(self, one.relations)) add(self, link);
      continue;
    }
    for (const { field, target, written } of readFields(one, self)) {
      if (!target) problems.push(invalidReference(one, self, field, written));
      else if (field.isReversed) reversed.push(() => add(target, { relation: field.relation, target: self }));
      else add(self, { relation: field.relation, target });
    }
  }
  // What an entity says of itself comes before what others say of it.
  for (const run of reversed) run();
  return new Map([...links].map(([key, own]) => [key, [...own.values()]]));
}

interface ReadField {
  readonly field: ReferenceField;
  readonly target: Reference | undefined;
  readonly written: Json;
}

function readFields({ resolved }: FoundDocument, self: Reference): ReadField[] {
  const { spec } = resolved;
  return findKind(resolved.kind).references.flatMap((field): ReadField[] => {
    const value = spec?.[field.field];
    if (value === undefined || value === null || value === '') return [];
    const written = field.many && Array.isArray(value) ? (value as readonly Json[]) : [value];
    return written.map((one) => ({ field, written: one, target: readReference(one, field, self) }));
  });
}

function readReference(written: Json, field: ReferenceField, self: Reference): Reference | undefined {
  return parseReference(written, { kind: field.kind, namespace: self.namespace });
}

function invalidReference(
  { place }: FoundDocument,
  self: Reference,
  { field, kind }: ReferenceField,
  written: Json,
): Problem {
  const form = kind ? '[<kind>:][<namespace>/]<name>' : '<kind>:[<namespace>/]<name>';
  return {
    severity: 'warning',
    code: 'invalid_reference',
    message: `spec.${field} holds ${JSON.stringify(written)}, which is no reference. Write it as ${form}.`,
    item: printReference(self),
    place: { ...place, path: `/spec/${field}` },
  };
}

type Stated = NonNullable<FoundDocument['relations']>;

/** Relations of a running Backstage by their types; the other way round is stated at the other entity. */
function linksOfRelations(self: Reference, relations: Stated): Link[] {
  return relations.flatMap(({ type, targetRef }): Link[] => {
    const target = parseReference(targetRef);
    const relation = target && relationOf(type, self.kind.toLowerCase(), target.kind.toLowerCase());
    return target && relation ? [{ relation, target }] : [];
  });
}

function relationOf(type: string, from: string, to: string): RelationName | undefined {
  if (type === 'partOf') return to === from ? 'parent' : containers[to];
  return statedRelations[type];
}

const containers: Readonly<Record<string, RelationName>> = { system: 'system', domain: 'domain' };

const statedRelations: Readonly<Record<string, RelationName>> = {
  ownedBy: 'owner',
  providesApi: 'providesApis',
  consumesApi: 'consumesApis',
  dependsOn: 'dependsOn',
  memberOf: 'team',
  childOf: 'parent',
};

function hasRelation(kind: string, relation: RelationName): boolean {
  return findKind(kind).references.some((field) => field.relation === relation && !field.isReversed);
}
