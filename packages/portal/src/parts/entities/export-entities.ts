import { call } from '../../api/api.ts';
import type { FieldEntity } from './fields.ts';
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
