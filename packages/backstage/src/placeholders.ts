import { parse } from 'yaml';
import { isObject, type Json } from './json.ts';

/** Reads the file that a placeholder names, relative to the file that it stands in; undefined if there is none. */
export type ReadText = (target: string, from: string) => Promise<string | undefined>;

/** `$openapi` and `$asyncapi` bundle what they refer to in Backstage; here the file counts as it is. */
const readers: Readonly<Record<string, (text: string) => Json>> = {
  $text: (text) => text,
  $openapi: (text) => text,
  $asyncapi: (text) => text,
  $json: (text) => JSON.parse(text) as Json,
  $yaml: (text) =>
    JSON.parse(JSON.stringify(parse(text, { logLevel: 'silent', maxAliasCount: 100 })) ?? 'null') as Json,
};

export interface Unresolved {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The value with the content of files in place of placeholders. An object is one only if it has nothing but a known
 * key: `$ref` of a JSON schema stays. What cannot be read stays too, and is listed.
 */
export async function resolvePlaceholders(
  value: Json,
  file: string,
  readText: ReadText,
): Promise<{ readonly value: Json; readonly unresolved: readonly Unresolved[] }> {
  const unresolved: Unresolved[] = [];
  const walk = async (at: Json, path: readonly string[]): Promise<Json> => {
    if (Array.isArray(at)) {
      const items: Json[] = [];
      for (const [index, item] of at.entries()) items.push(await walk(item, [...path, String(index)]));
      return items;
    }
    if (!isObject(at)) return at;
    const entries = Object.entries(at);
    const [first] = entries;
    if (entries.length === 1 && first) {
      const [key, target] = first;
      const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
      if (read && typeof target === 'string') return resolveOne(at, key, target, read, path);
    }
    const walked: [string, Json][] = [];
    for (const [key, item] of entries) walked.push([key, await walk(item, [...path, key])]);
    return Object.fromEntries(walked);
  };
  const resolveOne = async (
    at: Json,
    key: string,
    target: string,
    read: (text: string) => Json,
    path: readonly string[],
  ): Promise<Json> => {
    const text = await readText(target, file);
    const content = text === undefined ? undefined : tryRead(text, read);
    if (content !== undefined) return content;
    const message =
      text === undefined
        ? `${key} names ${target}, which is not here. Add the file, or write its content into the document.`
        : `${key} names ${target}, which is no ${key.slice(1).toUpperCase()}.`;
    unresolved.push({ path, message });
    return at;
  };
  return { value: await walk(value, []), unresolved };
}

/** The file is its author's: one that cannot be read as what it is said to be is a problem of the document. */
function tryRead(text: string, read: (text: string) => Json): Json | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}
