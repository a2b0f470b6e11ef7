import type { Document } from './document.ts';
import { toReference } from './document.ts';
import type { ExportedEntity } from './exported-entity.ts';
import { type Json, type JsonObject, withValueAt } from './json.ts';
import { findKind, type ReferenceField } from './kinds.ts';
import type { Draft } from './map-documents.ts';
import { fromIdentifier, parseReference, printReference, type Reference, shortReference } from './reference.ts';

/** An entity on its way back: what it is now, what its document says, and the document with its changes. */
export interface Edited {
  readonly entity: ExportedEntity;
  readonly draft: Draft;
  /** Made here: its document says what Backstage asks for, not what somebody wrote. */
  readonly isNew: boolean;
  document: Document;
}

/** The relation of the catalog, the field that states it, and what its identifiers name. */
interface Link {
  readonly relation: string;
  readonly field: string;
  readonly blueprint: string;
  readonly kind: string;
}

const links: readonly Link[] = [
  { relation: 'system', field: 'system', blueprint: 'system', kind: 'system' },
  { relation: 'domain', field: 'domain', blueprint: 'domain', kind: 'domain' },
  { relation: 'providesApis', field: 'providesApis', blueprint: 'api', kind: 'api' },
  { relation: 'consumesApis', field: 'consumesApis', blueprint: 'api', kind: 'api' },
  { relation: 'dependsOnComponents', field: 'dependsOn', blueprint: 'component', kind: 'component' },
  { relation: 'dependsOnResources', field: 'dependsOn', blueprint: 'resource', kind: 'resource' },
];
const parents: Readonly<Record<string, Omit<Link, 'relation' | 'kind'>>> = {
  component: { field: 'subcomponentOf', blueprint: 'component' },
  domain: { field: 'subdomainOf', blueprint: 'domain' },
  group: { field: 'parent', blueprint: '_team' },
};

function linksOf(kind: string): readonly Link[] {
  const parent = parents[kind];
  return [...links, ...(parent ? [{ relation: 'parent', kind, ...parent }] : [])];
}

/**
 * Writes what has changed in relations and ownership since the documents were read. A link that is gone is taken out
 * where it is stated, which may be the other document; one to what is not exported stays as it is.
 */
export function applyRelations(
  edited: ReadonlyMap<string, Edited>,
  references: ReadonlyMap<string, string>,
  notes: string[],
): void {
  for (const [key, one] of edited) {
    const { entity, draft } = one;
    for (const link of linksOf(draft.kind)) {
      const now = toSet(entity.relations[link.relation]);
      const before = toSet(draft.relations[link.relation]);
      const toRef = (identifier: string) => references.get(`${link.blueprint} ${identifier}`);
      change(edited, key, link.field, {
        added: minus(now, before).map((id) => toRef(id) ?? printReference(fromIdentifier(link.kind, id))),
        removed: minus(before, now).flatMap((id) => knownTarget(one, toRef(id)) ?? []),
      });
    }
    applyOwners(edited, references, key, one, notes);
  }
}

/** A target that never had its link is not one that somebody removed. */
function knownTarget({ entity }: Edited, reference: string | undefined): string[] | undefined {
  const unresolved = toSet(entity.properties['unresolvedReferences']);
  return reference === undefined || unresolved.has(reference) ? undefined : [reference];
}

function applyOwners(
  edited: ReadonlyMap<string, Edited>,
  references: ReadonlyMap<string, string>,
  key: string,
  { entity, draft, isNew }: Edited,
  notes: string[],
): void {
  const toRef = (team: string) => references.get(`_team ${team}`) ?? printReference(fromIdentifier('group', team));
  const groups = draft.kind === 'person' ? entity.properties['groups'] : entity.team;
  const groupsBefore = draft.kind === 'person' ? draft.properties['groups'] : draft.team;
  const now = toSet(groups as Json | undefined);
  const before = toSet(groupsBefore as Json | undefined);
  const added = minus(now, before).map(toRef);
  const removed = minus(before, now).map(toRef);
  if (draft.kind === 'user' || draft.kind === 'person') change(edited, key, 'memberOf', { added, removed });
  else if (findKind(draft.kind).references.some(({ relation }) => relation === 'owner')) {
    const user = entity.relations['ownerUser'];
    const isUserNew = typeof user === 'string' && user !== draft.relations['ownerUser'];
    const userRef = isUserNew ? references.get(`_user ${user}`) : undefined;
    const [owner = userRef] = added;
    if (now.size > 1) notes.push(`${key} has ${now.size} owning teams. Backstage takes one owner.`);
    if (owner !== undefined) change(edited, key, 'owner', { added: [owner], removed: [] });
    else if (removed.length > 0 && now.size === 0 && !isNew) change(edited, key, 'owner', { added: [], removed });
    else if (removed.length > 0 && now.size > 0)
      change(edited, key, 'owner', { added: [toRef([...now][0] ?? '')], removed: [] });
  }
}

interface Change {
  /** Full references. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

function change(edited: ReadonlyMap<string, Edited>, key: string, name: string, { added, removed }: Change): void {
  const one = edited.get(key);
  const field = one && findKind(one.document.kind).references.find((candidate) => candidate.field === name);
  if (!one || !field || (added.length === 0 && removed.length === 0)) return;
  const gone = new Set(removed);
  remove(one, field, gone);
  for (const reference of removed) removeElsewhere(edited.get(reference), field, key);
  const home = toReference(one.document);
  const texts = added.flatMap((reference) => {
    const target = parseReference(reference);
    return target ? [shortReference(target, { kind: field.kind, namespace: home.namespace })] : [];
  });
  const [first] = texts;
  if (first === undefined) return;
  const value = one.document.spec?.[field.field];
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  write(one, field, field.many ? [...(list as readonly Json[]), ...texts] : first);
}

function remove(one: Edited, field: ReferenceField, gone: ReadonlySet<string>): void {
  const value = one.document.spec?.[field.field];
  if (value === undefined || value === null || gone.size === 0) return;
  const isGone = (written: Json) => {
    const reference = readReference(one, field, written);
    return reference !== undefined && gone.has(printReference(reference));
  };
  if (Array.isArray(value)) {
    const kept = value.filter((written) => !isGone(written));
    if (kept.length < value.length) write(one, field, kept);
  } else if (isGone(value)) write(one, field, undefined);
}

/** Takes the link out of the document that states it the other way round: `dependencyOf`, `members`, `children`. */
function removeElsewhere(other: Edited | undefined, field: ReferenceField, key: string): void {
  if (!other) return;
  const stated = findKind(other.document.kind).references.filter(
    ({ relation, isReversed }) => isReversed && relation === field.relation,
  );
  for (const reversed of stated) remove(other, reversed, new Set([key]));
}

function readReference({ document }: Edited, field: ReferenceField, written: Json): Reference | undefined {
  return parseReference(written, { kind: field.kind, namespace: toReference(document).namespace });
}

function write(one: Edited, { field }: ReferenceField, value: Json | undefined): void {
  const document = one.document as unknown as JsonObject;
  one.document = withValueAt(document, ['spec', field], value) as unknown as Document;
}

function toSet(value: Json | undefined): ReadonlySet<string> {
  const values = Array.isArray(value) ? value : [value];
  return new Set(values.filter((one): one is string => typeof one === 'string'));
}

function minus(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter((value) => !other.has(value));
}
