import { stringify } from 'yaml';
import type { JsonObject } from './json.ts';

/** YAML that reads back as the same documents, each begun by `---`. */
export function printDocuments(documents: readonly JsonObject[]): string {
  return documents
    .map((document) => `---\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`)
    .join('');
}
