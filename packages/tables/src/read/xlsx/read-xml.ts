import { ArchiveError, type ArchiveFile } from '@portolan/archives';
import { SaxesParser } from 'saxes';
import { TableError } from '../../table.ts';

type Attributes = Readonly<Record<string, string>>;

/** What a reader of a part of a workbook listens for. Names come without their prefix. */
export interface XmlListener {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Reads a part of a workbook piece by piece; yields after each piece. @throws TableError */
export async function* readXml(file: ArchiveFile, listener: XmlListener): AsyncGenerator<undefined> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  let failure: Error | undefined;
  // entities of a document's own are an error to the parser, so that none can be unfolded into gigabytes
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('opentag', ({ name, attributes }) => listener.open?.(withoutPrefix(name), attributes as Attributes));
  parser.on('closetag', ({ name }) => listener.close?.(withoutPrefix(name)));
  parser.on('text', (text) => listener.text?.(text));
  try {
    for await (const piece of file.read()) {
      parser.write(decoder.decode(piece, { stream: true }));
      if (failure) throw failure;
      yield;
    }
    parser.close();
    if (failure) throw failure;
  } catch (error) {
    if (error instanceof TableError) throw error;
    if (error instanceof ArchiveError) throw new TableError(error.message);
    throw new TableError(
      `The workbook is damaged: ${file.path} cannot be read (${(error as Error).message}). Save it anew.`,
    );
  }
}

/** Reads a small part to its end. @throws TableError */
export async function readWhole(file: ArchiveFile | undefined, listener: XmlListener): Promise<void> {
  if (!file) return;
  for await (const _ of readXml(file, listener));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
