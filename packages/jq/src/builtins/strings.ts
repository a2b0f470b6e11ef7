import { raise, raiseAbout } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { getSlice, getValue, listChildren } from '../value/access.ts';
import { add, splitText } from '../value/arithmetic.ts';
import { JsonTextError, parseJson } from '../value/parse-json.ts';
import { codePointOffsets, utf8ByteLength, wellFormed } from '../value/text.ts';
import type { JqValue } from '../value/value.ts';
import { applyFormat, toJson, toText } from './formats.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

function requireText(value: JqValue, message: string): string {
  if (typeof value !== 'string') throw raise(message);
  return value;
}

function explode(run: Run, input: JqValue): JqValue {
  const text = requireText(input, 'explode input must be a string');
  run.checkArray(text.length);
  return Array.from(wellFormed(text), (char) => char.codePointAt(0)!);
}

/** Invalid code points become U+FFFD (jq 1.7). */
function implode(run: Run, input: JqValue): JqValue {
  if (!Array.isArray(input)) throw raise('implode input must be an array');
  run.checkString(input.length);
  let text = '';
  for (const code of input) {
    if (typeof code !== 'number' || Number.isNaN(code)) {
      throw raiseAbout(code, "can't be imploded, unicode codepoint needs to be numeric");
    }
    const whole = Math.trunc(code);
    const isScalar = whole >= 0 && whole <= 0x10ffff && (whole < 0xd800 || whole > 0xdfff);
    text += isScalar ? String.fromCodePoint(whole) : '\ufffd';
  }
  return text;
}

/** Reads JSON text like `fromjson` and `tonumber`, with jq's message for invalid text. */
function readJson(text: string): JqValue {
  let value: JqValue | undefined;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw raise(`${error.message} (while parsing '${text}')`);
  }
  if (value === undefined) throw raise(`Expected JSON value (while parsing '${text}')`);
  return value;
}

function fromJson(run: Run, input: JqValue): JqValue {
  if (typeof input !== 'string') throw raiseAbout(input, 'only strings can be parsed');
  run.allocate(input.length * 2);
  run.spend(input.length >> 3);
  return readJson(input);
}

function toNumber(_run: Run, input: JqValue): JqValue {
  if (typeof input === 'number') return input;
  if (typeof input === 'string') {
    const value = readJson(input);
    if (typeof value === 'number') return value;
  }
  throw raiseAbout(input, 'cannot be parsed as a number');
}

/** Offsets in code points; overlapping occurrences count. */
function indicesOfText(run: Run, text: string, wanted: string): JqValue {
  if (wanted === '') return [];
  const found: number[] = [];
  const toPoints = codePointOffsets(text);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    run.step();
    found.push(toPoints(at));
  }
  run.spend(text.length >> 4);
  run.checkArray(found.length);
  return found;
}

function indices(run: Run, input: JqValue, wanted: JqValue): JqValue {
  if (typeof input === 'string' && typeof wanted === 'string') return indicesOfText(run, input, wanted);
  return getValue(run, input, Array.isArray(input) && !Array.isArray(wanted) ? [wanted] : wanted);
}

/** The last offset, taken with a slice: for an input that is neither list nor text, `indices` can be any value. */
function lastIndex(run: Run, input: JqValue, wanted: JqValue): JqValue {
  const found = indices(run, input, wanted);
  return getValue(run, getSlice(run, found, { from: -1, to: null }), 0);
}

function joinAll(run: Run, input: JqValue, separator: JqValue): JqValue {
  const items = listChildren(input);
  if (typeof separator === 'string') {
    const parts: string[] = [];
    let length = 0;
    for (const item of items) {
      run.step();
      const part = partText(run, item);
      if (part === undefined) return joinSlowly(run, items, separator);
      length += part.length + separator.length;
      if (length > run.budget.stringLengthMax) run.checkString(length);
      parts.push(part);
    }
    run.checkString(length);
    return parts.join(separator);
  }
  return joinSlowly(run, items, separator);
}

function partText(run: Run, item: JqValue): string | undefined {
  if (typeof item === 'string') return item;
  if (item === null) return '';
  return typeof item === 'object' ? undefined : toJson(run, item);
}

