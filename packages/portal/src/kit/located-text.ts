import { isNode, LineCounter, parseDocument, stringify } from 'yaml';

export type TextLanguage = 'yaml' | 'json';

/** A place in a text: offsets, and the line people count from 1. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** What is wrong with a text, and where. */
export interface TextProblem extends TextPlace {
  readonly message: string;
}

/** A text that was read, and where its values stand. */
export interface LocatedText {
  /** Absent where it could not be read; then there is a problem. */
  readonly value?: unknown;
  readonly problems: readonly TextProblem[];
  /** Of the value at a path, or of the nearest one around it. */
  placeOf(path: readonly (string | number)[]): TextPlace;
}

/** Reads YAML or JSON by one parser that knows where each value stands. */
export function readLocated(text: string, language: TextLanguage): LocatedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (from: number, to: number): TextPlace => ({
    from: Math.min(from, text.length),
    to: Math.max(Math.min(to, text.length), Math.min(from, text.length)),
    line: lines.linePos(from).line,
  });
  const placeOf = (path: readonly (string | number)[]): TextPlace => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0], node.range[1]);
    }
    return at(0, 0);
  };
  const problems = document.errors.map(({ pos, message }) => ({ ...at(pos[0], pos[1]), message }));
  if (problems.length > 0) return { problems, placeOf };
  try {
    // JSON that is none would be read as YAML without a word
    if (language === 'json') return { value: JSON.parse(text), problems, placeOf };
    return { value: document.toJS({ maxAliasCount: 20 }), problems, placeOf };
  } catch (error) {
    const { message } = error as Error;
    const offset = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    return { problems: [{ ...at(offset, offset + 1), message }], placeOf };
  }
}

/** A value as a text that people edit. */
export function writeText(value: unknown, language: TextLanguage): string {
  return language === 'json' ? JSON.stringify(value, null, 2) : stringify(value, { lineWidth: 0 });
}
