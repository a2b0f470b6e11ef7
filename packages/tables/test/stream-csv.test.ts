import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continueCsv, openCsvStream, openTable, type StreamedRow } from '../src/index.ts';
import { createCsvReader } from '../src/read/csv-reader.ts';
import { cellsMax, recordCharactersMax } from '../src/table.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const utf8 = (text: string) => new TextEncoder().encode(text);

async function all(batches: AsyncIterable<readonly StreamedRow[]>): Promise<StreamedRow[]> {
  const rows: StreamedRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

const withoutEnd = ({ lastLine: _lastLine, ...row }: StreamedRow) => row;

const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ';', ',', '"', '\n', '\r\n', '\t'), maxLength: 6 });
const written = (delimiter: string, rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');

describe('CSV that arrives once', () => {
  test('reads as the file does that is opened several times, in whatever pieces it comes', async () => {
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.nat(40),
        fc.boolean(),
        async (rows, delimiter, size, mark) => {
          const bytes = utf8(
            `${mark ? '\uFEFF' : ''}x${delimiter}y${delimiter}z\n${written(delimiter, rows)}\n1${delimiter}2${delimiter}3`,
          );
          const table = await openTable({ name: 'x.csv', open: () => pieces(bytes, 1000) });
          const expected = [];
          for await (const row of table.rows()) expected.push(row);
          const stream = await openCsvStream(pieces(bytes, size + 1));
          expect(stream.form).toEqual({ encoding: table.options.encoding, delimiter: table.options.delimiter });
          expect(stream.columns).toEqual(table.columns);
          expect((await all(stream.rows)).map(withoutEnd)).toEqual(expected);
        },
      ),
    );
  });

  test('goes on after any row, with the lines of the file', async () => {
    const bytes = utf8('id,text\na,"one\ntwo"\n\nb,x\n,\nc,"a\r\nb\r\nc"\nd,"open');
    const whole = await openCsvStream(pieces(bytes, 5));
    const rows = await all(whole.rows);
    expect(rows.map(({ row, lastLine }) => [row, lastLine])).toEqual([
      [2, 3],
      [5, 5],
      [7, 9],
      [10, 10],
    ]);
    expect(rows.at(-1)?.problem?.message).toContain('opened in line 10');
    const lines = new TextDecoder().decode(bytes).split('\n');
    for (const [index, { lastLine }] of rows.entries()) {
      const rest = utf8(lines.slice(lastLine).join('\n'));
      expect(await all(continueCsv(pieces(rest, 3), whole.form, whole.columns, lastLine))).toEqual(
        rows.slice(index + 1),
      );
    }
  });

  test('may have headings alone, and never be empty or packed', async () => {
    const { columns, rows, headingLine } = await openCsvStream(pieces(utf8('\n"a\nb",c'), 2));
    expect([columns, headingLine, await all(rows)]).toEqual([['a\nb', 'c'], 3, []]);
    for (const empty of ['', '\n \n', '\uFEFF']) {
      await expect(openCsvStream(pieces(utf8(empty), 9))).rejects.toThrow('The file is empty.');
    }
    await expect(openCsvStream(pieces(new Uint8Array([0x1f, 0x8b, 8, 0]), 9))).rejects.toThrow('gzip');
  });

  test('takes no more of its source than it was asked for', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield utf8('id,text\n');
      for (;;) {
        taken += 1;
        yield utf8(`r${taken},${'x'.repeat(1000)}\n`);
      }
    }
    const { rows } = await openCsvStream(endless());
    const afterHeadings = taken;
    expect(afterHeadings).toBeLessThan(70);
    for (let batch = 0; batch < 3; batch += 1) await rows.next();
    expect(taken).toBeLessThanOrEqual(afterHeadings + 3);
  });
});

describe('a row that never ends', () => {
  const grown = (text: string, times: number) => {
    const reader = createCsvReader(',');
    const records = reader.push('id,b\n');
    for (let time = 0; time < times; time += 1) records.push(...reader.push(text));
    return [...records, ...reader.push('\nnext,1\n')];
  };

  test.each([
    ['of one cell', 'x'.repeat(100_000), 100, /more than 1 MB/],
    ['of wide cells', `${'x'.repeat(100_000)},`, 100, /more than 4 MB/],
    ['of empty cells', ','.repeat(100_000), 10, /more than 1000 cells/],
  ])('%s is one problem and little memory', (_name, text, times, message) => {
    const [, row, next] = grown(text, times);
    expect(row?.problem?.message).toMatch(message);
    expect(row?.cells.length).toBeLessThanOrEqual(cellsMax);
    expect(row?.cells.join('').length).toBeLessThanOrEqual(recordCharactersMax);
    expect(next?.cells).toEqual(['next', '1']);
    expect(next?.problem).toBeUndefined();
  });
});
