import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Document as ParsedDocument,
  parseAllDocuments,
  YAMLParseError,
} from 'yaml';

/** More line ends, commas and colons than this are not looked at: each may begin a value, and each value takes its time. */
const marksMax = 200_000;
/** Each alias is looked for among all values before it. */
const stepsMax = 2_000_000;

/**
 * The documents of a YAML text that somebody else wrote, in time that grows as the text does: the parser itself compares
 * each key of a mapping with all others, and looks for the target of each alias from the beginning. What is wrong with a
 * document is the first of its `errors`.
 */
export function parseDocuments(text: string, lineCounter: LineCounter): readonly ParsedDocument[] {
  let marks = 0;
  for (const _mark of text.matchAll(/[\n,:]/g)) marks += 1;
  if (marks > marksMax) {
    return [refused(`The file has more than ${marksMax} values`)];
  }
  const parsed = parseAllDocuments(text, {
    lineCounter,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents = Array.isArray(parsed) ? (parsed as ParsedDocument[]) : [];
  for (const document of documents) if (document.errors.length === 0) check(document);
  return documents;
}

function check(document: ParsedDocument): void {
  let aliases = 0;
  let nodes = 0;
  const waiting: unknown[] = [document.contents];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes += 1;
    if (isAlias(node)) aliases += 1;
    else if (isSeq(node)) for (const item of node.items) waiting.push(item ?? null);
    else if (isMap(node)) {
      const names = new Set<unknown>();
      for (const { key, value } of node.items) {
        if (isScalar(key) && names.has(key.value)) {
          const [from = 0, to = from] = key.range ?? [];
          document.errors.push(new YAMLParseError([from, to], 'DUPLICATE_KEY', 'Map keys must be unique'));
          return;
        }
        if (isScalar(key)) names.add(key.value);
        waiting.push(key ?? null, value ?? null);
      }
    }
  }
  if (aliases * nodes > stepsMax) {
    document.errors.push(new YAMLParseError([0, 0], 'RESOURCE_EXHAUSTION', 'The document has too many aliases'));
  }
}

function refused(message: string): ParsedDocument {
  const document = new Document(null);
  document.errors.push(new YAMLParseError([0, 0], 'RESOURCE_EXHAUSTION', message));
  return document;
}
