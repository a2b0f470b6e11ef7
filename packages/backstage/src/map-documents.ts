import { readDefinition } from './api-definition.ts';
import { type Document, type FoundDocument, toReference } from './document.ts';
import { isObject, type Json, type JsonObject, toObject, toText, valueAt } from './json.ts';
import { commonValues, findKind, userBlueprint, type ValueField } from './kinds.ts';
import type { Problem } from './problem.ts';
import { parseReference, printReference, type Reference, toIdentifier } from './reference.ts';
import { collectLinks, type Link } from './relations.ts';

/** An entity as a document asks for it. */
export interface Draft {
  /** The full reference: what the same document is known by next time. */
  readonly key: string;
  /** The kind in small letters. */
  readonly kind: string;
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
  readonly team?: readonly string[];
  readonly properties: JsonObject;
  readonly relations: Readonly<Record<string, string | readonly string[]>>;
}

export interface MapOptions {
  /** The address of a user that is not among the documents. */
  readonly addressOf?: (reference: string) => string | undefined;
}

export interface Mapped {
  readonly drafts: readonly Draft[];
  readonly problems: readonly Problem[];
}

/**
 * The entities that documents ask for, with references turned into identifiers. Relations that a document states of
 * another one, such as `dependencyOf`, are found at the other one. Of two documents of one name the first counts.
 */
export function mapDocuments(found: readonly FoundDocument[], options: MapOptions = {}): Mapped {
  const problems: Problem[] = [];
  const byKey = new Map<string, FoundDocument>();
  for (const one of found) {
    const key = printReference(toReference(one.document));
    const first = byKey.get(key);
    if (first) problems.push(definedTwice(key, one, first));
    else byKey.set(key, one);
  }
  const addresses = new Map<string, string>();
  const taken = new Set<string>();
  for (const [key, { resolved }] of byKey) {
    const address = addressIn(resolved);
    // An address is one person's; a second user with it does not sign in.
    if (!address || taken.has(address)) continue;
    addresses.set(key, address);
    taken.add(address);
  }
  const addressOf = (key: string) => addresses.get(key) ?? options.addressOf?.(key);
  const links = collectLinks([...byKey.values()], problems);
  const drafts = [...byKey].map(([key, one]) => toDraft(key, one, links.get(key) ?? [], addressOf));
  return { drafts: withOwnTitles(withoutDoubles(drafts, byKey, problems)), problems };
}

/** Two references may come to one identifier: the group `b` of the namespace `a`, and `a.b` of the default one. */
function withoutDoubles(
  drafts: readonly Draft[],
  found: ReadonlyMap<string, FoundDocument>,
  problems: Problem[],
): readonly Draft[] {
  const first = new Map<string, string>();
  return drafts.filter(({ key, blueprint, identifier }) => {
    const name = `${blueprint} ${identifier}`;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, key);
      return true;
    }
    const message = `${key} would be "${identifier}" of ${blueprint}, as ${other} is. Rename one of them.`;
    problems.push({
      severity: 'error',
      code: 'defined_twice',
      message,
      item: key,
      place: found.get(key)?.place ?? null,
    });
    return false;
  });
}

function definedTwice(key: string, { place }: FoundDocument, first: FoundDocument): Problem {
  const where = first.place.file ? ` in ${first.place.file}, line ${first.place.line}` : '';
  const message = `${key} is defined twice. The first one counts${where}; rename or remove one of them.`;
  return { severity: 'error', code: 'defined_twice', message, item: key, place };
}

type AddressOf = (key: string) => string | undefined;

function toDraft(key: string, found: FoundDocument, links: readonly Link[], addressOf: AddressOf): Draft {
  const { document, resolved, relations } = found;
  const reference = toReference(document);
  const kind = document.kind.toLowerCase();
  const address = kind === 'user' ? addressOf(key) : undefined;
  const ownOwner = links.find(({ relation }) => relation === 'owner')?.target;
  const codeowner = mayHaveCodeowner.has(kind) && !ownOwner ? found.fileOwner : undefined;
  const owner = ownOwner ?? codeowner;
  const ownerUser = owner?.kind.toLowerCase() === 'user' ? addressOf(printReference(owner)) : undefined;
  const memberships = links.filter(({ relation }) => relation === 'team').map(({ target }) => toIdentifier(target));
  const team = kind === 'user' ? memberships : owner?.kind.toLowerCase() === 'group' ? [toIdentifier(owner)] : [];
  const isPerson = kind === 'user' && !address;
  return {
    key,
    kind: isPerson ? 'person' : kind,
    blueprint: address ? userBlueprint : findKind(document.kind).blueprint,
    identifier: address ?? toIdentifier(reference),
    title: toText(valueAt(resolved.spec, ['profile', 'displayName'])) ?? titleOf(document),
    ...(team.length > 0 && !isPerson ? { team } : {}),
    properties: {
      ref: key,
      namespace: reference.namespace,
      kind: document.kind,
      ...copyValues([...commonValues, ...findKind(document.kind).values], resolved),
      ...addresses(resolved),
      ...ofKind(kind, resolved, isPerson ? memberships : []),
      ...otherDependencies(links),
      ...(owner?.kind.toLowerCase() === 'user' ? { ownerRef: printReference(owner) } : {}),
      ...(codeowner ? { codeowner: printReference(codeowner) } : {}),
      backstage: { ...(document as unknown as JsonObject), ...(relations ? { relations: toJson(relations) } : {}) },
    },
    relations: { ...toRelations(links), ...(ownerUser ? { ownerUser } : {}) },
  };
}

