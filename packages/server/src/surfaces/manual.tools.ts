import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { type ToolDeclaration, tool } from '../platform/tools/tool.ts';
import { recordsUnder } from '../platform/tools/tool-records.ts';
import { indexManual, type ManualIndex, splitSections } from './manual-index.ts';

/** Decision records are left out: they are for developers of the product. */
const parts = ['guides', 'reference', 'reference/errors'];
const textCharactersMax = 2_000;

/** Full-text search in the product's documentation, which is installed with it; read at the first search. */
export function manualTools(folder: string | undefined): ToolDeclaration[] {
  let index: Promise<ManualIndex> | undefined;
  const opened = (): Promise<ManualIndex> => {
    index ??= read(folder);
    // a failed read is retried with the next call
    index.catch(() => {
      index = undefined;
    });
    return index;
  };
  return [
    tool({
      name: 'search_knowledge_sources',
      title: 'Search the documentation',
      description:
        'Searches the documentation of this platform: how to set things up, what settings, error codes and terms mean. It knows nothing of the catalog. Returns sections, the best first.',
      effect: 'read',
      scope: null,
      audience: 'developer',
      texts: 'none',
      aliases: ['search_port_knowledge_sources', 'search_port_sources', 'search_port_docs_sources', 'ask_port_docs'],
      recordsOf: recordsUnder({ results: 'document' }, { hasFigures: false }),
      input: z.strictObject({
        query: z.string().trim().min(1).max(500).describe('Words to look for'),
        limit: z.int().min(1).max(10).default(5),
      }),
      run: async (_context, { query, limit }) => ({
        results: (await opened()).search(query, limit).map(({ text, ...section }) => ({
          ...section,
          text: text.length > textCharactersMax ? `${cut(text)} [cut]` : text,
        })),
      }),
    }),
  ];
}

/** Truncates without splitting a surrogate pair. */
function cut(text: string): string {
  return text.slice(0, textCharactersMax).replace(/[\ud800-\udbff]$/, '');
}

/** @throws AppError `service_unavailable` if the product was installed without its documentation */
async function read(folder: string | undefined): Promise<ManualIndex> {
  if (folder === undefined) return missing();
  const sections = await Promise.all(
    parts.map(async (part) => {
      const names = (await readdir(join(folder, part)).catch(missing)).filter((name) => name.endsWith('.md')).sort();
      const pages = names.map(async (name) =>
        splitSections(`${part}/${name}`, await readFile(join(folder, part, name), 'utf8')),
      );
      return (await Promise.all(pages)).flat();
    }),
  );
  return indexManual(sections.flat());
}

function missing(cause?: unknown): never {
  throw new AppError('service_unavailable', 'The documentation is not part of this installation', { cause });
}
