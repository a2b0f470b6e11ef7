/** Just enough of HCL to edit it in place: tokens with their ranges, blocks and attributes. */
export interface HclToken {
  readonly kind: 'name' | 'text' | 'sign' | 'newline';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An attribute `name = value`, or a block `name "label" { … }`; `inner` are those of the braces it holds. */
export interface HclEntry {
  readonly name: string;
  readonly labels: readonly string[];
  readonly isBlock: boolean;
  readonly start: number;
  readonly end: number;
  readonly nameToken: HclToken;
  readonly labelTokens: readonly HclToken[];
  /** The tokens of the value, or of the body with its braces. */
  readonly value: readonly HclToken[];
  readonly inner: readonly HclEntry[];
}

const heredoc = /<<-?([A-Za-z_]\w*)\r?\n/y;
const name = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;

/** Comments and spaces are no tokens. A text token has its quotes; templates in it stay part of it. */
export function tokenize(source: string): HclToken[] {
  const tokens: HclToken[] = [];
  let at = 0;
  const push = (kind: HclToken['kind'], end: number): void => {
    tokens.push({ kind, text: source.slice(at, end), start: at, end });
    at = end;
  };
  while (at < source.length) {
    const char = source[at]!;
    if (char === '\n') push('newline', at + 1);
    else if (char === '#' || source.startsWith('//', at)) at = lineEnd(source, at);
    else if (source.startsWith('/*', at)) at = Math.max(source.indexOf('*/', at + 2), at) + 2;
    else if (char === '"') push('text', textEnd(source, at));
    else if (/\s/.test(char)) at += 1;
    else if (matchAt(heredoc, source, at) !== undefined) push('text', heredocEnd(source, at));
    else push(...wordOrSign(source, at));
  }
  return tokens;
}

function wordOrSign(source: string, at: number): [HclToken['kind'], number] {
  const word = matchAt(name, source, at);
  return word === undefined ? ['sign', at + 1] : ['name', at + word.length];
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end < 0 ? source.length : end;
}

/** A text ends at its quote; quotes in `${ }` belong to the template. */
function textEnd(source: string, start: number): number {
  for (let at = start + 1, depth = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (depth === 0 && char === '"') return at + 1;
    else if ((char === '$' || char === '%') && source[at + 1] === '{') {
      depth++;
      at++;
    } else if (depth > 0 && char === '{') depth++;
    else if (depth > 0 && char === '}') depth--;
    else if (depth > 0 && char === '"') at = textEnd(source, at) - 1;
    else if (char === '\n' && depth === 0) return at;
  }
  return source.length;
}

function heredocEnd(source: string, start: number): number {
  heredoc.lastIndex = start;
  const [head, label] = heredoc.exec(source)!;
  const close = new RegExp(`^[ \\t]*${label}[ \\t]*$`, 'm');
  const body = start + head!.length;
  const found = close.exec(source.slice(body));
  return found ? body + found.index + found[0].length : source.length;
}

/** The attributes and blocks of a file, or of the tokens between a pair of braces. */
export function entriesOf(tokens: readonly HclToken[]): HclEntry[] {
  const entries: HclEntry[] = [];
  let at = 0;
  while (at < tokens.length) {
    const first = tokens[at]!;
    if (first.kind !== 'name' && first.kind !== 'text') {
      at += 1;
      continue;
    }
    let next = at + 1;
    const labelTokens: HclToken[] = [];
    while (tokens[next]?.kind === 'text' || tokens[next]?.kind === 'name') labelTokens.push(tokens[next++]!);
    const sign = tokens[next];
    const isAttribute = sign?.text === '=' || sign?.text === ':';
    if (!isAttribute && sign?.text !== '{') {
      at = next;
      continue;
    }
    const from = isAttribute ? next + 1 : next;
    const to = valueEnd(tokens, from);
    const value = tokens.slice(from, to);
    const last = value.at(-1) ?? sign!;
    const isObject = value[0]?.text === '{';
    entries.push({
      name: unquoted(first.text),
      labels: labelTokens.map(({ text }) => unquoted(text)),
      isBlock: !isAttribute,
      start: first.start,
      end: last.end,
      nameToken: first,
      labelTokens,
      value,
      inner: isObject ? entriesOf(value.slice(1, -1)) : [],
    });
    at = to;
  }
  return entries;
}

/** A value ends with its line, or at a comma, outside of brackets. */
function valueEnd(tokens: readonly HclToken[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === 'sign' && '{[('.includes(text)) depth++;
    else if (kind === 'sign' && '}])'.includes(text)) {
      depth--;
      if (depth === 0 && tokens[from]?.text === '{') return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (kind === 'newline' || (kind === 'sign' && text === ','))) return at;
  }
  return tokens.length;
}

export function unquoted(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
