import {
  checkDocument,
  type Document,
  type FoundDocument,
  listDepartures,
  looksLikeDocument,
  toReference,
} from './document.ts';
import type { JsonObject } from './json.ts';
import { expandTarget, isCatalogFile, isTemplateFile, listTargets } from './locations.ts';
import { resolvePlaceholders } from './placeholders.ts';
import type { Problem } from './problem.ts';
import { readYaml, type YamlValue } from './read-yaml.ts';
import { printReference, type Reference } from './reference.ts';

/** The files that a catalog is read from. Paths are relative to the root, with `/`. */
export interface CatalogFiles {
  readonly paths: readonly string[];
  /** The text of a file; undefined if it is not there or too large to be read. */
  readText(path: string): Promise<string | undefined>;
  /** The owner of a file by CODEOWNERS. */
  ownerOf?(path: string): Reference | undefined;
}

export interface ReadCatalog {
  readonly documents: readonly FoundDocument[];
  readonly problems: readonly Problem[];
  readonly filesRead: number;
  /** Files for the scaffolder, with gaps that it fills in. */
  readonly skipped: readonly string[];
}

const depthMax = 10;
const filesMax = 10_000;

/**
 * Reads all documents of Backstage in the files: from `catalog-info.yaml`, from every other YAML file that says that it
 * holds one, and from what Locations name. Each file is read once, so that Locations in a circle end.
 */
export async function readCatalog(files: CatalogFiles): Promise<ReadCatalog> {
  const documents: FoundDocument[] = [];
  const problems: Problem[] = [];
  const skipped: string[] = [];
  const seen = new Set<string>();
  const here = new Set(files.paths);

  const readFile = async (path: string, depth: number, isNamed: boolean): Promise<void> => {
    if (seen.has(path)) return;
    if (seen.size >= filesMax) {
      const message = `There are more than ${filesMax} files. The others are left out; import them in parts.`;
      if (!problems.some(({ code }) => code === 'too_many')) problems.push(fileProblem('too_many', message, path));
      return;
    }
    const text = await files.readText(path);
    if (text === undefined) {
      // Other YAML may be as large as it likes.
      if (!isNamed && !isCatalogFile(path)) return;
      problems.push(fileProblem('file_too_large', 'The file is larger than 1 MiB or cannot be read.', path));
      return;
    }
    if (!isNamed && !isCatalogFile(path) && !mentionsBackstage(text)) return;
    seen.add(path);
    const read = readYaml(text, path);
    const isTemplate = isTemplateFile(path) && /[$%{]\{|\{%/.test(text);
    if (isTemplate && (read.problems.length > 0 || read.values.some(({ value }) => hasGaps(value as JsonObject)))) {
      skipped.push(path);
      return;
    }
    problems.push(...read.problems);
    for (const value of read.values) {
      if (!isNamed && !isCatalogFile(path) && !looksLikeDocument(value.value)) continue;
      const found = await toDocument(value, path, files, problems);
      if (!found) continue;
      documents.push(found);
      if (found.document.kind.toLowerCase() === 'location') await follow(found, path, depth);
    }
  };

  const follow = async (location: FoundDocument, from: string, depth: number): Promise<void> => {
    const item = printReference(toReference(location.document));
    for (const target of listTargets(location.resolved)) {
      const paths = expandTarget(target, from, files.paths);
      const add = (code: Problem['code'], severity: Problem['severity'], message: string) =>
        problems.push({ severity, code, message, item, place: { ...location.place, path: '/spec/targets' } });
      if (paths === 'elsewhere') {
        add('target_elsewhere', 'note', `${target} is not in this folder and is not read. Import it as well.`);
      } else if (depth >= depthMax) {
        add('too_many', 'warning', `Locations name Locations more than ${depthMax} deep; ${target} is not read.`);
      } else if (!paths.some((path) => here.has(path)) && location.resolved.spec?.['presence'] !== 'optional') {
        add('file_missing', 'warning', `${target} names no file here.`);
      } else {
        for (const path of paths) if (here.has(path)) await readFile(path, depth + 1, true);
      }
    }
  };

  for (const path of files.paths.filter(isCatalogFile)) await readFile(path, 0, true);
  for (const path of files.paths.filter((one) => /\.ya?ml$/i.test(one))) await readFile(path, 0, false);
  return { documents, problems, filesRead: seen.size, skipped };
}

/** Whether a document of Backstage may begin somewhere in the text; cheaper than reading all YAML there is. */
function mentionsBackstage(text: string): boolean {
  return /^apiVersion:\s*["']?([a-z0-9-]+\.)*backstage\.io\//m.test(text);
}

/** Whether the scaffolder has yet to fill in what names the document. */
function hasGaps({ kind, metadata }: JsonObject): boolean {
  const names = [
    kind,
    (metadata as JsonObject | undefined)?.['name'],
    (metadata as JsonObject | undefined)?.['namespace'],
  ];
  return names.some((name) =>
    typeof name === 'string' ? /[{%]/.test(name) : typeof name === 'object' && name !== null,
  );
}

async function toDocument(
  { value, place, placeOf }: YamlValue,
  path: string,
  files: CatalogFiles,
  problems: Problem[],
): Promise<FoundDocument | undefined> {
  const checked = checkDocument(value);
  if ('faults' in checked) {
    problems.push(
      ...checked.faults.map(({ path: at, message }): Problem => {
        const subject = at.length > 0 ? at.map(String).join('.') : 'The document';
        const code = hasGaps(value as JsonObject) ? 'not_filled_in' : 'invalid_document';
        return { severity: 'error', code, message: `${subject} ${message}.`, item: null, place: placeOf(at) };
      }),
    );
    return undefined;
  }
  const { document } = checked;
  const item = printReference(toReference(document));
  const { value: resolved, unresolved } = await resolvePlaceholders(value, path, (target, from) =>
    readTarget(target, from, files),
  );
  problems.push(
    ...unresolved.map(
      ({ path: at, message }): Problem => ({
        severity: 'warning',
        code: 'file_missing',
        message,
        item,
        place: placeOf(at),
      }),
    ),
    ...listDepartures(document).map(
      ({ path: at, message }): Problem => ({
        severity: 'note',
        code: 'invalid_document',
        message: `${at.map(String).join('.')} ${message}.`,
        item,
        place: placeOf(at),
      }),
    ),
  );
  return { document, resolved: resolved as unknown as Document, place, fileOwner: files.ownerOf?.(path) };
}

async function readTarget(target: string, from: string, files: CatalogFiles): Promise<string | undefined> {
  const paths = expandTarget(target, from, files.paths);
  const [path] = paths === 'elsewhere' ? [] : paths;
  return path === undefined ? undefined : files.readText(path);
}

function fileProblem(code: Problem['code'], message: string, file: string): Problem {
  return { severity: 'error', code, message, item: null, place: { file } };
}
