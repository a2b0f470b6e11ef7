import { z } from 'zod';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Place } from './problem.ts';
import { defaultNamespace, type Reference } from './reference.ts';

/** A document of Backstage as its author wrote it: placeholders stand as they are, and unknown keys are kept. */
export interface Document {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string };
  readonly spec?: JsonObject;
}

/** A document, and where it was found. */
export interface FoundDocument {
  readonly document: Document;
  /** The same with the content of files in place of `$text` and its like. */
  readonly resolved: Document;
  readonly place: Place;
  /** Who owns it if it names nobody: the first owner of its file by CODEOWNERS. */
  readonly fileOwner?: Reference | undefined;
  /** What a running Backstage made of it; more than the document says, since processors add relations. */
  readonly relations?: readonly { readonly type: string; readonly targetRef: string }[];
}

const keyText = 'must be text; put it in quotes';
const text = z.string(keyText).min(1, 'is empty');
const name = text.max(500, 'is longer than 500 characters').regex(
  // A name becomes an identifier of the catalog, which takes more than Backstage does.
  /^[\p{L}0-9@_.+:=-]+$/u,
  'may hold letters, digits and @ _ . + : = - only',
);

/** What a document needs to have a place in the catalog; everything else may be missing or unknown. */
const envelope = z.looseObject({
  apiVersion: text,
  kind: text.regex(/^[a-zA-Z][a-zA-Z0-9]*$/, 'begins with a letter and holds letters and digits only'),
  metadata: z.looseObject({ name, namespace: name.nullish() }),
  spec: z.looseObject({}).nullish(),
});

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function checkDocument(value: Json): { readonly document: Document } | { readonly faults: readonly Fault[] } {
  if (!isObject(value)) return { faults: [{ path: [], message: 'is no object with apiVersion, kind and metadata' }] };
  const { success, error } = envelope.safeParse(value);
  if (success) return { document: value as unknown as Document };
  return {
    faults: error.issues.map(({ path, message }) => ({
      path,
      message: message.startsWith('Invalid input') ? 'is missing or of another type' : message,
    })),
  };
}

/** What Backstage itself refuses to load. The catalog takes it, and says so. */
const required: Readonly<Record<string, readonly string[]>> = {
  component: ['type', 'lifecycle', 'owner'],
  api: ['type', 'lifecycle', 'owner'],
  resource: ['type', 'owner'],
  system: ['owner'],
  domain: ['owner'],
  group: ['type', 'children'],
};
const backstageName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** Sentences about what Backstage would refuse in a document that the catalog takes. */
export function listDepartures({ kind, metadata, spec }: Document): Fault[] {
  const keys = (required[kind.toLowerCase()] ?? []).filter((key) => (spec?.[key] ?? null) === null);
  return [
    ...keys.map((key) => ({ path: ['spec', key], message: 'is missing; Backstage asks for it' })),
    ...(backstageName.test(metadata.name) && metadata.name.length <= 63
      ? []
      : [{ path: ['metadata', 'name'], message: 'is longer than 63 characters or has some that Backstage refuses' }]),
  ];
}

/** Whether a value is a document of Backstage at all; other YAML lies in the same folders. */
export function looksLikeDocument(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  const { apiVersion } = value;
  return typeof apiVersion === 'string' && /(^|\.)backstage\.io\//.test(apiVersion);
}

export function toReference({ kind, metadata }: Pick<Document, 'kind' | 'metadata'>): Reference {
  const namespace = metadata['namespace'];
  return { kind, namespace: typeof namespace === 'string' ? namespace : defaultNamespace, name: metadata.name };
}
