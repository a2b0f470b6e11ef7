import type { Row, Table } from '../table.ts';
import { type Column, findTarget, type TableBlueprint } from './column.ts';
import { createRowMapper, type EntityLine } from './map-rows.ts';
import { cellText } from './profile-columns.ts';

/** One value of a column, and what becomes of it. */
export interface ValuePreview {
  readonly text: string;
  /** Absent if nothing becomes of it. */
  readonly value?: string;
  readonly problem?: string;
}

const valuesShown = 3;

/** The first different values of a column with what becomes of each. @throws TableError for an expression that is none */
export function previewColumn(table: Table, column: Column, blueprint: TableBlueprint): ValuePreview[] {
  const index = table.columns.indexOf(column.heading);
  const rows = new Map<string, Row>();
  for (const row of table.sample) {
    const cell = row.cells[index];
    const text = cell === undefined || cell === null ? '' : cellText(cell);
    if (text === '' || row.problem || rows.has(text)) continue;
    rows.set(text, row);
    if (rows.size === valuesShown) break;
  }
  const target = column.to === null ? undefined : findTarget(column.to, blueprint);
  if (!target) return [...rows.keys()].map((text) => ({ text }));
  const named = column.to === 'identifier' ? [] : [{ heading: column.heading, to: 'identifier', jq: '"row"' }];
  return [...rows].map(([text, row]) => {
    // a mapper of its own for each, because the second row would have the identifier of the first
    const mapped = createRowMapper(table.columns, { columns: [...named, column], emptyCells: 'keep' }, blueprint)(row);
    if ('problems' in mapped) return { text, problem: mapped.problems.map(({ message }) => message).join(' ') };
    const value = valueAt(mapped.entity, column.to ?? '');
    return value === undefined || value === null ? { text } : { text, value: cellText(value) };
  });
}

function valueAt(entity: EntityLine, path: string) {
  const [, section, key = ''] = /^(properties|relations)\.(.+)$/s.exec(path) ?? [];
  if (section) return entity[section as 'properties' | 'relations']?.[key];
  return entity[path as 'identifier' | 'title' | 'icon' | 'team'];
}
