import { raise, raiseAbout } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { formatNumber } from '../value/number.ts';
import { stringify } from '../value/stringify.ts';
import { wellFormed } from '../value/text.ts';
import type { JqValue } from '../value/value.ts';
import { decodeBase32, decodeBase64, decodePercent, encodeBase32, encodeBase64 } from './encodings.ts';

/** `tostring`: strings as they are, everything else as JSON. */
export function toText(run: Run, value: JqValue): string {
  return typeof value === 'string' ? value : toJson(run, value);
}

export function toJson(run: Run, value: JqValue): string {
  const text = stringify(value, run.budget.stringLengthMax, run);
  run.checkString(text.length);
  return text;
}

/** `@name` applied to a value (manual, "Format strings and escaping"). */
export function applyFormat(run: Run, name: string, value: JqValue): string {
  const format = formats.get(name);
  if (format === undefined) throw raise(`${name} is not a valid format`);
  const text = format(run, value);
  run.checkString(text.length);
  return text;
}

const htmlEscapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' };

const formats: ReadonlyMap<string, (run: Run, value: JqValue) => string> = new Map([
  ['text', toText],
  ['json', toJson],
  ['html', (run, value) => toText(run, value).replace(/[<>&'"]/g, (char) => htmlEscapes[char]!)],
  ['uri', (run, value) => percentEncode(toText(run, value))],
  ['urid', (run, value) => decodePercent(toText(run, value))],
  ['csv', (run, value) => row(run, value, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`)],
  ['tsv', (run, value) => row(run, value, 'tsv', '\t', escapeTab)],
  ['sh', shell],
  ['base64', (run, value) => encodeBase64(toText(run, value))],
  ['base64d', (run, value) => decodeBase64(toText(run, value))],
  ['base32', (run, value) => encodeBase32(toText(run, value))],
  ['base32d', (run, value) => decodeBase32(toText(run, value))],
]);

/** Everything but letters, digits and `-_.~` (RFC 3986's unreserved set). */
function percentEncode(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const tabEscapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function escapeTab(text: string): string {
  return text.replace(/[\t\n\r\\]/g, (char) => tabEscapes[char]!);
}

function row(run: Run, value: JqValue, format: string, separator: string, quoteText: (text: string) => string): string {
  if (!Array.isArray(value)) throw raiseAbout(value, `cannot be ${format}-formatted, only array`);
  run.spend(value.length);
  let text = '';
  for (let at = 0; at < value.length; at++) {
    if (at > 0) text += separator;
    const cell = value[at]!;
    if (typeof cell === 'string') text += quoteText(cell);
    else if (typeof cell === 'number') text += Number.isNaN(cell) ? '' : formatNumber(cell);
    else if (typeof cell === 'boolean') text += String(cell);
    else if (cell !== null) throw raiseAbout(cell, `is not valid in a csv row`);
    if (text.length > run.budget.stringLengthMax) run.checkString(text.length);
  }
  return text;
}

function shell(run: Run, value: JqValue): string {
  const words = Array.isArray(value) ? value : [value];
  run.spend(words.length);
  return words
    .map((word) => {
      if (typeof word === 'object' && word !== null) throw raiseAbout(word, 'can not be escaped for shell');
      return typeof word === 'string' ? `'${word.replaceAll("'", "'\\''")}'` : toText(run, word);
    })
    .join(' ');
}
