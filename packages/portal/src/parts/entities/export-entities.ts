import { call } from '../../api/api.ts';
import type { Field, FieldEntity } from './fields.ts';
import { toCsv } from './to-csv.ts';
import { type EntitySearch, searchBody } from './use-entities.ts';

/** All results of a search, page by page. Stops early on the signal and reports that. */
export async function readAll(
  search: EntitySearch,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (count: number) => void } = {},
): Promise<readonly FieldEntity[]> {
  const entities: FieldEntity[] = [];
  let from: string | undefined;
  do {
    const answer = await call('searchBlueprintEntities', {
      params: { blueprint_identifier: search.blueprint },
      body: searchBody(search, 1000, from),
      ...(signal ? { signal } : {}),
    });
    entities.push(...answer.entities);
    onProgress?.(entities.length);
    from = answer.next;
  } while (from !== undefined);
  return entities;
}

/** Offers a text as a file download. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Exports the results of a search as a file, or only the chosen ones of them: the shown columns as CSV, everything as
 * JSON. Answers how many.
 */
export async function exportEntities({
  search,
  kind,
  fields,
  shown,
  chosen,
  onProgress,
}: {
  search: EntitySearch;
  /** Identifiers; without them all results. */
  chosen?: readonly string[];
  kind: 'csv' | 'json';
  fields: readonly Field[];
  shown: readonly Field[];
  onProgress?: (count: number) => void;
}): Promise<number> {
  const asked =
    kind === 'csv'
      ? { ...search, include: [...(search.include ?? []), '$identifier'] }
      : { ...search, include: undefined };
  const entities: FieldEntity[] = [];
  for (const query of chosen ? queriesOf(chosen) : [search.query])
    entities.push(...(await readAll({ ...asked, query }, onProgress ? { onProgress } : {})));
  const name = `${search.blueprint}-${new Date().toISOString().slice(0, 10)}`;
  if (kind === 'json') download(`${name}.json`, 'application/json', JSON.stringify(entities, null, 2));
  else {
    // exports always include the identifier, for programs that read them
    const identifier = fields.filter(({ key }) => key === '$identifier');
    const columns = [...identifier, ...shown.filter(({ key }) => key !== '$identifier')];
    download(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(entities, columns));
  }
  return entities.length;
}

/** What one rule names at most. */
const namedAtOnce = 200;

function queriesOf(identifiers: readonly string[]): readonly EntitySearch['query'][] {
  return Array.from({ length: Math.ceil(identifiers.length / namedAtOnce) }, (_, at) => ({
    combinator: 'and',
    rules: [
      {
        property: '$identifier',
        operator: 'in',
        value: identifiers.slice(at * namedAtOnce, (at + 1) * namedAtOnce),
      },
    ],
  }));
}
