import { parse } from 'yaml';
import { isObject, type JsonObject, toText } from './json.ts';

/** Definitions that a page of the portal can draw, by the type of the API. */
const drawn: Readonly<Record<string, string>> = { openapi: 'openapi', asyncapi: 'asyncapi' };

/** The definition as an object beside its text, if it is one that can be drawn; otherwise nothing. */
export function readDefinition(spec: JsonObject): JsonObject {
  const property = drawn[toText(spec['type'])?.toLowerCase() ?? ''];
  const text = toText(spec['definition']);
  if (!property || !text) return {};
  const value = parseOrNothing(text);
  return isObject(value) ? { [property]: value } : {};
}

/** The text of a definition belongs to its author: one that is no YAML is kept as text, and not drawn. */
function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(JSON.stringify(parse(text, { logLevel: 'silent', maxAliasCount: 100 })) ?? 'null');
  } catch {
    return undefined;
  }
}
