import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { isRecord } from '@portolan/contract/json-value';
import type { Condition } from './query.ts';
import type { Schema } from './schema.ts';

/** A record that an answer named. */
export interface NamedRecord {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

/** What of a conversation a question can point back at. */
export interface Earlier {
  /** The records that the last answer named, in its order. */
  readonly named: readonly NamedRecord[];
  /** How many things that answer was about, where that is more than are known. */
  readonly total?: number | undefined;
}

export type FollowUp =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'cannot'; readonly reason: string }
  /** `those` in the place of a type: the question is about these entities of it. */
  | {
      readonly kind: 'scoped';
      readonly text: string;
      readonly scope: Extract<Condition, { kind: 'given' }>;
      readonly of: string;
    };

interface Line {
  readonly total: number | undefined;
  readonly records: readonly NamedRecord[];
}

/** Reads what stands beside the last question; undefined if it begins a conversation, or stands alone. */
export function readEarlier(prompt: LanguageModelV3Prompt): Earlier | undefined {
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  const question = prompt[asked];
  const said = prompt[asked - 1];
  if (question?.role !== 'user' || said?.role !== 'assistant') return undefined;
  const beside = question.content.slice(1).flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []));
  const lines = beside.flatMap(readLine);
  const answer = said.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const records = [
    ...new Map(
      lines.flatMap((line) => line.records).map((each) => [`${each.blueprint}/${each.identifier}`, each]),
    ).values(),
  ];
  const at = (text: string): number => (text.length < 2 ? -1 : answer.indexOf(text));
  const placed = (textOf: (record: NamedRecord) => string) =>
    records
      .map((record) => ({ record, at: at(textOf(record)) }))
      .filter((each) => each.at >= 0)
      .sort((a, b) => a.at - b.at)
      .map(({ record }) => record);
  const coded = placed(({ identifier }) => `\`${identifier}\``);
  const named = coded.length > 0 ? coded : placed(({ title }) => title);
  const whole = lines.findLast(
    ({ records: of }) => named.length > 0 && named.every((one) => of.some((each) => isSame(each, one))),
  );
  const total = whole?.total !== undefined && whole.total > named.length ? whole.total : undefined;
  // an answer that names one thing may come from a search that found more
  return { named, ...(total !== undefined && named.length > 1 ? { total } : {}) };
}

function isSame(one: NamedRecord, other: NamedRecord): boolean {
  return one.blueprint === other.blueprint && one.identifier === other.identifier;
}

function readLine(text: string): Line[] {
  if (!text.startsWith('{')) return [];
  try {
    const line: unknown = JSON.parse(text);
    if (!isRecord(line)) return [];
    const records = Array.isArray(line['records']) ? line['records'] : [];
    return [
      {
        total: typeof line['total'] === 'number' ? line['total'] : undefined,
        records: records.flatMap((record) => {
          const [, blueprint, identifier, title] = Array.isArray(record) ? record : [];
          return [blueprint, identifier, title].every((each) => typeof each === 'string')
            ? [{ blueprint, identifier, title } as NamedRecord]
            : [];
        }),
      },
    ];
  } catch {
    return [];
  }
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const beginning = /^(?:and|but|so|ok|okay|then|now)\b,?\s+(?=\S)/i;
const ordinal = new RegExp(
  `\\b(?:the )?(${ordinals.join('|')}|last)(?: one| (?:of )?(?:those|these|them)| (\\w+))(?=$|[\\s?!.,'’])`,
  'i',
);
const numbered = /\b(?:number|no\.|#)\s?(\d{1,2})\b/i;
const singular = /\b(?:that one|this one|it)\b(?!['’]s\b)/i;
const possessive = /\bits\b/i;
const plural = /\b(?:of )?(those|these|them)\b(?: ones)?/i;

/** Puts what the last answer named in the place of words that point at it. */
export function resolveFollowUp(asked: string, earlier: Earlier, schema: Schema): FollowUp {
  const text = asked.trim().replace(beginning, '');
  const { named, total } = earlier;
  const nth = numberOf(text, named.length, schema);
  if (nth) {
    const record = named[nth.index];
    if (!record) {
      const reason =
        named.length === 0
          ? `The answer before named no records, so I do not know what “${nth.said}” is.`
          : `The answer before named ${named.length}, so I do not know what “${nth.said}” is.`;
      return { kind: 'cannot', reason };
    }
    return { kind: 'plain', text: text.replace(nth.said, quoted(record)) };
  }
  const one = singular.exec(text) ?? possessive.exec(text);
  if (one) {
    const [record] = named;
    if (named.length !== 1 || !record)
      return {
        kind: 'cannot',
        reason:
          named.length === 0
            ? `The answer before named no records, so I do not know what “${one[0]}” is.`
            : `The answer before named ${named.length}; say which one “${one[0]}” is, such as “the second one”.`,
      };
    const name = quoted(record);
    return { kind: 'plain', text: text.replace(one[0], possessive.test(one[0]) ? `${name}'s` : name) };
  }
  const many = plural.exec(text);
  return many ? scoped(text, many, { named, total }, schema) : { kind: 'plain', text };
}

function scoped(text: string, many: RegExpExecArray, { named, total }: Earlier, schema: Schema): FollowUp {
  const [said, word = said] = many;
  const [first] = named;
  if (!first) {
    return { kind: 'cannot', reason: `The answer before named no records, so I do not know what “${word}” are.` };
  }
  if (total !== undefined)
    return {
      kind: 'cannot',
      reason: `The answer before was about ${total}, of which I know only the first ${named.length}. Ask the whole question at once.`,
    };
  const of = first.blueprint;
  const type = schema.find(of);
  if (!type || named.some(({ blueprint }) => blueprint !== of))
    return {
      kind: 'cannot',
      reason: `The answer before named things of several types, so I do not know what “${word}” are.`,
    };
  const rest = text.slice(many.index + said.length);
  const isNamed = type.names.some(({ words }) => words.length > 0 && startsWithWords(rest, words));
  const before = text.slice(0, many.index);
  return {
    kind: 'scoped',
    of,
    text: isNamed ? `${before}${rest.trimStart()}` : `${before}${type.plural}${rest}`,
    scope: { kind: 'given', identifiers: named.map(({ identifier }) => identifier) },
  };
}

/** "those services": the type is said already. */
function startsWithWords(text: string, words: readonly string[]): boolean {
  const said = text
    .trim()
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.every((word, index) => said[index]?.startsWith(word) ?? false);
}

function numberOf(
  text: string,
  count: number,
  schema: Schema,
): { readonly index: number; readonly said: string } | undefined {
  const number = numbered.exec(text);
  if (number) return { index: Number(number[1]) - 1, said: number[0] };
  const found = ordinal.exec(text);
  if (!found) return undefined;
  const [said, word = '', noun] = found;
  // "the last week" and "first seen" are no places in a list; "the second service" is one
  if (noun !== undefined) {
    const isType = schema.types.some(({ names }) =>
      names.some(({ words }) => words.length === 1 && startsWithWords(noun, words)),
    );
    if (!isType || !/^the /i.test(said)) return undefined;
  }
  const index = word.toLowerCase() === 'last' ? count - 1 : ordinals.indexOf(word.toLowerCase());
  return { index, said };
}

/** A name that is looked for as it stands. */
function quoted({ identifier }: NamedRecord): string {
  return `"${identifier.replaceAll('"', ' ')}"`;
}
