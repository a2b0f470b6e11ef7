import type { importLines } from '@portolan/contract/imports';
import type { OperationInput } from '@portolan/contract/operation';
import { type CsvStream, createRowMapper, keptColumns, matchColumns, TableError } from '@portolan/tables';
import { invalidRequest } from '../../../platform/errors.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { ImportedTable } from '../ingest/sync.ts';
import type { StoredSource } from '../sources/source.ts';
import { tableBlueprint } from './table-blueprint.ts';

/**
 * What becomes of the columns: as the source keeps it of an upload that a person looked at, else by their headings.
 * @throws AppError `invalid_request` with each column that nothing is known of
 */
export function planTable(
  { form, columns: headings }: Pick<CsvStream, 'form' | 'columns'>,
  stored: StoredBlueprint,
  settings: StoredSource['settings'] | undefined,
  query: Pick<OperationInput<typeof importLines>['query'], 'unknown_columns' | 'empty_cells'>,
): ImportedTable {
  const blueprint = tableBlueprint(stored);
  const kept = settings?.['blueprint'] === stored.identifier ? settings : {};
  const columns = keptColumns(kept, matchColumns(headings, blueprint));
  const known = new Set(Array.isArray(kept['columns']) ? kept['columns'].map((column) => column?.heading) : []);
  const unknown = columns.filter(({ heading, to }) => to === null && !known.has(heading));
  if (unknown.length > 0 && query.unknown_columns === 'refuse') {
    const issues = unknown.map(({ heading }) => ({
      path: 'line 1',
      message: `the blueprint "${stored.identifier}" has nothing that "${heading.slice(0, 100)}" names; rename the column, leave it out, or send unknown_columns=ignore`,
    }));
    throw invalidRequest(issues, 'The table');
  }
  const emptyCells = query.empty_cells ?? (kept['emptyCells'] === 'clear' ? 'clear' : 'keep');
  const table: ImportedTable = { form, headings, columns, emptyCells };
  try {
    createRowMapper(headings, table, blueprint);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    throw invalidRequest([{ path: 'line 1', message: error.message }], 'The table');
  }
  return table;
}
