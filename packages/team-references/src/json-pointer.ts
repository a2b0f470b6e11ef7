import type { Json, JsonObject } from './documents.ts';
import type { DocumentEdit } from './plan.ts';

export type Path = readonly (string | number)[];

export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the pointer; undefined if there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let at: Json | undefined = document;
  for (const step of parsePointer(pointer)) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at)) at = Object.hasOwn(at, step) ? at[step] : undefined;
    else return undefined;
  }
  return at;
}

/** A copy of the document with the edits applied in order. An edit without a value removes. */
export function applyEdits<Document extends Json>(document: Document, edits: readonly DocumentEdit[]): Document {
  return edits.reduce<Json>(
    (edited, edit) => applyEdit(edited, parsePointer(edit.pointer), edit),
    document,
  ) as Document;
}

function applyEdit(document: Json | undefined, steps: readonly string[], edit: DocumentEdit): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return edit.value ?? null;
  const isLast = rest.length === 0;
  if (Array.isArray(document)) {
    const copy = document.slice();
    const index = step === '-' ? copy.length : Number(step);
    if (isLast && edit.value === undefined) copy.splice(index, 1);
    else copy[index] = applyEdit(copy[index], rest, edit);
    return copy;
  }
  const entries = isObject(document) ? Object.entries(document) : [];
  if (isLast && edit.value === undefined) return fromEntries(entries.filter(([key]) => key !== step));
  const known = entries.find(([key]) => key === step)?.[1];
  const value = applyEdit(known, rest, edit);
  return fromEntries(
    known === undefined
      ? [...entries, [step, value]]
      : entries.map(([key, before]): [string, Json] => [key, key === step ? value : before]),
  );
}

/** `Object.fromEntries` defines `__proto__` as an ordinary key, unlike assignment. */
const fromEntries = (entries: readonly (readonly [string, Json])[]): JsonObject => Object.fromEntries(entries);
