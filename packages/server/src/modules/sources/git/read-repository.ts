import type { SourceProblem } from '@portolan/contract/sources';
import type { JqObject } from '@portolan/jq';
import type { SourceItem, Tombstone } from '../source-type.ts';
import { codeownersPaths } from './codeowners/codeowners.ts';
import { readApiDefinition } from './files/api-definition.ts';
import type { ReadNeighbour } from './files/port-file.ts';
import { presentReadme, readmePaths } from './files/readme.ts';
import type { GitHost, ListedRepository, RepositoryTree } from './git-host.ts';
import type { GitSettings } from './git-settings.ts';
import { readCatalogInfo, readDeclared } from './read-declared.ts';
import { findCodeowners, presentCodeowners, presentFolderOwner, presentOwner } from './repository-owner.ts';
import type { WantedFiles } from './wanted-files.ts';

/** What a repository came to. */
export interface ReadRepository {
  readonly items: readonly SourceItem[];
  readonly problems: readonly SourceProblem[];
  readonly gone: readonly Tombstone[];
  /** Beginnings of keys of what could not be read: it is not gone. */
  readonly unread: readonly string[];
}

export interface RepositoryContext {
  readonly host: GitHost;
  readonly settings: GitSettings;
  readonly wanted: WantedFiles;
  readonly signal: AbortSignal;
}

const fileBytesMax = 1024 * 1024;
const readmeBytesMax = 512 * 1024;
/** Of one kind in one repository. */
const filesMax = 500;
/** Of all files that are read of one repository: many are read at once. */
const contentBytesMax = 32 * 1024 * 1024;
/** Files that `file://` names in one repository. */
const neighboursMax = 100;
/** Deeper folders are no items. */
const folderDepthMax = 20;

export function repositoryKey(host: GitHost, id: string): string {
  return `${host.name}#${id}`;
}

/**
 * Reads a repository: itself, and what its files declare. With `before`, an older commit, what the files declared then
 * and do not now is gone.
 * @throws RepositoryUnreadable
 */
export async function readRepository(
  context: RepositoryContext,
  repository: ListedRepository,
  before: string | undefined,
): Promise<ReadRepository> {
  const { host, settings, signal } = context;
  const { head, document } = await host.describe(repository, signal);
  const key = repositoryKey(host, repository.id);
  const common: JqObject = { ...repository.document, ...document, key, id: repository.id, host: host.name };
  const place = placeOf(repository.document['url']);
  if (!head) {
    const owner = presentOwner(undefined, [], settings.teamNames);
    const item = {
      key,
      kind: 'repository',
      document: { ...common, head: null, owner, isDeclaring: false, files: {} },
      place,
    };
    return { items: [item], problems: [], gone: [], unread: [] };
  }
  const tree = await host.listTree(repository.path, head.sha, signal);
  const paths = tree.files.map((file) => file.path);
  const problems: SourceProblem[] = [];
  const unread: string[] = [];
  const warn = (message: string): void => {
    problems.push({ severity: 'warning', code: 'files_left_out', message, item: key, place });
  };
  if (tree.isTruncated) {
    warn(`"${repository.path}" has more files than the host lists; what the others declare stays as it is`);
    unread.push(`${key}:`);
  }
  const chosen = chooseFiles(context, tree, warn);
  for (const path of chosen.leftOut) unread.push(`${key}:${path}`);
  const read = await host.readFiles(repository.path, head.sha, chosen.paths, signal);
  // not every host tells sizes before
  const contents = new Map([...read].filter(([, text]) => Buffer.byteLength(text) <= fileBytesMax));
  for (const path of read.keys())
    if (!contents.has(path)) warn(tooLarge(path, Buffer.byteLength(read.get(path) ?? '')));
  for (const path of chosen.paths) if (!contents.has(path)) unread.push(`${key}:${path}`);
  const addresses = host.addressesOf(repository.path, head.sha);
  const found = findCodeowners(host.dialect, contents);
  for (const { line, message } of found?.codeowners.faults ?? []) {
    const url = `${addresses.page}/${found?.path}`;
    problems.push({
      severity: 'note',
      code: 'codeowners',
      message,
      item: key,
      place: { file: found?.path ?? '', line, url },
    });
  }
  const readme = readmePaths.find((path) => contents.has(path));
  const shown = [...contents].filter(([path]) => context.wanted.isShown(path));
  const lite: JqObject = { key, name: common['name'] ?? null, path: repository.path, url: common['url'] ?? null };
  const owner = presentOwner(found, paths, settings.teamNames);
  const neighbour = neighboursOf(tree, contents, async (path) =>
    (await host.readFiles(repository.path, head.sha, [path], signal)).get(path),
  );
  const declared = await readDeclared(context.wanted, key, contents, neighbour);
  const items: SourceItem[] = [
    {
      key,
      kind: 'repository',
      place,
      document: {
        ...common,
        head: head.document,
        readme: readme === undefined ? null : presentReadme(readme, contents.get(readme) ?? '', addresses),
        codeowners: found ? presentCodeowners(found, paths) : null,
        owner,
        isDeclaring: declared.entities.length > 0,
        files: Object.fromEntries(shown),
      },
    },
  ];
  for (const { entity, path, itemKey } of declared.entities) {
    const at = { file: path, line: entity.line, url: `${addresses.page}/${path}` };
    items.push({
      key: itemKey,
      kind: 'port-file',
      place: at,
      document: { entity: entity.body, path, repository: lite },
    });
  }
  problems.push(...declared.problems.map((each) => withUrl({ ...each, item: each.item ?? key }, addresses.page)));
  unread.push(...declared.unread);
  for (const [path, text] of contents) {
    const url = `${addresses.page}/${path}`;
    if (context.wanted.isApiDefinition(path)) {
      const definition = readApiDefinition(path, text);
      if (!definition) continue;
      const document = { ...definition, info: { ...definition.info }, path, url, text, repository: lite, owner };
      items.push({ key: `${key}:${path}`, kind: 'api-definition', place: { file: path, url }, document });
    }
    if (context.wanted.isCatalogInfo(path)) {
      const read = readCatalogInfo(path, text, key, lite, url);
      items.push(...read.items);
      problems.push(...read.problems);
      if (read.problems.length > 0) unread.push(`${key}:${path}#`);
    }
  }
  const folders = settings.folders.length === 0 ? [] : foldersOf(paths);
  for (const path of folders.filter(context.wanted.isFolder).slice(0, filesMax)) {
    const url = `${addresses.page}/${path}`;
    const folder = { path, name: path.split('/').at(-1) ?? path };
    const folderOwner = presentFolderOwner(found, path, settings.teamNames);
    const document = { folder, url, owner: folderOwner, repository: lite };
    items.push({ key: `${key}:${path}/`, kind: 'folder', place: { file: path, url }, document });
  }
  const missing = before === undefined ? [] : await goneSince(context, repository, before, items);
  // what a file declared is not gone because the file cannot be read now
  const gone = missing.filter((each) => !unread.some((beginning) => each.key.startsWith(beginning)));
  return { items, problems, gone, unread };
}

