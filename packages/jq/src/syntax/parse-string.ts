import { JqSyntaxError } from '../errors.ts';
import { wellFormed } from '../value/text.ts';
import type { Expression, StringExpression } from './ast.ts';
import type { Tokens } from './tokens.ts';

const escapePattern = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;
const plainEscapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Parses a string with its interpolations; its opening quote is the current token. */
export function parseString(
  tokens: Tokens,
  format: string | null,
  start: number,
  parsePipe: () => Expression,
): StringExpression {
  const parts: (string | Expression)[] = [];
  for (;;) {
    const piece = tokens.readStringPiece();
    if (piece.raw !== '') parts.push(unescaped(tokens, piece.raw, piece.start));
    if (piece.isLast) break;
    tokens.advance();
    parts.push(tokens.nested(parsePipe));
    if (!tokens.isSymbol(')')) throw tokens.unexpected(["')'"]);
  }
  const end = tokens.stringEnd;
  tokens.advance();
  return { kind: 'string', format, parts, start, end };
}

function unescaped(tokens: Tokens, raw: string, start: number): string {
  if (!raw.includes('\\')) return wellFormed(raw);
  const text = raw.replace(escapePattern, (_, hex: string | undefined, char: string | undefined, at: number) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const plain = plainEscapes[char!];
    if (plain === undefined) throw new JqSyntaxError(`invalid escape '\\${char}'`, tokens.source, start + at);
    return plain;
  });
  return wellFormed(text);
}
