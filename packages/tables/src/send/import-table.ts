import type { TableBlueprint } from '../columns/column.ts';
import { type ColumnPlan, createRowMapper, type MappedRow } from '../columns/map-rows.ts';
import { createReferenceResolver, type FindEntities } from '../columns/resolve-references.ts';
import type { Row, RowProblem, Table } from '../table.ts';
import type { ImportQuery, ImportServer, WireChange, WireCounts, WireProblem } from './import-wire.ts';
import { type SentImport, sendLines } from './send-lines.ts';

export interface TableImport {
  readonly table: Table;
  readonly plan: ColumnPlan;
  readonly blueprint: TableBlueprint;
  readonly query: ImportQuery;
  readonly server: ImportServer;
  readonly find: FindEntities;
  readonly signal: AbortSignal;
  /** Rows that were read, and what became of the lines that the server has. */
  onProgress?(rows: number, counts: WireCounts): void;
}

/** What an import did, or what a plan would do. */
export interface TableResult extends SentImport {
  /** Rows of the file. `created`, `changed`, `unchanged`, `waiting` and `refusedRows` make them up. */
  readonly rows: number;
  readonly refusedRows: number;
  /** The first 10,000. */
  readonly problems: readonly RowProblem[];
  /** The first 1,000, with the row of each. */
  readonly changes: readonly (WireChange & { readonly row: number })[];
}

const rowsAtOnce = 500;
const linesInPart = 2000;
const charactersInPart = 1_048_576;
const problemsMax = 10_000;
const changesMax = 1000;

/** Maps a table and sends it, or plans it with `dry_run`. Never holds more than one part of the file. @throws TableError */
export async function importTable(given: TableImport): Promise<TableResult> {
  const { table, blueprint, query, server, find, signal, onProgress } = given;
  const mapRow = createRowMapper(table.columns, given.plan, blueprint);
  const resolver = createReferenceResolver(blueprint, find);
  const rowOfLine = createLineMap();
  const problems: RowProblem[] = [];
  const refused = new Set<number>();
  const changes: (WireChange & { row: number })[] = [];
  let rows = 0;
  let counts: WireCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 };

  let refusedHere = 0;
  function refuseHere(found: readonly RowProblem[]): void {
    refusedHere++;
    for (const problem of found) if (problems.length < problemsMax) problems.push(problem);
  }

  async function* parts(): AsyncGenerator<readonly string[]> {
    let lines: string[] = [];
    let size = 0;
    for await (const batch of batches(table.rows())) {
      signal.throwIfAborted();
      for (const mapped of await resolver.resolve(batch.map(mapRow))) {
        rows++;
        const line = toLine(mapped);
        if (typeof line !== 'string') {
          refuseHere(line);
          continue;
        }
        rowOfLine.add(mapped.row);
        lines.push(line);
        size += line.length;
        if (lines.length < linesInPart && size < charactersInPart) continue;
        yield lines;
        lines = [];
        size = 0;
      }
      onProgress?.(rows, counts);
    }
    if (lines.length > 0) yield lines;
  }

  function onProblem(problem: WireProblem): void {
    const row = rowOfLine.find(problem.line);
    if (problems.length >= problemsMax || refused.has(row)) return;
    refused.add(row);
    const column = columnOf(problem.path, given.plan);
    problems.push({ row, message: problem.message, ...(column ? { column } : {}) });
  }

  const sent = await sendLines(
    server,
    parts(),
    query,
    {
      onProblem,
      onProgress: (_, now) => {
        counts = now;
        onProgress?.(rows, counts);
      },
      onChange: (change) => {
        if (changes.length < changesMax) changes.push({ ...change, row: rowOfLine.find(change.line) });
      },
    },
    signal,
  );
  const refusedRows = refusedHere + sent.refused;
  return { ...sent, rows, refusedRows, problems: problems.toSorted((left, right) => left.row - right.row), changes };
}

async function* batches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The JSON of an entity, or why it cannot be sent. */
function toLine(mapped: MappedRow): string | readonly RowProblem[] {
  if ('problems' in mapped) return mapped.problems;
  const line = JSON.stringify(mapped.entity);
  if (line.length * 3 < charactersInPart || new TextEncoder().encode(line).length < charactersInPart) return line;
  return [{ row: mapped.row, message: 'The row makes an entity of more than 1 MB. Leave out a column.' }];
}

/** The column that fills what a JSON pointer of the server points to. */
function columnOf(pointer: string | undefined, { columns }: ColumnPlan): string | undefined {
  if (!pointer) return undefined;
  const [, section = '', key = ''] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = section === 'properties' || section === 'relations' ? `${section}.${key}` : section;
  return columns.find(({ to }) => to === path)?.heading;
}

/** Rows by lines. Remembers only where rows were left out, since between these both count alike. */
function createLineMap() {
  const lines: number[] = [];
  const rows: number[] = [];
  let line = 0;
  return {
    add(row: number): void {
      line++;
      const last = lines.length - 1;
      const expected = (rows[last] ?? Number.NaN) + (line - (lines[last] ?? 0));
      if (row === expected) return;
      lines.push(line);
      rows.push(row);
    },
    find(wanted: number): number {
      let low = 0;
      let high = lines.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((lines[middle] ?? 0) <= wanted) low = middle;
        else high = middle - 1;
      }
      return (rows[low] ?? wanted) + (wanted - (lines[low] ?? wanted));
    },
  };
}