/** Reads each file once, and no more of them than one repository may ask the host for. */
function neighboursOf(
  tree: RepositoryTree,
  contents: ReadonlyMap<string, string>,
  readFile: (path: string) => Promise<string | undefined>,
): ReadNeighbour {
  const sizes = new Map(tree.files.map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, Promise<string | undefined>>();
  return async (path) => {
    const bytes = sizes.get(path);
    if (bytes === undefined) return undefined;
    const read = contents.get(path);
    if (read !== undefined) return read;
    if (bytes > fileBytesMax) return 'too_large';
    if (!known.has(path) && known.size >= neighboursMax) return 'too_many';
    const asked = known.get(path) ?? readFile(path);
    known.set(path, asked);
    return asked;
  };
}

interface Chosen {
  readonly paths: readonly string[];
  /** Wanted, and not read: too large or too many. */
  readonly leftOut: readonly string[];
}

function chooseFiles(
  { host, wanted }: RepositoryContext,
  tree: RepositoryTree,
  warn: (message: string) => void,
): Chosen {
  const known = new Set([...codeownersPaths[host.dialect]]);
  const readme = readmePaths.find((path) =>
    tree.files.some((file) => file.path === path && file.bytes <= readmeBytesMax),
  );
  const isWanted = (path: string): boolean =>
    wanted.isPortFile(path) || wanted.isCatalogInfo(path) || wanted.isApiDefinition(path) || wanted.isShown(path);
  const candidates = tree.files.filter(({ path }) => known.has(path) || path === readme || isWanted(path));
  const small = candidates.filter(({ bytes }) => bytes <= fileBytesMax);
  for (const { path, bytes } of candidates.filter((file) => file.bytes > fileBytesMax)) {
    warn(tooLarge(path, bytes));
  }
  if (small.length > filesMax)
    warn(`Only ${filesMax} of ${small.length} files are read; narrow the patterns of the source`);
  let room = contentBytesMax;
  const paths = small.slice(0, filesMax).flatMap(({ path, bytes }) => {
    room -= bytes;
    return room < 0 ? [] : [path];
  });
  if (room < 0) {
    warn(`Only files of together ${contentBytesMax} bytes are read; narrow the patterns of the source`);
  }
  const read = new Set(paths);
  return { paths, leftOut: candidates.map(({ path }) => path).filter((path) => !read.has(path)) };
}

function tooLarge(path: string, bytes: number): string {
  return `"${path}" is not read: it has ${bytes} bytes, and ${fileBytesMax} are the most`;
}

/** What the files of an older commit declared and those of now do not. */
async function goneSince(
  { host, wanted, signal }: RepositoryContext,
  repository: ListedRepository,
  before: string,
  items: readonly SourceItem[],
): Promise<readonly Tombstone[]> {
  const key = repositoryKey(host, repository.id);
  const tree = await host.listTree(repository.path, before, signal);
  const files = tree.files
    .filter(({ path, bytes }) => wanted.isPortFile(path) && bytes <= fileBytesMax)
    .slice(0, filesMax);
  const paths = files.map(({ path }) => path);
  const contents = await host.readFiles(repository.path, before, paths, signal);
  const { entities } = await readDeclared(wanted, key, contents, async () => undefined);
  const now = new Set(items.map((item) => item.key));
  return entities.flatMap(({ itemKey }) => (now.has(itemKey) ? [] : [{ key: itemKey }]));
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let length = 1; length < Math.min(parts.length, folderDepthMax + 1); length += 1)
      folders.add(parts.slice(0, length).join('/'));
  }
  return [...folders].toSorted();
}

function placeOf(url: unknown): { url?: string } {
  return typeof url === 'string' ? { url } : {};
}

function withUrl(problem: SourceProblem, page: string): SourceProblem {
  const file = problem.place?.file;
  const url = file === undefined ? undefined : `${page}/${file}`;
  return { ...problem, place: { ...problem.place, ...(url === undefined ? {} : { url }) } };
}
