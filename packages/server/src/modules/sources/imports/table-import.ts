import {
  type CsvForm,
  type CsvStream,
  continueCsv,
  createReferenceResolver,
  createRowMapper,
  type FindEntities,
  findBySearch,
  type MappedRow,
  openCsvStream,
  type StreamedRow,
  TableError,
} from '@portolan/tables';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { can } from '../../rights/index.ts';
import { searchBlueprint } from '../../search/index.ts';
import type { ImportedTable, StoredSync, SyncProblem } from '../ingest/sync.ts';
import type { ImportsDeps } from './imports.deps.ts';
import { type ImportQuery, openImport } from './open-import.ts';
import { type LineOptions, lineBytesMax, type PlacedLine, readImportLine } from './read-import-line.ts';
import { tableBlueprint } from './table-blueprint.ts';

export interface TableBody {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What the media type says of it. */
  readonly form: Partial<CsvForm>;
}

/** An import that has begun or goes on, and the rows that are to be stored. */
export interface OpenedTable {
  readonly sync: StoredSync;
  readonly rows: AsyncIterable<readonly StreamedRow[]>;
}

/**
 * Opens an import of CSV. The headings are read before anything is stored, and kept with the import: a request that goes on
 * sends the lines that follow, without them.
 * @throws AppError `invalid_request` for headings that the blueprint does not know, and as `openImport`
 */
export async function openTableImport(
  deps: ImportsDeps,
  actor: Actor,
  query: ImportQuery,
  { bytes, form }: TableBody,
): Promise<OpenedTable> {
  if (query.import === undefined) {
    if (query.blueprint === undefined) {
      throw invalidRequest([{ path: '{query}/blueprint', message: 'is required for a table' }]);
    }
    const stream = await openStream(bytes, form);
    const sync = await openImport(deps, actor, query, stream);
    return { sync, rows: afterHeadings(stream) };
  }
  const sync = await openImport(deps, actor, query, 'begun');
  const table = sync.options.table as ImportedTable;
  if (sync.lines > 0) return { sync, rows: continueCsv(bytes, table.form, table.headings, sync.lines) };
  const stream = await openStream(bytes, table.form);
  if (stream.columns.join('\n') !== table.headings.join('\n')) {
    throw invalidRequest([{ path: 'line 1', message: `has other headings than the import began with` }]);
  }
  return { sync, rows: afterHeadings(stream) };
}

async function openStream(bytes: TableBody['bytes'], form: Partial<CsvForm>): Promise<CsvStream> {
  try {
    return await openCsvStream(bytes, form);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The headings count as lines too, so that what is counted says where in the file to go on. */
async function* afterHeadings({ headingLine, rows }: CsvStream): AsyncGenerator<readonly StreamedRow[]> {
  yield [{ row: headingLine, lastLine: headingLine, cells: [] }];
  yield* rows;
}

function asRefusal(error: unknown): unknown {
  return error instanceof TableError
    ? new AppError('invalid_request', `The table cannot be read. ${error.message}`, { cause: error })
    : error;
}

/** The lines of an import that rows of a table make. */
export async function* readTableLines(
  deps: ImportsDeps,
  actor: Actor,
  { sync, rows }: OpenedTable,
  options: LineOptions,
): AsyncGenerator<readonly PlacedLine[]> {
  const name = sync.options.blueprint as string;
  const stored = await findBlueprint(deps.database, actor.orgId, name);
  if (!stored) throw notFound('Blueprint', name);
  const blueprint = tableBlueprint(stored);
  const { headings, ...plan } = sync.options.table as ImportedTable;
  try {
    // lines stand for themselves, whatever request they come in
    const mapRow = createRowMapper(headings, plan, blueprint, { comparesMax: 0 });
    const resolver = createReferenceResolver(blueprint, findReadable(deps, actor));
    for await (const batch of rows) {
      const filled = batch.filter(({ cells, problem }) => cells.length > 0 || problem);
      const mapped = await resolver.resolve(filled.map(mapRow));
      const byRow = new Map(mapped.map((each) => [each.row, each]));
      yield batch.map(({ row, lastLine }) => toLine(byRow.get(row), row, lastLine, { ...plan, options }));
    }
  } catch (error) {
    throw asRefusal(error);
  }
}

function toLine(
  mapped: MappedRow | undefined,
  line: number,
  lastLine: number,
  { columns, options }: Pick<ImportedTable, 'columns'> & { readonly options: LineOptions },
): PlacedLine {
  if (!mapped) return { lastLine, read: undefined, size: 0 };
  if ('problems' in mapped) {
    const [first] = mapped.problems;
    const path = columns.find(({ heading }) => heading === first?.column)?.to;
    const read: SyncProblem = {
      severity: 'error',
      code: 'invalid_request',
      message: mapped.problems.map(({ column, message }) => (column ? `${column}: ${message}` : message)).join(' '),
      line,
      blueprint: options.blueprint,
      ...(path ? { place: { path: `/${path.replace('.', '/')}` } } : {}),
    };
    return { lastLine, read, size: 0 };
  }
  const text = JSON.stringify(mapped.entity);
  const isTooLong = Buffer.byteLength(text) > lineBytesMax;
  return {
    lastLine,
    read: readImportLine(line, isTooLong ? { problem: 'too_long' } : { text }, options),
    size: text.length,
  };
}

/** Looks up what cells name among what the caller may read; the rest stays as it is written. */
function findReadable({ database, catalog }: ImportsDeps, actor: Actor): FindEntities {
  return findBySearch(async (blueprint, { query, limit }) => {
    const stored = await findBlueprint(database, actor.orgId, blueprint);
    if (!stored || !can(actor, 'read', stored)) return [];
    const { entities } = await searchBlueprint(catalog, actor, blueprint, { query, limit });
    return entities;
  });
}
