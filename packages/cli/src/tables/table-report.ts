import type { Column, RowProblem, Table, TableResult, WireCounts } from '@portolan/tables';
import type { Context, Output } from '../context.ts';
import { counted, table as drawTable, printable } from '../output.ts';

/** Further problems are only counted; `--refused` and `--json` have all. */
const problemsShownMax = 50;
const rowsPerLine = 10_000;

/** Where each column leads, with the first value of each. */
export function columnsText(table: Table, columns: readonly Column[], output: Output): string {
  const rows = columns.map(({ heading, to }) => {
    const index = table.columns.indexOf(heading);
    const cell = table.sample.find(({ cells }) => cells[index] !== undefined && cells[index] !== '')?.cells[index];
    const example = typeof cell === 'string' ? cell : JSON.stringify(cell ?? '');
    return [heading, to ?? '(left out)', example.slice(0, 40).replaceAll(/\s+/g, ' ')];
  });
  const notes = table.notes.map((note) => `${note}\n`).join('');
  return printable(`${notes}${drawTable(['column', 'becomes', 'first value'], rows)}`, output);
}

export function planText({ rows, created, changed, unchanged, waiting, refusedRows, missing }: TableResult): string {
  const parts = [`${created} to create`, `${changed} to change`, `${unchanged} unchanged`];
  if (waiting > 0) parts.push(`${waiting} that wait for others`);
  if (refusedRows > 0) parts.push(`${refusedRows} refused`);
  const gone = missing ? `; ${counted(missing, 'entity', 'entities')} of this source not in the file` : '';
  return `Plan: ${counted(rows, 'row')}: ${parts.join(', ')}${gone}.\n`;
}

export function endText({ created, changed, unchanged, refusedRows }: TableResult): string {
  const refused = refusedRows > 0 ? `, ${refusedRows} refused` : '';
  return `Imported: ${created} created, ${changed} changed, ${unchanged} unchanged${refused}.\n`;
}

export function problemsText(problems: readonly RowProblem[], refusedRows: number, output: Output): string {
  const shown = problems.slice(0, problemsShownMax);
  const lines = shown.map(({ row, column, message }) => `row ${row}${column ? `, ${column}` : ''}: ${message}\n`);
  const more = refusedRows - new Set(shown.map(({ row }) => row)).size;
  const rest = more > 0 ? [`… and ${counted(more, 'row')} more; --refused <file> writes them all\n`] : [];
  return printable([...lines, ...rest].join(''), output);
}

/** Progress on stderr: a line updated in place on a terminal, otherwise one per ten thousand rows. */
export function createRowProgress({ err }: Pick<Context, 'err'>, verb: string) {
  let told = 0;
  return (rows: number, { refused }: WireCounts): void => {
    const text = `${verb} ${counted(rows, 'row')}${refused > 0 ? `, ${refused} refused` : ''}`;
    if (err.isTerminal) err.write(`\r${text}`);
    else if (Math.floor(rows / rowsPerLine) > Math.floor(told / rowsPerLine)) err.write(`${text}\n`);
    told = rows;
  };
}
