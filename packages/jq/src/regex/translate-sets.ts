/** Bodies of character classes, without brackets, in a form that RE2 and V8 (flag `u`) both read alike. */
export interface ClassBodies {
  readonly word: string;
  readonly digit: string;
  readonly space: string;
}

const ascii: ClassBodies = { word: 'A-Za-z0-9_', digit: '0-9', space: '\\t\\n\\x0b\\f\\r ' };
const unicode: ClassBodies = {
  word: '\\p{L}\\p{M}\\p{N}\\p{Pc}',
  digit: '\\p{Nd}',
  space: '\\t\\n\\x0b\\f\\r\\p{Z}',
};

export function classBodies(isAscii: boolean): ClassBodies {
  return isAscii ? ascii : unicode;
}

/** The body of `\w`, `\D` and similar, with `^` in front if negated; undefined for other letters. */
export function escapeSet(letter: string, isAscii: boolean): string | undefined {
  const { word, digit, space } = classBodies(isAscii);
  switch (letter) {
    case 'w':
      return word;
    case 'W':
      return `^${word}`;
    case 'd':
      return digit;
    case 'D':
      return `^${digit}`;
    case 's':
      return space;
    case 'S':
      return `^${space}`;
    default:
      return undefined;
  }
}

const posix: Record<string, string> = {
  alnum: '\\p{L}\\p{M}\\p{N}',
  alpha: '\\p{L}\\p{M}',
  ascii: '\\x00-\\x7f',
  blank: '\\t\\p{Zs}',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}',
  lower: '\\p{Ll}',
  print: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}',
  punct: '\\p{P}\\p{S}',
  space: '\\t\\n\\x0b\\f\\r\\p{Z}',
  upper: '\\p{Lu}',
  word: '\\p{L}\\p{M}\\p{N}\\p{Pc}',
  xdigit: '0-9A-Fa-f',
};

/** The body of `[:name:]` or of `\p{Name}` with a POSIX name. */
export function posixBody(name: string): string | undefined {
  return Object.hasOwn(posix, name.toLowerCase()) ? posix[name.toLowerCase()] : undefined;
}

const generalCategory = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const scripts =
  /^(?:Arabic|Armenian|Bengali|Cyrillic|Devanagari|Georgian|Greek|Han|Hangul|Hebrew|Hiragana|Katakana|Latin|Tamil|Telugu|Thai)$/;

export function propertyBody(name: string): string | undefined {
  const fromPosix = posixBody(name);
  if (fromPosix !== undefined) return fromPosix;
  if (generalCategory.test(name)) return `\\p{${name}}`;
  return scripts.test(name) ? `\\p{Script=${name}}` : undefined;
}

/** One character, escaped as a literal in both dialects, inside and outside of classes. */
export function literal(char: string): string {
  if (/[\\^$.*+?()[\]{}|/-]/.test(char)) return char === '-' ? '\\x2d' : char === '/' ? '/' : `\\${char}`;
  const code = char.codePointAt(0)!;
  if (code < 32 || code === 127) return `\\x${code.toString(16).padStart(2, '0')}`;
  return char;
}
