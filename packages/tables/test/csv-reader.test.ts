import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRecord, createCsvReader } from '../src/read/csv-reader.ts';

function read(text: string, cuts: readonly number[] = [], delimiter = ','): CsvRecord[] {
  const reader = createCsvReader(delimiter);
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((left, right) => left - right);
  const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const cells = (records: readonly CsvRecord[]) => records.map((record) => record.cells);
const csvText = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '\r', '\r\n', '""', 'é'),
  maxLength: 60,
});
const anyCuts = fc.array(fc.nat(200), { maxLength: 6 });

describe('a CSV file', () => {
  test('reads the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(csvText, anyCuts, (text, cuts) => {
        expect(read(text, cuts)).toEqual(read(text));
      }),
    );
  });

  test('reads as csv-parse reads it, wherever that accepts it', () => {
    fc.assert(
      fc.property(csvText, fc.constantFrom('\n', '\r\n', '\r'), (text, lineBreak) => {
        const file = text.replaceAll(/\r\n|\r|\n/g, lineBreak);
        let expected: string[][];
        try {
          expected = parse(file, { relax_column_count: true, skip_empty_lines: true, record_delimiter: lineBreak });
        } catch {
          return; // broken quotes: the next test
        }
        expect(cells(read(file))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('written with every cell quoted comes back as it was', () => {
    const table = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 4 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(table, anyCuts, (rows, cuts) => {
        const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        expect(cells(read(text, cuts))).toEqual(rows);
      }),
    );
  });

  test('tells broken records and goes on with the next', () => {
    const records = read('a,b\n"x"y,1\nok,2\n');
    expect(records.map(({ line, problem }) => [line, problem?.cell])).toEqual([
      [1, undefined],
      [2, 0],
      [3, undefined],
    ]);
  });

  test('says where a quote was opened that nothing closes', () => {
    const [, last] = read('a,b\n1,"2\n3,4\n');
    expect(last?.problem?.message).toContain('The quote opened in line 2 is never closed');
  });

  test('keeps no cell of more than 1 MB', () => {
    const [record, next] = read(`${'x'.repeat(10_000_000)},1\n2,3`);
    expect(record?.problem?.message).toContain('more than 1 MB');
    expect(record?.cells).toEqual(['', '1']);
    expect(next?.cells).toEqual(['2', '3']);
  });

  test.each(['\n', '\r\n', '\r'])('counts lines by %j, inside quotes too', (lineBreak) => {
    const text = ['a,b', '"1', '2",3', '4,5'].join(lineBreak);
    expect(read(text).map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(read(text, [5, 6, 7, 8, 9]).map(({ line }) => line)).toEqual([1, 2, 4]);
  });
});
