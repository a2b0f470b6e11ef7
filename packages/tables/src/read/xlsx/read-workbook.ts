import type { ArchiveFile } from '@portolan/archives';
import { TableError } from '../../table.ts';
import { isDateFormat } from './excel-date.ts';
import { readWhole, readXml } from './read-xml.ts';

export interface Workbook {
  /** In the order of the tabs. */
  readonly sheets: readonly { readonly name: string; readonly file: ArchiveFile }[];
  readonly epoch: 1900 | 1904;
  /** Texts that cells point to by number. */
  readonly texts: readonly string[];
  /** Whether a number in a cell of this style is a date. */
  readonly isDateStyle: readonly boolean[];
}

/** All texts of a workbook are held while it is read. */
const charactersMax = 64 * 1024 * 1024;

/** What has to be known of a workbook before its sheets can be read. @throws TableError */
export async function readWorkbook(files: readonly ArchiveFile[]): Promise<Workbook> {
  const find = (path: string) => files.find((file) => file.path.toLowerCase() === path.toLowerCase());
  const main = find('xl/workbook.xml');
  if (!main) {
    throw new TableError(
      'This is a zip file and no Excel workbook (.xlsx). Unpack it, and choose the file with the table.',
    );
  }
  const targets = new Map<string, string>();
  await readWhole(find('xl/_rels/workbook.xml.rels'), {
    open: (name, { Id, Target }) => {
      if (name === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const named: { name: string; path: string }[] = [];
  let epoch: Workbook['epoch'] = 1900;
  await readWhole(main, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? '')) epoch = 1904;
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      named.push({ name: attributes['name'] ?? '', path: targets.get(id) ?? '' });
    },
  });
  const sheets = named.flatMap(({ name, path }) => {
    const file = find(path);
    // charts are sheets without cells
    return file && /worksheets\//i.test(path) ? [{ name, file }] : [];
  });
  return {
    sheets,
    epoch,
    texts: await readTexts(find('xl/sharedStrings.xml')),
    isDateStyle: await readStyles(find('xl/styles.xml')),
  };
}

async function readTexts(file: ArchiveFile | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (!file) return texts;
  let characters = 0;
  let text = '';
  let isText = false;
  // how a text is pronounced stands beside it
  let isSpoken = false;
  const listener = {
    open: (name: string) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isSpoken = true;
      isText = name === 't' && !isSpoken;
    },
    text: (piece: string) => {
      if (isText) text += piece;
    },
    close: (name: string) => {
      isText = false;
      if (name === 'rPh') isSpoken = false;
      if (name !== 'si') return;
      characters += text.length;
      texts.push(text);
    },
  };
  for await (const _ of readXml(file, listener)) {
    if (characters + text.length > charactersMax) {
      throw new TableError(
        'The workbook holds too much text to be read at once. Save the sheet as CSV and choose that.',
      );
    }
  }
  return texts;
}

async function readStyles(file: ArchiveFile | undefined): Promise<readonly boolean[]> {
  const codes = new Map<number, string>();
  const isDate: boolean[] = [];
  let isCells = false;
  await readWhole(file, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isCells = true;
      if (name === 'xf' && isCells) isDate.push(isDateFormat(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))));
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return isDate;
}
