import { type Field, type FieldEntity, fieldValue } from './fields.ts';

/** Rows as comma separated values (RFC 4180), one column per field. */
export function toCsv(entities: readonly FieldEntity[], fields: readonly Field[]): string {
  return toCsvText([
    fields.map(({ title }) => title),
    ...entities.map((entity) => fields.map((field) => fieldValue(entity, field))),
  ]);
}

/** Rows of values as comma separated values; text that a spreadsheet would run is marked. */
export function toCsvText(rows: readonly (readonly unknown[])[]): string {
  return rows.map((cells) => cells.map(toCell).join(',')).join('\r\n');
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return quoted(value.join(', '));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Quotes a cell and marks text that a spreadsheet would run as a formula (CSV injection). */
function quoted(text: string): string {
  const inert = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
