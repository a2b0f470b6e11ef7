import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { openTable, TableError, type TableFile } from '../src/index.ts';
import { readSerial } from '../src/read/xlsx/excel-date.ts';
import { collect } from './files.ts';

interface Sheet {
  readonly name: string;
  readonly rows: string;
  readonly after?: string;
}

const texts = ['Name', 'Since', 'Cost', 'Cart &amp; co', 'group'];
const sharedTexts = [
  ...texts.map((text) => `<si><t>${text}</t></si>`),
  '<si><r><t>rich</t></r><r><t> text</t></r><rPh><t>x</t></rPh></si>',
];
const styles =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>';

async function workbook(sheets: readonly Sheet[], { is1904 = false, more = {} as Record<string, string> } = {}) {
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><x:workbook xmlns:x="m" xmlns:r="r">${is1904 ? '<x:workbookPr date1904="1"/>' : ''}<x:sheets>${sheets
      .map(({ name }, index) => `<x:sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map(
        (_none, index) =>
          `<Relationship Id="rId${index + 1}" Target="${index % 2 ? '/xl/' : ''}worksheets/sheet${index + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${sharedTexts.join('')}</sst>`,
    'xl/styles.xml': styles,
    ...more,
  };
  for (const [index, { rows, after = '' }] of sheets.entries()) {
    parts[`xl/worksheets/sheet${index + 1}.xml`] ??= `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;
  }
  const writer = new ZipWriter(new BlobWriter());
  for (const [path, text] of Object.entries(parts))
    await writer.add(path, new TextReader(text), { useWebWorkers: false });
  return toFile(await writer.close());
}

function toFile(blob: Blob, name = 'services.xlsx'): TableFile {
  return { name, open: () => blob.stream(), blob: async () => blob };
}

const headings =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>';
const read = async (file: TableFile, sheet?: string) => {
  const table = await openTable(file, sheet === undefined ? {} : { sheet });
  return { table, rows: await collect(table.rows()) };
};
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TableError);
  return (error as TableError).message;
};

describe('a workbook', () => {
  test('gives texts, numbers, truths, dates and the stored values of formulas', async () => {
    const rows =
      `${headings}<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2" s="1"><v>45292</v></c><c r="C2" s="3"><v>12.5</v></c></row>` +
      '<row r="4"><c r="A4" t="s"><v>5</v></c><c r="B4" s="4"><v>45292.75</v></c><c r="C4"><f>SUM(C2:C3)</f><v>7</v></c></row>' +
      '<row r="5"><c t="inlineStr"><is><t>inline</t></is></c><c t="str"><f>X()</f><v>text of a formula</v></c><c t="b"><v>1</v></c></row>';
    const { table, rows: found } = await read(await workbook([{ name: 'Services', rows }]));
    expect(table.columns).toEqual(['Name', 'Since', 'Cost']);
    expect(found.map(({ row, cells }) => [row, ...cells])).toEqual([
      [2, 'Cart & co', '2024-01-01', 12.5],
      [4, 'rich text', '2024-01-01T18:00:00.000Z', 7],
      [5, 'inline', 'text of a formula', true],
    ]);
  });

  test('that counts days from 1904 has its dates read so', async () => {
    const rows = `${headings}<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="2"><v>43830</v></c></row>`;
    const { rows: found } = await read(await workbook([{ name: 'A', rows }], { is1904: true }));
    expect(found[0]?.cells[1]).toBe('2024-01-01');
  });

  test('fills merged cells, and passes over empty rows', async () => {
    const rows =
      `${headings}<row r="2"><c r="A2"><v>1</v></c><c r="C2" t="s"><v>4</v></c></row><row r="3"><c r="A3"/></row>` +
      '<row r="4"><c r="A4"><v>2</v></c></row><row r="6"><c r="A6"><v>3</v></c><c r="B6" t="s"><v>4</v></c></row>';
    const after = '<mergeCells><mergeCell ref="C2:C4"/><mergeCell ref="B6:C6"/></mergeCells>';
    const { rows: found } = await read(await workbook([{ name: 'A', rows, after }]));
    expect(found.map(({ row, cells }) => [row, ...cells])).toEqual([
      [2, 1, undefined, 'group'],
      [3, undefined, undefined, 'group'],
      [4, 2, undefined, 'group'],
      [6, 3, 'group', 'group'],
    ]);
  });

  test('lets a sheet be chosen, and takes the first with rows otherwise', async () => {
    const row = '<row r="2"><c r="A2"><v>1</v></c></row>';
    const sheets = [
      { name: 'Cover', rows: '' },
      { name: 'Services', rows: headings + row },
      { name: 'Teams', rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>Team</t></is></c></row>${row}` },
    ];
    const file = await workbook(sheets);
    const { table } = await read(file);
    expect([table.options.sheet, table.sheets]).toEqual(['Services', ['Cover', 'Services', 'Teams']]);
    expect((await read(file, 'Teams')).table.columns).toEqual(['Team']);
    expect(await refusal(read(file, 'Cover'))).toContain('The sheet "Cover" is empty.');
    expect(await refusal(read(file, 'None'))).toContain('It has Cover, Services, Teams.');
  });

  test('tells a formula that fails, and cells without a heading, with their row', async () => {
    const rows = `${headings}<row r="2"><c r="A2"><v>1</v></c><c r="C2" t="e"><v>#REF!</v></c></row><row r="3"><c r="E3"><v>1</v></c></row>`;
    const { rows: found } = await read(await workbook([{ name: 'A', rows }]));
    expect(found.map(({ row, problem }) => [row, problem?.column, problem?.message])).toEqual([
      [2, 'Cost', 'Its formula fails with #REF!. Put it right in the sheet.'],
      [3, undefined, 'The row has cells beyond the 3 headings. Give each column a heading.'],
    ]);
  });

  test('that is damaged, no workbook, or holds entities of its own is told', async () => {
    const cut = { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${headings}<row r="2">` };
    expect(await refusal(workbook([{ name: 'A', rows: '' }], { more: cut }).then((file) => read(file)))).toContain(
      'damaged',
    );
    const lol = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>`;
    const bomb = { 'xl/sharedStrings.xml': lol };
    expect(
      await refusal(workbook([{ name: 'A', rows: headings }], { more: bomb }).then((file) => read(file))),
    ).toContain('damaged');
    const writer = new ZipWriter(new BlobWriter());
    await writer.add('a.csv', new TextReader('a,b'), { useWebWorkers: false });
    expect(await refusal(read(toFile(await writer.close())))).toContain('no Excel workbook');
    const old = new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3])]);
    expect(await refusal(read(toFile(old, 'old.xls')))).toContain('old Excel');
  });
});

test.each([
  [1, 1900, '1900-01-01'],
  [59, 1900, '1900-02-28'],
  [61, 1900, '1900-03-01'],
  [0.5, 1900, '12:00:00'],
  [25_569, 1900, '1970-01-01'],
  [45_292.000_011_574, 1900, '2024-01-01T00:00:01.000Z'],
  [0, 1904, '1904-01-01'],
  [-1, 1900, undefined],
] as const)('the serial number %d of %d is %s', (serial, epoch, date) => {
  expect(readSerial(serial, epoch)).toBe(date);
});
