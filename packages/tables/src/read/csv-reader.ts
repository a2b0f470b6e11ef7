import { cellCharactersMax, cellsMax, recordCharactersMax } from '../table.ts';

/** A record of a CSV file as it was written. */
export interface CsvRecord {
  /** The line where it begins. */
  readonly line: number;
  /** The line where it ends: another one if a cell holds line breaks. */
  readonly lastLine: number;
  readonly cells: readonly string[];
  /** The first thing that is wrong with it; `cell` counts from 0. */
  readonly problem?: { readonly cell: number; readonly message: string };
}

export interface CsvReader {
  /** The records that the text completes. */
  push(text: string): CsvRecord[];
  /** The last record, if the text does not end with a line break. */
  end(): CsvRecord[];
}

/** Where the reader stands: before a cell, in a plain or quoted one, after a quote in a quoted one, or past its end. */
type State = 'start' | 'plain' | 'quoted' | 'quote' | 'after';

/**
 * Reads RFC 4180 in pieces of any size: line breaks LF, CR LF or CR, quotes doubled inside quotes. A broken record is
 * answered with its problem and reading goes on; nothing is dropped but what is too large to hold. Empty lines are no
 * records.
 */
export function createCsvReader(delimiter: string, firstLine = 1): CsvReader {
  let state: State = 'start';
  let line = firstLine;
  let recordLine = firstLine;
  let cells: string[] = [];
  let cell = '';
  let size = 0;
  let isTooLong = false;
  let problem: CsvRecord['problem'];
  let quoteLine = firstLine;
  let afterReturn = false;
  let records: CsvRecord[] = [];

  function blame(message: string): void {
    problem ??= { cell: cells.length, message };
  }

  function append(text: string): void {
    if (isTooLong) return;
    if (cell.length + text.length > cellCharactersMax) {
      drop('The cell holds more than 1 MB. Look for a quote that is opened before it and never closed.');
    } else if (size + text.length > recordCharactersMax) {
      drop('The row holds more than 4 MB. Look for a quote that is opened in it and never closed.');
    } else {
      cell += text;
      size += text.length;
    }
  }

  function drop(message: string): void {
    isTooLong = true;
    blame(message);
    size -= cell.length;
    cell = '';
  }

  function endCell(): void {
    if (cells.length < cellsMax) cells.push(cell);
    else blame(`The row has more than ${cellsMax} cells. Look at its delimiters.`);
    cell = '';
    isTooLong = false;
    state = 'start';
  }

  function endRecord(nextLine: number): void {
    const isEmptyLine = cells.length === 0 && cell === '' && state === 'start';
    if (!isEmptyLine) {
      endCell();
      records.push({ line: recordLine, lastLine: nextLine - 1, cells, ...(problem ? { problem } : {}) });
    }
    cells = [];
    size = 0;
    isTooLong = false;
    problem = undefined;
    state = 'start';
    recordLine = nextLine;
  }

  /** The end of what may be taken as it is from `from` on. */
  function plainEnd(text: string, from: number): number {
    let end = from;
    for (; end < text.length; end++) {
      const character = text[end];
      if (character === delimiter || character === '\n' || character === '\r') break;
    }
    return end;
  }

  function quotedEnd(text: string, from: number): number {
    let end = from;
    for (; end < text.length; end++) {
      const character = text[end];
      if (character === '"') break;
      if (character === '\r' || (character === '\n' && !(end > 0 ? text[end - 1] === '\r' : afterReturn))) line++;
    }
    return end;
  }

  function take(): CsvRecord[] {
    const taken = records;
    records = [];
    return taken;
  }

  /** Reads a delimiter or line break outside quotes. Answers whether the character was one. */
  function readBreak(character: string): boolean {
    if (character === delimiter) endCell();
    else if (character === '\n' || character === '\r') endRecord(++line);
    else return false;
    return true;
  }

  function push(text: string): CsvRecord[] {
    let at = 0;
    while (at < text.length) {
      const character = text[at] as string;
      if (state === 'quoted') {
        const end = quotedEnd(text, at);
        append(text.slice(at, end));
        if (end < text.length) state = 'quote';
        at = end + 1;
        continue;
      }
      if (
        character === '\n' &&
        (at > 0 ? text[at - 1] === '\r' : afterReturn) &&
        state === 'start' &&
        cells.length === 0
      ) {
        at++; // the second half of CR LF
        continue;
      }
      if (state === 'quote' && character === '"') {
        append('"');
        state = 'quoted';
        at++;
      } else if (readBreak(character)) at++;
      else if (state === 'start' && character === '"') {
        state = 'quoted';
        quoteLine = line;
        at++;
      } else {
        if (state === 'quote') {
          blame('There is text after the closing quote. Double the quotes inside a quoted cell.');
          state = 'after';
        } else if (state === 'start') state = 'plain';
        const end = plainEnd(text, at);
        append(text.slice(at, end));
        at = end;
      }
    }
    if (text) afterReturn = text.endsWith('\r');
    return take();
  }

  function end(): CsvRecord[] {
    if (state === 'quoted') {
      blame(`The quote opened in line ${quoteLine} is never closed, so the rest of the file was read as one cell.`);
    }
    if (state !== 'start' || cells.length > 0) endRecord(line + 1);
    return take();
  }

  return { push, end };
}
