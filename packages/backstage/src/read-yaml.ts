import { LineCounter, type Document as YamlDocument } from 'yaml';
import type { Json } from './json.ts';
import { parseDocuments } from './parse-documents.ts';
import type { Place, Problem } from './problem.ts';

/** A document of a file, not checked yet. */
export interface YamlValue {
  readonly value: Json;
  readonly place: Place;
  /** Where a value within it stands. */
  readonly placeOf: (path: readonly PropertyKey[]) => Place;
}

export const fileBytesMax = 1024 * 1024;
const documentsMax = 1000;
/** How often one document may repeat a node by alias: a few lines could stand for gigabytes. */
const aliasesMax = 100;

/**
 * The documents of a YAML file, and what is wrong with the others. Never throws: what cannot be read is a problem with
 * its line and column.
 */
export function readYaml(text: string, file: string): { values: readonly YamlValue[]; problems: readonly Problem[] } {
  if (new TextEncoder().encode(text).byteLength > fileBytesMax) {
    return { values: [], problems: [problem('file_too_large', 'The file is larger than 1 MiB.', { file })] };
  }
  const lines = new LineCounter();
  const documents = guarded(() => parseDocuments(text, lines));
  if (!documents) return { values: [], problems: [tooDeep({ file })] };
  const values: YamlValue[] = [];
  const problems: Problem[] = [];
  for (const document of documents.slice(0, documentsMax)) {
    const place = placeAt(lines, file, document.contents?.range?.[0] ?? document.range?.[0] ?? 0);
    const read = toValue(document, place, lines, file);
    if ('problem' in read) problems.push(read.problem);
    else if (read.value !== null) {
      values.push({ value: read.value, place, placeOf: (path) => placeOf(document, path, place, lines, file) });
    }
  }
  if (documents.length > documentsMax) {
    const message = `The file has more than ${documentsMax} documents; the others are left out.`;
    problems.push(problem('too_many', message, { file }));
  }
  return { values, problems };
}

function toValue(
  document: YamlDocument,
  place: Place,
  lines: LineCounter,
  file: string,
): { readonly value: Json } | { readonly problem: Problem } {
  const [error] = document.errors;
  if (error) {
    const message = `The YAML cannot be read: ${error.message.split('\n')[0]?.replace(/ at line .*$/, '')}.`;
    return { problem: problem('invalid_yaml', message, placeAt(lines, file, error.pos[0])) };
  }
  try {
    // As Backstage stores it: what JSON has no word for, such as .nan, becomes null.
    return { value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: aliasesMax })) ?? 'null') as Json };
  } catch (thrown) {
    if (thrown instanceof RangeError) return { problem: tooDeep(place) };
    if (!(thrown instanceof ReferenceError)) throw thrown;
    const isUnknown = thrown.message.startsWith('Unresolved alias');
    const message = isUnknown
      ? `The YAML cannot be read: ${thrown.message}.`
      : `The document repeats more than ${aliasesMax} parts by alias. Write them out.`;
    return { problem: problem(isUnknown ? 'invalid_yaml' : 'alias_limit', message, place) };
  }
}

/** What a deeply nested document makes of the parser's stack is an answer about the document. */
function guarded<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function tooDeep(place: Place): Problem {
  return problem('too_deep', 'The document is nested too deeply to be read.', place);
}

function problem(code: Problem['code'], message: string, place: Place): Problem {
  return { severity: 'error', code, message, item: null, place };
}

function placeOf(
  document: YamlDocument,
  path: readonly PropertyKey[],
  start: Place,
  lines: LineCounter,
  file: string,
): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined;
    if (node?.range?.[0] !== undefined) return { ...placeAt(lines, file, node.range[0]), path: pointer(path) };
  }
  return { ...start, path: pointer(path) };
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key)}`).join('');
}

function placeAt(lines: LineCounter, file: string, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return line === 0 ? { file, line: 1, column: 1 } : { file, line, column: col };
}
