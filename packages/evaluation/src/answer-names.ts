import { oneLine } from './one-line.ts';

/** The names of one thing: its title and its identifier, say. */
export type Names = readonly string[];

/**
 * Why an answer does not name exactly these things; undefined if it does. The items of its list are compared if it has
 * one, else its text. With `partial` a list may be cut, as long as all of it belongs and the full number is said.
 */
export function explainSet(answer: string, wanted: readonly Names[], partial = false): string | undefined {
  const items = readItems(answer);
  if (wanted.length === 0) return items.length > 0 ? `it lists ${quoted(items[0])}` : explainNothing(answer);
  if (items.length === 0) return explainProse(answer, wanted);
  const named = items.map((item) => wanted.find((names) => itemNames(item).some((name) => isOneOf(name, names))));
  const foreign = named.indexOf(undefined);
  if (foreign >= 0) return `it lists ${quoted(items[foreign])}, which does not belong`;
  const missing = wanted.filter((names) => !named.includes(names));
  if (missing.length === 0) return undefined;
  if (partial && saysNumber(answer, wanted.length)) return undefined;
  return `it does not list ${quoted(missing[0]?.[0])}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`;
}

/** Whether a text stands in an answer as a whole: no letter, digit or part of an identifier goes on beside it. */
export function standsIn(answer: string, text: string): boolean {
  const [whole, part] = [comparable(answer), comparable(text)];
  if (part === '') return false;
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const [before, after] = [whole.slice(Math.max(0, at - 2), at), whole.slice(at + part.length, at + part.length + 2)];
    if (
      !/(?:[\p{L}\p{N}_]|[\p{L}\p{N}][-.@/:+])$/u.test(before) &&
      !/^(?:[\p{L}\p{N}_]|[-.@/:+][\p{L}\p{N}])/u.test(after)
    )
      return true;
  }
  return false;
}

const listItem = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(\S.*)$/;
const tableRow = /^\s*\|(.*)\|\s*$/;
const tableRule = /^[\s|:-]+$/;

/** The outermost items of all lists of an answer, or the rows of its table. */
function readItems(answer: string): string[] {
  const lines = answer.split(/\r?\n/);
  const items = lines.flatMap((line) => {
    const [, indent = '', text] = listItem.exec(line) ?? [];
    return text === undefined ? [] : [{ indent: indent.length, text }];
  });
  const outermost = Math.min(...items.map(({ indent }) => indent));
  if (items.length > 0) return items.filter(({ indent }) => indent === outermost).map(({ text }) => text);
  const rule = lines.findIndex((line) => line.includes('-') && line.includes('|') && tableRule.test(line));
  if (rule < 0) return [];
  const rows = lines.slice(rule + 1).map((line) => tableRow.exec(line)?.[1]);
  const end = rows.indexOf(undefined);
  return (end < 0 ? rows : rows.slice(0, end)).filter((row) => row !== undefined);
}

const marks = /\*\*(.+?)\*\*|__(.+?)__|`([^`]+)`|\[([^\]]+)\]\(/g;

/** What an item says is at its beginning; this keeps the patterns below fast on whatever a model writes. */
const itemCharactersMax = 2_000;

/** What an item of a list may be the item of: its marked texts, its cells, and what stands before the first sign. */
function itemNames(whole: string): string[] {
  const item = whole.slice(0, itemCharactersMax);
  const marked = [...item.matchAll(marks)].map((match) => match.slice(1).find((text) => text !== undefined) ?? '');
  const plain = item.replaceAll(/\*\*|__|`/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const head = plain.split(/\s[-–—]\s|: | \(|, |\|/)[0] ?? '';
  const bracketed = /\(([^()]*)\)/.exec(plain)?.[1] ?? '';
  return [...marked, ...item.split('|'), plain, head, bracketed];
}

function explainProse(answer: string, wanted: readonly Names[]): string | undefined {
  const missing = wanted.find((names) => !names.some((name) => standsIn(answer, name)));
  if (missing) return `it does not name ${quoted(missing[0])}`;
  const coded = [...answer.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '');
  const foreign = coded.find((text) => !wanted.some((names) => isOneOf(text, names)));
  return foreign === undefined ? undefined : `it names ${quoted(foreign)}, which does not belong`;
}

function explainNothing(answer: string): string | undefined {
  return /\b(?:0|no|none|nothing|zero|not any)\b/i.test(answer) ? undefined : 'it does not say that there are none';
}

/** Whether a number stands in the words around a list, as no part of a name or date. */
function saysNumber(answer: string, number: number): boolean {
  const around = answer.split(/\r?\n/).filter((line) => !listItem.test(line) && !tableRow.test(line));
  const found = around.join('\n').matchAll(/(?<![\p{L}\p{N}_.:/-])\d[\d,]{0,30}(?![\p{L}\p{N}_]|[-:/.]\d)/gu);
  return [...found].some(([digits]) => Number(digits.replaceAll(',', '')) === number);
}

function isOneOf(name: string, names: Names): boolean {
  return names.some((each) => comparable(each) === comparable(name));
}

/** Without marks of Markdown, and with case and blanks that do not matter. */
function comparable(text: string): string {
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function quoted(text = ''): string {
  return `"${oneLine(text, 60)}"`;
}