/** Adds one by one, as jq defines it: for separators that are not strings, and for its error messages. */
function joinSlowly(run: Run, items: readonly JqValue[], separator: JqValue): JqValue {
  let text: JqValue = null;
  for (const item of items) {
    run.step();
    const left: JqValue = text === null ? '' : add(run, text, separator);
    text = add(run, left, partText(run, item) ?? item);
  }
  return text ?? '';
}

function split(run: Run, input: JqValue, separator: JqValue): JqValue {
  if (typeof input !== 'string' || typeof separator !== 'string')
    throw raise('split input and separator must be strings');
  return splitText(run, input, separator);
}

const blanksAtStart = /^[\t\n\v\f\r ]+/;
const blanksAtEnd = /[\t\n\v\f\r ]+$/;

function trimmed(name: string, ...patterns: RegExp[]): CallForms {
  return valueForms((_run, input) => {
    let text = requireText(input, `${name} input must be a string`);
    for (const pattern of patterns) text = pattern === blanksAtEnd ? trimEnd(text) : text.replace(pattern, '');
    return text;
  });
}

/** A loop, because a regular expression would search from every blank and be quadratic. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\t\n\v\f\r '.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

export const stringBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['tostring', 0, valueForms(toText)],
  ['tojson', 0, valueForms(toJson)],
  ['fromjson', 0, valueForms(fromJson)],
  ['tonumber', 0, valueForms(toNumber)],
  [
    'format',
    1,
    valueForms((run, input, name) => {
      if (typeof name !== 'string') throw raiseAbout(name, 'is not a valid format');
      return applyFormat(run, name, input);
    }),
  ],
  ['explode', 0, valueForms(explode)],
  ['implode', 0, valueForms(implode)],
  ['ascii', 0, valueForms((run, input) => implode(run, [input]))],
  ['split', 1, valueForms(split)],
  ['join', 1, valueForms(joinAll, 'first-outermost')],
  ['indices', 1, valueForms(indices, 'first-outermost')],
  ['_strindices', 1, valueForms(indices)],
  ['index', 1, valueForms((run, input, wanted) => getValue(run, indices(run, input, wanted), 0), 'first-outermost')],
  ['rindex', 1, valueForms(lastIndex, 'first-outermost')],
  [
    'startswith',
    1,
    valueForms((_run, input, prefix) => {
      if (typeof input !== 'string' || typeof prefix !== 'string') throw raise('startswith() requires string inputs');
      return input.startsWith(prefix);
    }),
  ],
  [
    'endswith',
    1,
    valueForms((_run, input, suffix) => {
      if (typeof input !== 'string' || typeof suffix !== 'string') throw raise('endswith() requires string inputs');
      return input.endsWith(suffix);
    }),
  ],
  [
    'ltrimstr',
    1,
    valueForms((_run, input, prefix) =>
      typeof input === 'string' && typeof prefix === 'string' && input.startsWith(prefix)
        ? input.slice(prefix.length)
        : input,
    ),
  ],
  [
    'rtrimstr',
    1,
    valueForms((_run, input, suffix) =>
      typeof input === 'string' && typeof suffix === 'string' && input.endsWith(suffix) && suffix !== ''
        ? input.slice(0, -suffix.length)
        : input,
    ),
  ],
  ['trim', 0, trimmed('trim', blanksAtStart, blanksAtEnd)],
  ['ltrim', 0, trimmed('trim', blanksAtStart)],
  ['rtrim', 0, trimmed('trim', blanksAtEnd)],
  [
    'ascii_downcase',
    0,
    valueForms((_run, input) =>
      requireText(input, 'explode input must be a string').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    ),
  ],
  [
    'ascii_upcase',
    0,
    valueForms((_run, input) =>
      requireText(input, 'explode input must be a string').replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    ),
  ],
  [
    'utf8bytelength',
    0,
    valueForms((_run, input) => {
      if (typeof input !== 'string') throw raiseAbout(input, 'only strings have UTF-8 byte length');
      return utf8ByteLength(input);
    }),
  ],
];
