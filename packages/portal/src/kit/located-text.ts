import { isNode, LineCounter, parseDocument, stringify } from 'yaml';

export type TextLanguage = 'yaml' | 'json';

/** A place in a text: offsets, and the line number from 1. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** A problem of a text, and its place. */
export interface TextProblem extends TextPlace {
  readonly message: string;
}

/** A parsed text with the places of its values. */
export interface LocatedText {
  /** Absent if the text could not be parsed; there is a problem then. */
  readonly value?: unknown;
  readonly problems: readonly TextProblem[];
  /** The place of the value at a path, or of its nearest ancestor. */
  placeOf(path: readonly (string | number)[]): TextPlace;
}

/** Parses YAML or JSON and records the place of each value. */
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
    // invalid JSON would silently parse as YAML
    if (language === 'json') return { value: JSON.parse(text), problems, placeOf };
    return { value: document.toJS({ maxAliasCount: 20 }), problems, placeOf };
  } catch (error) {
    const { message } = error as Error;
    const offset = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    return { problems: [{ ...at(offset, offset + 1), message }], placeOf };
  }
}

/** A value as editable text. */
export function writeText(value: unknown, language: TextLanguage): string {
  return language === 'json' ? JSON.stringify(value, null, 2) : stringify(value, { lineWidth: 0 });
}
