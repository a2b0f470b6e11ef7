import type { Cell, Row } from '../table.ts';
import type { DateOrder } from './column.ts';
import { guessSeparator, plainNumber } from './convert-cell.ts';
import { isIdentifier, toIdentifier } from './identifiers.ts';
import { findDateOrder, looksLikeDate } from './read-date.ts';

export type ValueKind = 'number' | 'boolean' | 'date' | 'url' | 'email' | 'list' | 'object' | 'text';

/** What the first rows tell of a column. */
export interface ColumnProfile {
  readonly heading: string;
  /** Up to three different values, as a person reads them. */
  readonly examples: readonly string[];
  /** How many cells hold something. */
  readonly filled: number;
  /** The different values. */
  readonly values: readonly string[];
  /** Each row has another value, and one. */
  readonly isUnique: boolean;
  /** Unique also as identifiers. */
  readonly isIdentifying: boolean;
  readonly kind: ValueKind;
  readonly separator?: string;
  readonly hasDecimalComma?: boolean;
  /** Of dates; absent if both orders are possible. */
  readonly dateOrder?: DateOrder;
  /** Of dates in figures that may be read in both orders: a person has to say. */
  readonly needsDateOrder?: boolean;
}

/** Profiles every column by the rows given. */
export function profileColumns(headings: readonly string[], rows: readonly Row[]): ColumnProfile[] {
  const whole = rows.filter(({ problem }) => !problem);
  return headings.map((heading, index) =>
    profile(
      heading,
      whole.map(({ cells }) => cells[index]),
    ),
  );
}

function profile(heading: string, cells: readonly (Cell | undefined)[]): ColumnProfile {
  const filled = cells.filter(
    (cell): cell is Cell => cell !== undefined && cell !== null && String(cell).trim() !== '',
  );
  const texts = filled.map(cellText);
  const values = [...new Set(texts)];
  const isUnique = filled.length === cells.length && values.length === filled.length && filled.length > 0;
  const identifiers = new Set(values.map(toIdentifier));
  return {
    heading,
    examples: values.slice(0, 3),
    filled: filled.length,
    values,
    isUnique,
    isIdentifying: isUnique && identifiers.size === values.length && !identifiers.has(undefined),
    ...kindOf(filled, texts),
  };
}

/** The cell as a person reads it. */
export function cellText(cell: Cell): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim();
}

type Kind = Pick<ColumnProfile, 'kind' | 'separator' | 'hasDecimalComma' | 'dateOrder' | 'needsDateOrder'>;

const booleans = /^(true|false|yes|no)$/i;
const address = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

function kindOf(cells: readonly Cell[], texts: readonly string[]): Kind {
  if (cells.length === 0) return { kind: 'text' };
  if (cells.every((cell) => typeof cell === 'boolean')) return { kind: 'boolean' };
  if (cells.every((cell) => typeof cell === 'number')) return { kind: 'number' };
  if (cells.every((cell) => Array.isArray(cell))) return { kind: 'list' };
  if (cells.every((cell) => typeof cell === 'object')) return { kind: 'object' };
  if (texts.every((text) => booleans.test(text))) return { kind: 'boolean' };
  // 007 is a name that somebody would miss the zeros of
  const isNumber = (hasComma: boolean) =>
    texts.every((text) => plainNumber(text, hasComma) !== undefined && !/^0\d/.test(text));
  if (isNumber(false)) return { kind: 'number' };
  if (isNumber(true)) return { kind: 'number', hasDecimalComma: true };
  if (texts.every(looksLikeDate)) return dates(texts);
  if (texts.every((text) => /^https?:\/\/\S+$/.test(text))) return { kind: 'url' };
  if (texts.every((text) => address.test(text))) return { kind: 'email' };
  const separator = guessSeparator(texts);
  return isList(texts, separator) ? { kind: 'list', separator } : { kind: 'text' };
}

function dates(texts: readonly string[]): Kind {
  const written = texts.filter((text) => !/^\d{4}-/.test(text));
  if (written.length === 0) return { kind: 'date' };
  const orders = new Set(written.map(findDateOrder));
  const [only] = [...orders].filter((order) => order !== undefined);
  const isClear = only !== undefined && !(orders.has('dmy') && orders.has('mdy'));
  return isClear ? { kind: 'date', dateOrder: only } : { kind: 'date', needsDateOrder: true };
}

/** Prose has commas too, and so have numbers: a list is of short parts that could be names, in a third of the cells. */
function isList(texts: readonly string[], separator: string): boolean {
  const split = texts.filter((text) => text.includes(separator));
  const isName = (part: string) => isIdentifier(part) && (separator !== ',' || /\p{L}/u.test(part));
  const areNames = split.every((text) =>
    text.split(separator).every((part) => part.trim() === '' || isName(part.trim())),
  );
  return split.length > 0 && split.length * 3 >= texts.length && areNames;
}
