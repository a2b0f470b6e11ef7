import { cellText } from './columns/profile-columns.ts';
import type { RowProblem, Table } from './table.ts';

/** A spreadsheet runs a cell that begins so; the quote in front makes it a text. A number may keep its sign. */
const formula = /^(?:[=@\t\r]|[+-](?!\d+([.,]\d+)*$))/;

/** One cell of CSV that no spreadsheet takes for a formula. */
function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The refused rows as CSV with a column `problem`, to be put right and uploaded again. Reads the file once more, so that no
 * row has to be remembered.
 */
export async function* writeRefusedRows(table: Table, problems: readonly RowProblem[]): AsyncGenerator<string> {
  const byRow = new Map<number, string[]>();
  for (const { row, column, message } of problems) {
    byRow.set(row, [...(byRow.get(row) ?? []), column ? `${column}: ${message}` : message]);
  }
  yield csvLine([...table.columns, 'problem']);
  for await (const { row, cells } of table.rows()) {
    const messages = byRow.get(row);
    if (!messages) continue;
    const texts = table.columns.map((_, index) => cellText(cells[index] ?? ''));
    yield csvLine([
      ...texts,
      [...cells.slice(table.columns.length).map((cell) => cellText(cell ?? '')), ...messages].join(' '),
    ]);
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
