import { parseDocuments } from '@portolan/backstage';
import type { JqValue } from '@portolan/jq';
import { type Document, isNode, isSeq, LineCounter, YAMLError } from 'yaml';

/** A value of a file with the place where it stands. */
export interface PlacedValue {
  readonly value: JqValue;
  readonly line: number;
}

/** Aliases that a document may resolve; more are a bomb. */
const aliasesMax = 100;
const documentsMax = 1_000;

export class UnreadableFile extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, at?: { readonly line: number; readonly col: number }) {
    super(message);
    this.name = 'UnreadableFile';
    this.line = at?.line;
    this.column = at?.col;
  }
}

/**
 * The values of a YAML or JSON file; the items of a list in the place of a document come one by one.
 * @throws UnreadableFile
 */
export function readYaml(text: string): readonly PlacedValue[] {
  const lines = new LineCounter();
  const documents = parseDocuments(text, lines);
  if (documents.length > documentsMax) throw new UnreadableFile(`The file has more than ${documentsMax} documents`);
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw unreadable(error, lines);
    const { contents } = document;
    const value = plainValue(document);
    const lineOf = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
    if (!Array.isArray(value)) return value === null ? [] : [{ value, line: lineOf(contents?.range?.[0]) }];
    const nodes = isSeq(contents) ? contents.items : [];
    return value.map((each: JqValue, index) => {
      const node = nodes[index];
      const range = isNode(node) ? node.range : undefined;
      return { value: each, line: lineOf(range?.[0] ?? contents?.range?.[0]) };
    });
  });
}

/** @throws UnreadableFile if aliases multiply beyond measure */
function plainValue(document: Document): JqValue {
  try {
    // what JSON cannot hold, such as .nan, becomes null
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: aliasesMax })) ?? 'null') as JqValue;
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof YAMLError) {
      throw new UnreadableFile(`The file uses aliases that cannot be resolved: ${error.message}`);
    }
    throw error;
  }
}

function unreadable({ message, pos }: { message: string; pos: readonly [number, number] }, lines: LineCounter): Error {
  return new UnreadableFile(message, lines.linePos(pos[0]));
}