/** Kinds whose owner Backstage takes from CODEOWNERS where the document names none. */
const mayHaveCodeowner = new Set(['api', 'component', 'domain', 'resource', 'system']);

function toJson(relations: NonNullable<FoundDocument['relations']>): Json {
  return relations.map(({ type, targetRef }) => ({ type, targetRef }));
}

function titleOf({ metadata }: Document): string {
  return toText(metadata['title']) ?? metadata.name;
}

function addressIn({ kind, spec }: Document): string | undefined {
  if (kind.toLowerCase() !== 'user') return undefined;
  const email = toText(valueAt(spec, ['profile', 'email']))?.toLowerCase();
  return email && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined;
}

/** Values whose type fits; one that does not stays in the document alone. */
function copyValues(fields: readonly ValueField[], document: Document): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ property, path, type }): [string, Json][] => {
      const value = valueAt(document as unknown as JsonObject, path);
      return fits(value, type) ? [[property, value as Json]] : [];
    }),
  );
}

function fits(value: Json | undefined, type: ValueField['type']): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'object') return isObject(value);
  if (!Array.isArray(value)) return false;
  return value.every((one) => (type === 'texts' ? typeof one === 'string' : isObject(one)));
}

const annotationsOfAddresses = {
  sourceUrl: 'backstage.io/source-location',
  viewUrl: 'backstage.io/view-url',
  editUrl: 'backstage.io/edit-url',
} as const;

function addresses({ metadata }: Document): JsonObject {
  const annotations = toObject(metadata['annotations']);
  const urls = Object.entries(annotationsOfAddresses).flatMap(([property, annotation]): [string, Json][] => {
    const url = toText(annotations[annotation])?.replace(/^url:/, '');
    return url && isAddress(url) ? [[property, url]] : [];
  });
  const links = linksOf(metadata['links']);
  return { ...Object.fromEntries(urls), ...(links.length > 0 ? { links } : {}) };
}

/** Links with an address that a browser can open; the others stay in the document. */
function linksOf(links: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(links) ? links : []).flatMap((link): JsonObject[] => {
    const { url, title } = toObject(link);
    if (typeof url !== 'string' || !isAddress(url)) return [];
    return [{ url, ...(toText(title) ? { displayText: String(title) } : {}) }];
  });
}

function isAddress(url: string): boolean {
  return !/[\s<>"]/.test(url) && URL.canParse(url) && /^https?:/i.test(url);
}

const languages = new Set(
  'c clojure cpp csharp dart elixir erlang go golang groovy haskell java javascript kotlin nodejs perl php python r ruby rust scala shell swift typescript'.split(
    ' ',
  ),
);

function ofKind(kind: string, { metadata, spec }: Document, groups: readonly string[]): JsonObject {
  if (kind === 'component') {
    const tags = Array.isArray(metadata['tags']) ? metadata['tags'] : [];
    const language = tags.find((tag) => typeof tag === 'string' && languages.has(tag));
    return language === undefined ? {} : { language };
  }
  if (kind === 'api') return readDefinition(toObject(spec));
  if (kind === 'template') {
    const parameters = spec?.['parameters'];
    const steps = Array.isArray(parameters) ? parameters : [parameters];
    return steps.every(isObject) ? { parameters: steps } : {};
  }
  return groups.length > 0 ? { groups } : {};
}

const manyRelations = new Set(['providesApis', 'consumesApis']);

function toRelations(links: readonly Link[]): Draft['relations'] {
  const single: Record<string, string> = {};
  const many: Record<string, string[]> = {};
  for (const { relation, target } of links) {
    const identifier = toIdentifier(target);
    if (relation === 'owner' || relation === 'team') continue;
    if (relation === 'dependsOn') {
      const name = dependencyRelation(target);
      if (name) many[name] = [...(many[name] ?? []), identifier];
    } else if (manyRelations.has(relation)) many[relation] = [...(many[relation] ?? []), identifier];
    else single[relation] ??= identifier;
  }
  return { ...single, ...many };
}

function otherDependencies(links: readonly Link[]): JsonObject {
  const others = links.filter(({ relation, target }) => relation === 'dependsOn' && !dependencyRelation(target));
  return others.length > 0 ? { dependsOnOther: others.map(({ target }) => printReference(target)) } : {};
}

/** The relation for what something depends on; other kinds have none, and stay in the document. */
function dependencyRelation({ kind }: Pick<Reference, 'kind'>): string | undefined {
  return { component: 'dependsOnComponents', resource: 'dependsOnResources' }[kind.toLowerCase()];
}

/** Names of teams are unique in the catalog; groups of two namespaces may be shown by the same one. */
function withOwnTitles(drafts: readonly Draft[]): readonly Draft[] {
  const taken = new Set<string>();
  return drafts.map((draft) => {
    if (draft.blueprint !== '_team') return draft;
    const title = taken.has(draft.title) ? `${draft.title} (${draft.identifier})` : draft.title;
    taken.add(title);
    return { ...draft, title };
  });
}

/** The owner that CODEOWNERS names: `@org/team`, `@user` or an address, as Backstage reads them. */
export function ownerFromCodeowners(name: string): Reference | undefined {
  const parts = name.startsWith('@') ? name.slice(1).split('/') : [name.split('@')[0]];
  const last = parts.at(-1);
  if (!last) return undefined;
  return parseReference(last, { kind: parts.length > 1 || !name.startsWith('@') ? 'group' : 'user' });
}
