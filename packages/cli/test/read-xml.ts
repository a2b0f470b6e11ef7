import { SaxesParser } from 'saxes';

export interface XmlTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The tags of a document in order, each with the text before its first child. @throws Error if it is not well-formed */
export function readXml(document: string): XmlTag[] {
  const tags: { name: string; attributes: Record<string, string>; text: string }[] = [];
  let isOpen = false;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    tags.push({ name, attributes: { ...attributes } as Record<string, string>, text: '' });
    isOpen = true;
  });
  parser.on('closetag', () => {
    isOpen = false;
  });
  parser.on('text', (text) => {
    const last = tags.at(-1);
    if (last && isOpen) last.text += text;
  });
  parser.write(document).close();
  return tags;
}
