import type { SourceProblem } from '@portolan/contract/sources';
import type { JqObject } from '@portolan/jq';
import type { SourceItem } from '../source-type.ts';
import { type DeclaredEntity, type ReadNeighbour, readPortFile } from './files/port-file.ts';
import { readYaml, UnreadableFile } from './files/read-yaml.ts';
import type { WantedFiles } from './wanted-files.ts';

/** What files of a repository declare, with the keys of the items. */
export interface Declared {
  readonly entities: readonly { readonly entity: DeclaredEntity; readonly path: string; readonly itemKey: string }[];
  readonly problems: readonly SourceProblem[];
  readonly unread: readonly string[];
}

/** Everything that the `port.yml` files declare; of two with the same name the first by path counts. */
export async function readDeclared(
  wanted: WantedFiles,
  key: string,
  contents: ReadonlyMap<string, string>,
  neighbour: ReadNeighbour,
): Promise<Declared> {
  const files = [...contents].filter(([path]) => wanted.isPortFile(path)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const entities: Declared['entities'][number][] = [];
  const problems: SourceProblem[] = [];
  const unread: string[] = [];
  const places = new Map<string, string>();
  for (const [path, text] of files) {
    const file = await readPortFile(path, text, neighbour);
    problems.push(...file.problems);
    if (!file.isWhole) unread.push(`${key}:${path}#`);
    for (const entity of file.entities) {
      const name = `${entity.identifier}@${entity.blueprint}`;
      const first = places.get(name);
      if (first !== undefined) {
        const message = `"${entity.identifier}" of "${entity.blueprint}" is declared in ${first} too; that one counts`;
        const place = { file: path, line: entity.line };
        problems.push({ severity: 'error', code: 'defined_twice', message, item: null, place });
        continue;
      }
      places.set(name, path);
      entities.push({ entity, path, itemKey: `${key}:${path}#${name}` });
    }
  }
  return { entities, problems, unread };
}

/** The documents of a file of Backstage. */
export function readCatalogInfo(path: string, text: string, key: string, repository: JqObject, url: string) {
  try {
    const items = readYaml(text).map(({ value, line }, index): SourceItem => {
      const place = { file: path, line, url };
      return {
        key: `${key}:${path}#${index}`,
        kind: 'catalog-info',
        place,
        document: { document: value, path, repository },
      };
    });
    return { items, problems: [] };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const place = { file: path, url, ...(error.line === undefined ? {} : { line: error.line }) };
    const problem: SourceProblem = {
      severity: 'error',
      code: 'unreadable_file',
      message: error.message,
      item: key,
      place,
    };
    return { items: [], problems: [problem] };
  }
}
