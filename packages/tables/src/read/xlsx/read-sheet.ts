import type { ArchiveFile } from '@portolan/archives';
import { type Cell, columnsMax, TableError } from '../../table.ts';
import { readSerial } from './excel-date.ts';
import type { Workbook } from './read-workbook.ts';
import { readWhole, readXml } from './read-xml.ts';

export interface SheetRow {
  readonly row: number;
  readonly cells: readonly (Cell | undefined)[];
  /** A cell whose formula failed. */
  readonly failed?: { readonly cell: number; readonly message: string };
}

/** Cells of which the first one holds the value of all. */
interface Merged {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const mergedMax = 10_000;

/** The merged cells of a sheet, which are listed after its rows. @throws TableError */
export async function readMerged(file: ArchiveFile): Promise<readonly Merged[]> {
  const merged: Merged[] = [];
  await readWhole(file, {
    open: (name, { ref }) => {
      const [, left, top, right, bottom] =
        /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec((name === 'mergeCell' && ref) || '') ?? [];
      if (!left || !top || !right || !bottom) return;
      if (merged.length >= mergedMax) {
        throw new TableError(`The sheet has more than ${mergedMax} merged cells. Undo the merging, or save it as CSV.`);
      }
      merged.push({ top: Number(top), bottom: Number(bottom), left: columnIndex(left), right: columnIndex(right) });
    },
  });
  return merged;
}

/** The rows of a sheet with the stored values of formulas, merged cells filled, as they are unpacked. @throws TableError */
export async function* readSheet(
  file: ArchiveFile,
  workbook: Workbook,
  merged: readonly Merged[],
): AsyncGenerator<SheetRow> {
  const ready: SheetRow[] = [];
  const fill = createFiller(merged);
  let row = 0;
  let cells: (Cell | undefined)[] = [];
  let failed: SheetRow['failed'];
  let column = -1;
  let type = '';
  let style = 0;
  let value = '';
  let isValue = false;
  const listener = {
    open: (name: string, { r, t, s }: Readonly<Record<string, string>>) => {
      if (name === 'row') {
        row = r === undefined ? row + 1 : Number(r);
        cells = [];
        failed = undefined;
        column = -1;
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : columnIndex(r.replace(/\d+$/, ''));
        type = t ?? 'n';
        style = Number(s ?? 0);
        value = '';
      }
      isValue = name === 'v' || name === 't';
    },
    text: (piece: string) => {
      if (isValue) value += piece;
    },
    close: (name: string) => {
      isValue = false;
      if (name === 'c' && column < columnsMax) {
        if (type === 'e')
          failed ??= { cell: column, message: `Its formula fails with ${value}. Put it right in the sheet.` };
        cells[column] = toCell(value, type, style, workbook);
      } else if (name === 'row') {
        fill(row, cells);
        if (cells.some((cell) => cell !== undefined && String(cell).trim() !== '')) {
          ready.push({ row, cells: Array.from(cells), ...(failed ? { failed } : {}) });
        }
      }
    },
  };
  for await (const _ of readXml(file, listener)) yield* ready.splice(0);
}

function toCell(value: string, type: string, style: number, { texts, epoch, isDateStyle }: Workbook): Cell | undefined {
  if (type === 's') return texts[Number(value)];
  if (value === '') return undefined;
  if (type === 'b') return value === '1' || value === 'true';
  if (type !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return isDateStyle[style] ? (readSerial(number, epoch) ?? number) : number;
}

/** Writes the value of the first of merged cells into the others. Rows come from the top. */
function createFiller(merged: readonly Merged[]) {
  const values = new Map<Merged, Cell | undefined>();
  const waiting = merged
    .filter(({ left, right }) => left < columnsMax && right >= left)
    .toSorted((a, b) => b.top - a.top);
  let open: Merged[] = [];
  return (row: number, cells: (Cell | undefined)[]): void => {
    while ((waiting.at(-1)?.top ?? Number.POSITIVE_INFINITY) <= row) open.push(waiting.pop() as Merged);
    open = open.filter(({ bottom }) => bottom >= row);
    for (const each of open) {
      if (each.top === row) values.set(each, cells[each.left]);
      for (let at = each.left; at <= Math.min(each.right, columnsMax - 1); at++) cells[at] = values.get(each);
    }
  };
}

/** `A` is 0, `AA` is 26. */
function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}
