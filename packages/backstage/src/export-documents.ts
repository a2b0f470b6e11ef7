import { bareDocument } from './bare-document.ts';
import { checkDocument, type Document, type FoundDocument, toReference } from './document.ts';
import { applyRelations, type Edited } from './export-relations.ts';
import type { ExportedEntity } from './exported-entity.ts';
import { isObject, isSame, type Json, type JsonObject, toObject, toText, valueAt, withValueAt } from './json.ts';
import { commonValues, findKind } from './kinds.ts';
import { type Draft, mapDocuments } from './map-documents.ts';
import { parseReference, printReference, toIdentifier } from './reference.ts';
import { targetKey } from './settle-targets.ts';

export interface ExportResult {
  readonly documents: readonly { readonly key: string; readonly document: JsonObject }[];
  /** What the documents cannot say. */
  readonly notes: readonly string[];
}

/**
 * The documents of Backstage for entities. One that came from a document gives it back as it was written, with the
 * values that have changed since; one that was made here gives the smallest document that Backstage takes.
 */
export function exportDocuments(entities: readonly ExportedEntity[]): ExportResult {
  const notes: string[] = [];
  const founds = new Map(entities.map((entity) => [targetKey(entity), toFound(entity)]));
  const references = new Map(
    [...founds].map(([key, found]) => [key, printReference(toReference(found.document))] as const),
  );
  const addresses = new Map(
    entities
      .filter(({ blueprint }) => blueprint === '_user')
      .map((entity) => [references.get(targetKey(entity)) ?? '', entity.identifier]),
  );
  const { drafts } = mapDocuments([...founds.values()], { addressOf: (key) => addresses.get(key) });
  const before = new Map(drafts.map((draft) => [draft.key, draft]));
  const edited = new Map<string, Edited>();
  for (const entity of entities) {
    const found = founds.get(targetKey(entity));
    const key = references.get(targetKey(entity));
    const draft = key === undefined ? undefined : before.get(key);
    if (!found || !draft || key === undefined) continue;
    if (edited.has(key)) {
      notes.push(
        `${entity.blueprint} "${entity.identifier}" has the reference ${key}, as another entity has. It is left out.`,
      );
      continue;
    }
    const isNew = isBare(entity);
    edited.set(key, { entity, draft, isNew, document: withValues(found.document, entity, draft, isNew, notes) });
  }
  applyRelations(edited, references, notes);
  return {
    documents: [...edited].map(([key, { document }]) => ({ key, document: withoutRelations(document) })),
    notes,
  };
}

/** Whether an entity was made here, so that there is no document to give back. */
function isBare({ properties: { backstage } }: ExportedEntity): boolean {
  return !isObject(backstage) || 'faults' in checkDocument(backstage);
}

function toFound(entity: ExportedEntity): FoundDocument {
  const stored = entity.properties['backstage'];
  const checked = isObject(stored) ? checkDocument(stored) : undefined;
  if (!checked || 'faults' in checked) {
    const document = bareDocument(entity);
    return { document, resolved: document, place: {} };
  }
  const { document } = checked;
  const relations = (stored as JsonObject)['relations'];
  const fileOwner = parseReference(entity.properties['codeowner']);
  // A person is a user who was given no account, whatever the document says of an address.
  const email = ['spec', 'profile', 'email'];
  const isPerson = entity.blueprint === 'person' && valueAt(stored, email) !== undefined;
  const resolved = isPerson ? (withValueAt(stored as JsonObject, email, undefined) as unknown as Document) : document;
  return {
    document,
    resolved,
    place: {},
    ...(fileOwner ? { fileOwner } : {}),
    ...(Array.isArray(relations) ? { relations: relations.filter(isObject) as never } : {}),
  };
}

/** Backstage computes relations; no document holds them. */
function withoutRelations(document: Document): JsonObject {
  return withValueAt(document as unknown as JsonObject, ['relations'], undefined);
}

function withValues(
  document: Document,
  entity: ExportedEntity,
  draft: Draft,
  isNew: boolean,
  notes: string[],
): Document {
  let next = document as unknown as JsonObject;
  for (const { property, path } of [...commonValues, ...findKind(document.kind).values]) {
    const value = entity.properties[property] ?? undefined;
    if (isSame(value, draft.properties[property]) || (isNew && value === undefined)) continue;
    if (!isPlaceholder(valueAt(next, path))) next = withValueAt(next, path, value);
    else if (value === undefined) notes.push(`${draft.key}: ${path.join('.')} stays a reference to a file.`);
  }
  const links = entity.properties['links'];
  if (!isSame(links, draft.properties['links'])) next = withValueAt(next, ['metadata', 'links'], toLinks(links, next));
  const titled = withTitle(next, entity, draft);
  return (isNew ? titled : withName(titled, entity, draft)) as unknown as Document;
}

/** The content of the file is what was mapped; the document keeps naming the file. */
function isPlaceholder(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && Object.keys(value)[0]?.startsWith('$') === true;
}

/** Links as they are now; what the catalog does not show of one is taken from the document. */
function toLinks(links: Json | undefined, document: JsonObject): Json | undefined {
  if (!Array.isArray(links)) return undefined;
  const before = valueAt(document, ['metadata', 'links']);
  const written = new Map((Array.isArray(before) ? before : []).map((link) => [toObject(link)['url'], toObject(link)]));
  return links.map((link) => {
    const { url, displayText } = toObject(link);
    return { ...written.get(url), url: url ?? null, ...(toText(displayText) ? { title: String(displayText) } : {}) };
  });
}

function withTitle(document: JsonObject, { title, identifier }: ExportedEntity, draft: Draft): JsonObject {
  if (title === null || title === draft.title || title === `${draft.title} (${identifier})`) return document;
  if (toIdentifier(toReference(document as unknown as Document)) === title.toLowerCase()) return document;
  const displayName = ['spec', 'profile', 'displayName'];
  const path = valueAt(document, displayName) === undefined ? ['metadata', 'title'] : displayName;
  return withValueAt(document, path, title);
}

/** An entity that was renamed here has another name there. */
function withName(document: JsonObject, { blueprint, identifier }: ExportedEntity, draft: Draft): JsonObject {
  if (blueprint === '_user') {
    const path = ['spec', 'profile', 'email'];
    return identifier === draft.identifier ? document : withValueAt(document, path, identifier);
  }
  if (identifier === draft.identifier) return document;
  const at = identifier.indexOf('/');
  const named = withValueAt(document, ['metadata', 'name'], identifier.slice(at + 1));
  return at === -1 ? named : withValueAt(named, ['metadata', 'namespace'], identifier.slice(0, at));
}
