/** An invalid regular expression; the message is the text after "Regex failure: ". */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const controlEscapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', a: '\x07', e: '\x1b' };

/** The character of an escape at `at` (after its backslash), and where it ends. */
export function characterEscape(pattern: string, at: number): { char: string; end: number } {
  const rest = pattern.slice(at, at + 12);
  const hex = /^x\{([0-9a-fA-F]{1,6})\}|^x([0-9a-fA-F]{1,2})|^u([0-9a-fA-F]{4})/.exec(rest);
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
    if (code > 0x10ffff) throw new PatternError('too big wide-char value');
    return { char: String.fromCodePoint(code), end: at + hex[0].length };
  }
  const octal = /^0[0-7]{0,2}/.exec(rest);
  if (octal !== null) return { char: String.fromCharCode(Number.parseInt(octal[0], 8)), end: at + octal[0].length };
  const char = String.fromCodePoint(pattern.codePointAt(at)!);
  return { char: controlEscapes[char] ?? char, end: at + char.length };
}
