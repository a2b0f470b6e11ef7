import {
  BackstageRefusal,
  type BackstageServer,
  mapDocuments,
  ownersElsewhere,
  type Problem,
  readAddresses,
  readServerPage,
} from '@portolan/backstage';
import type { JqValue } from '@portolan/jq';
import { type SourceItem, type SourcePage, type SourceReader, SourceRefusal } from '../source-type.ts';

const sampleSize = 5;

/**
 * Reads the catalog of Backstage page by page. Every pass reads all of it: what did not change costs a comparison here,
 * and one request for 500 entities there.
 */
export function openBackstage(server: BackstageServer): SourceReader {
  return {
    check: async (signal) => {
      const page = await refusing(() => readPage(server, null, signal, sampleSize));
      const message = page.items.length > 0 ? 'Entities can be read' : 'The catalog can be read and is empty';
      return { checks: [{ name: 'first_page', state: 'passed', message }], sample: page.items, total: null };
    },
    readPage: (_start, cursor, signal) =>
      refusing(() => readPage(server, typeof cursor === 'string' ? cursor : null, signal)),
  };
}

async function readPage(
  server: BackstageServer,
  cursor: string | null,
  signal: AbortSignal,
  limit?: number,
): Promise<SourcePage> {
  const { documents, problems, next, requests } = await readServerPage(server, cursor, signal, limit);
  const owners = ownersElsewhere(documents);
  const addresses = owners.length > 0 ? await readAddresses(server, owners, signal) : new Map<string, string>();
  const mapped = mapDocuments(documents, { addressOf: (reference) => addresses.get(reference) });
  const items = mapped.drafts.map(({ key, kind, ...document }): SourceItem => {
    const url = document.properties['viewUrl'];
    const place = typeof url === 'string' ? { place: { url } } : {};
    return { key, kind, document: document as unknown as SourceItem['document'], ...place };
  });
  return {
    items,
    problems: [...problems, ...mapped.problems].map(toSourceProblem),
    next: next as JqValue | null,
    requests: requests + (owners.length > 0 ? 1 : 0),
  };
}

function toSourceProblem({ place, ...problem }: Problem): NonNullable<SourcePage['problems']>[number] {
  return { ...problem, place: place?.file === undefined ? null : { url: place.file } };
}

/** What the owner of the Backstage must mend pauses the source; everything else is tried again. */
async function refusing<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BackstageRefusal) throw new SourceRefusal(error.code, error.message, error.fix);
    throw error;
  }
}
