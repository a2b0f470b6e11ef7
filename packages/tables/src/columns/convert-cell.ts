import type { Cell } from '../table.ts';
import type { Column, Converted, TableProperty } from './column.ts';
import { readDate } from './read-date.ts';

const truths = new Set(['true', 'yes', 'y', '1', 'on']);
const falsehoods = new Set(['false', 'no', 'n', '0', 'off']);

/** The cell as the property takes it. The caller has dealt with empty cells. */
export function convertCell(cell: Cell, property: TableProperty, column: Column): Converted {
  switch (property.type) {
    case 'number':
      return chosen(readNumber(cell, column.hasDecimalComma === true), property);
    case 'boolean':
      return readBoolean(cell);
    case 'array':
      return readList(cell, property, column);
    case 'object':
      return readObject(cell);
    default:
      return readText(cell, property, column);
  }
}

function readText(cell: Cell, property: TableProperty, column: Column): Converted {
  if (typeof cell === 'object' && cell !== null) return { message: 'This is a list or an object, not a text.' };
  const text = String(cell);
  if (property.format === 'date-time' || property.format === 'timer') return readDate(text, column.dateOrder);
  return chosen({ value: text }, property);
}

/** A value with choices is one of them; another case of the same letters is meant as that. */
function chosen(read: Converted, property: TableProperty): Converted {
  const choices = property.enum;
  if (!choices || !('value' in read) || choices.includes(read.value as string)) return read;
  const written = String(read.value).trim().toLowerCase();
  const same = choices.filter((choice) => String(choice).toLowerCase() === written);
  const [only] = same;
  if (same.length === 1 && only !== undefined) return { value: only };
  const list = choices.slice(0, 10).join(', ');
  return { message: `"${short(read.value)}" must be one of ${list}${choices.length > 10 ? ' …' : ''}.` };
}

function readNumber(cell: Cell, hasDecimalComma: boolean): Converted {
  if (typeof cell === 'number') return { value: cell };
  const plain = typeof cell === 'string' ? plainNumber(cell.trim(), hasDecimalComma) : undefined;
  if (plain === undefined) return { message: `"${short(cell)}" is no number.` };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { message: `"${short(cell)}" is larger than a number can be.` };
  const digits = plain.replace(/e.*$/i, '').replace(/[^\d]/g, '').replace(/^0+/, '');
  if (digits.length > 15 && !keepsDigits(plain, value)) {
    return { message: `"${short(cell)}" has more digits than a number keeps. Map it to a text.` };
  }
  return { value };
}

function keepsDigits(written: string, value: number): boolean {
  return /^[+-]?\d+$/.test(written) && Number.isSafeInteger(value);
}

/** Without separators of thousands and with a decimal point; undefined for what is no number. */
export function plainNumber(text: string, hasDecimalComma: boolean): string | undefined {
  const [point, thousands] = hasDecimalComma ? [',', '.'] : ['.', ','];
  const bare = text.replaceAll(/[\u00a0\u202f ](?=\d{3})/g, '');
  const groups = new RegExp(`^[+-]?\\d{1,3}(\\${thousands}\\d{3})+(\\${point}\\d+)?$`);
  const plain = groups.test(bare) ? bare.replaceAll(thousands, '') : bare;
  const normal = hasDecimalComma ? plain.replace(',', '.') : plain;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(normal) ? normal : undefined;
}

function readBoolean(cell: Cell): Converted {
  if (typeof cell === 'boolean') return { value: cell };
  const text = String(cell).trim().toLowerCase();
  if (truths.has(text)) return { value: true };
  if (falsehoods.has(text)) return { value: false };
  return { message: `"${short(cell)}" is neither true nor false.` };
}

function readObject(cell: Cell): Converted {
  const value = typeof cell === 'string' ? parsed(cell) : cell;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
  return { message: `"${short(cell)}" is no JSON object.` };
}

function readList(cell: Cell, property: TableProperty, column: Column): Converted {
  const values: Cell[] = [];
  const item: TableProperty = { type: property.items?.type ?? 'string', format: property.items?.format };
  for (const part of splitList(cell, column.separator)) {
    // a list without a type of items takes any value as it is
    const read = property.items?.type ? convertCell(part, item, column) : { value: part };
    if (!('value' in read)) return read;
    values.push(read.value);
  }
  return { value: values };
}

/** The values of a list: as JSON, else between separators. */
export function splitList(cell: Cell, separator: string | undefined): readonly Cell[] {
  if (Array.isArray(cell)) return cell;
  if (typeof cell !== 'string') return [cell as Cell];
  const list = cell.trim().startsWith('[') ? parsed(cell) : undefined;
  if (Array.isArray(list)) return list;
  return cell
    .split(separator ?? guessSeparator([cell]))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** By what stands in the cells; a comma where none has any. */
export function guessSeparator(cells: readonly string[]): string {
  return ['\n', ';', '|', ','].find((separator) => cells.some((cell) => cell.trim().includes(separator))) ?? ',';
}

function parsed(text: string): Cell | undefined {
  try {
    return JSON.parse(text) as Cell;
  } catch {
    return undefined;
  }
}

export function short(cell: Cell): string {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
