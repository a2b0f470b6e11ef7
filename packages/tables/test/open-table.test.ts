import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTable, TableError } from '../src/index.ts';
import { collect, makeFile, makeTable } from './files.ts';

const rowsOf = async (content: string, name?: string) =>
  (await collect((await makeTable(content, name)).rows())).map(({ row, cells }) => [row, ...cells]);

describe('a table', () => {
  test.each([
    [',', 'name,tier\na,1\nb,2\n'],
    [';', 'name;tier\na;1,5\nb;2,5\n'],
    ['\t', 'name\ttier\na\t1, or 2\nb\t2\n'],
    ['|', 'name|tier\na|1\nb|2\n'],
  ])('is read by the delimiter %j that fits its rows', async (delimiter, text) => {
    const table = await makeTable(text);
    expect(table.options.delimiter).toBe(delimiter);
    expect(table.columns).toEqual(['name', 'tier']);
  });

  test.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, ...Buffer.from('name,cost\nCafé,5 €\n')]],
    ['UTF-16 little endian', [0xff, 0xfe, ...Buffer.from('name,cost\nCafé,5 €\n', 'utf16le')]],
    ['UTF-16 big endian', [0xfe, 0xff, ...Buffer.from('name,cost\nCafé,5 €\n', 'utf16le').swap16()]],
    ['UTF-16 without a mark', [...Buffer.from('name,cost\nCafé,5 €\n', 'utf16le')]],
    ['Windows-1252', [...Buffer.from('name,cost\nCaf'), 0xe9, ...Buffer.from(',5 '), 0x80, 0x0a]],
  ])('is read from %s', async (_, bytes) => {
    const table = await openTable(makeFile(Uint8Array.from(bytes)));
    expect(table.columns).toEqual(['name', 'cost']);
    expect((await collect(table.rows()))[0]?.cells).toEqual(['Café', '5 €']);
  });

  test('of JSON is the list at the top, or the first list of objects in it', async () => {
    expect(await rowsOf('[{"name":"a","tier":1},{"tier":2}]', 'x.json')).toEqual([
      [1, 'a', 1],
      [2, undefined, 2],
    ]);
    expect(
      await rowsOf('{"tags":["x"],"data":{"items":[{"name":"a, ]}"},{"name":"b"}],"more":[{}]}}', 'x.json'),
    ).toEqual([
      [1, 'a, ]}'],
      [2, 'b'],
    ]);
  });

  test('of JSON lines is told by its content when it is pasted', async () => {
    expect(await rowsOf('{"name":"a"}\n\n{"name":"b"}\n', '')).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
  });

  test('of JSON reads whatever JSON.stringify writes, in whatever pieces', async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const list = fc.array(fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(list, fc.nat(20), fc.constantFrom(undefined, 2), async (values, piece, indent) => {
        const text = JSON.stringify({ meta: { keys: ['a', 1] }, rows: values }, null, indent);
        const table = await openTable(makeFile(text, 'x.json', piece + 1), { path: ['rows'] });
        const read = (await collect(table.rows())).map(({ cells }) =>
          Object.fromEntries(table.columns.flatMap((name, at) => (cells[at] === undefined ? [] : [[name, cells[at]]]))),
        );
        expect(read).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  test('answers a sentence or rows for any bytes, and each record is a row', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('a.csv', 'a.json', 'a.ndjson', ''),
        async (bytes, name) => {
          try {
            const table = await openTable(makeFile(bytes, name));
            const rows = await collect(table.rows());
            expect(rows.length).toBeGreaterThan(0);
            for (const { cells, problem } of rows) expect(cells.length <= table.columns.length || problem).toBeTruthy();
          } catch (error) {
            expect(error).toBeInstanceOf(TableError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['an empty file', '', 'a.csv', 'The file is empty.'],
    ['a file of spaces', ' \n\n', 'a.csv', 'The file is empty.'],
    ['headings alone', 'name,tier\n', 'a.csv', 'The file has headings and no rows.'],
    ['a zip', 'PK\u0003\u0004…', 'a.zip', 'This is a zip file. Unpack it'],
    ['JSON without a list', '{"name": 1', 'a.json', 'The file has no list at the top.'],
    ['JSON that is cut off', '[{"a":1},{"a":2}', 'a.json', 'ends inside the list'],
    ['an empty list', '[]', 'a.json', 'The list is empty.'],
    ['too many columns', `${'a,'.repeat(500)}b\n1`, 'a.csv', 'At most 500 are read.'],
  ])('refuses %s with what to do', async (_, text, name, message) => {
    await expect(makeTable(text, name)).rejects.toThrow(message);
  });

  test('refuses bytes that the encoding does not have instead of replacing them', async () => {
    const bytes = Uint8Array.from([...Buffer.from('name\n'), 0xe9, 0x0a]);
    await expect(openTable(makeFile(bytes), { encoding: 'utf-8' })).rejects.toThrow('The file is not UTF-8');
  });

  test('names doubled and empty headings, and tells', async () => {
    const table = await makeTable('name,name,\na,b,c\n');
    expect(table.columns).toEqual(['name', 'name (2)', 'Column 3']);
    expect(table.notes).toEqual(['The heading "name" stands twice; the second is called "name (2)" here.']);
  });

  test('refuses a row with more cells than headings, and takes a shorter one', async () => {
    const rows = await collect((await makeTable('a,b\n1,2,3\n4\n5,6,\n')).rows());
    expect(rows.map(({ problem }) => problem?.message.includes('3 cells and the table 2 columns'))).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  test('tells of a key that comes after the rows that the columns are taken from', async () => {
    const lines = Array.from({ length: 1001 }, (_, index) =>
      JSON.stringify(index < 1000 ? { a: 1 } : { a: 1, late: 2 }),
    );
    const table = await makeTable(lines.join('\n'), 'x.ndjson');
    await collect(table.rows());
    expect(table.notes).toEqual([expect.stringContaining('"late" first occurs in element 1001')]);
  });
});
