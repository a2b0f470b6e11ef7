import type { BlueprintInfo, PropertyInfo, SearchRule } from './catalog.ts';
import { findDateRange } from './find-dates.ts';
import { findName, nameWords, type Span, squash, type Word } from './words.ts';

export interface Filter {
  readonly rule: SearchRule;
  readonly phrase: string;
}

export interface FoundFilters {
  readonly filters: readonly Filter[];
  /** Indexes of the words that form the condition. */
  readonly used: ReadonlySet<number>;
}

interface Candidate extends Filter {
  readonly span: Span;
  readonly weight: number;
}

const equals = new Set(['is', 'are', '=', '==', 'of', 'equals', 'equal', 'named', 'being']);
const more: Readonly<Record<string, string>> = {
  over: '>',
  above: '>',
  '>': '>',
  '>=': '>=',
  more: '>',
  greater: '>',
  higher: '>',
};
const less: Readonly<Record<string, string>> = {
  under: '<',
  below: '<',
  '<': '<',
  '<=': '<=',
  less: '<',
  lower: '<',
  fewer: '<',
};
const lacking = /\b(?:no|without|missing|lacks?|lacking|have no|has no|not have|n't have)$/;

export function findFilters(
  words: readonly Word[],
  blueprint: BlueprintInfo,
  taken: ReadonlySet<number>,
): FoundFilters {
  const used = new Set(taken);
  const isTaken = (index: number): boolean => used.has(index);
  const candidates: Candidate[] = [];
  for (const [key, property] of Object.entries(blueprint.properties ?? {})) {
    candidates.push(...findCandidates(words, key, property, isTaken));
  }
  for (const [key, relation] of Object.entries(blueprint.relations ?? {})) {
    candidates.push(...emptiness(words, key, relation.title, isTaken));
  }
  candidates.sort((a, b) => b.weight - a.weight || size(b.span) - size(a.span));
  const filters: Filter[] = [];
  for (const candidate of candidates) {
    const indexes = spanIndexes(candidate.span);
    if (indexes.some(isTaken)) continue;
    for (const index of indexes) used.add(index);
    filters.push(candidate);
  }
  const dates = findDateRange(words, blueprint, isTaken);
  if (dates) {
    for (const index of spanIndexes(dates.span)) used.add(index);
    filters.push(dates.filter);
  }
  return { filters: joinAlternatives(filters), used };
}

function findCandidates(
  words: readonly Word[],
  key: string,
  property: PropertyInfo,
  isTaken: (index: number) => boolean,
): Candidate[] {
  const title = property.title ?? key;
  const found: Candidate[] = [...emptiness(words, key, property.title, isTaken)];
  const names = listNames(key, title);
  const named = firstSpan(names.map((name) => findName(words, name, isTaken)));
  const add = (span: Span, rule: SearchRule, phrase: string, weight: number): void => {
    found.push({ span, rule, phrase, weight });
  };
  if (property.type === 'boolean') {
    const bare =
      named ??
      firstSpan(
        names.map((name) =>
          findName(
            words,
            name.filter((word) => !/^(is|ha|has)$/.test(word)),
            isTaken,
          ),
        ),
      );
    if (bare) {
      const isNot = /^(not|non|no)$/.test(words[bare.start - 1]?.lower ?? '') && !isTaken(bare.start - 1);
      const span = { start: isNot ? bare.start - 1 : bare.start, end: bare.end };
      add(span, { property: key, operator: '=', value: !isNot }, `${title} is ${isNot ? 'off' : 'on'}`, 3);
    }
    return found;
  }
  for (const value of property.enum ?? []) {
    if (typeof value !== 'string') continue;
    const span = findName(words, [squash(value)], isTaken) ?? findName(words, nameWords(value), isTaken);
    if (!span) continue;
    const whole =
      named && near(named, span)
        ? { start: Math.min(named.start, span.start), end: Math.max(named.end, span.end) }
        : span;
    add(whole, { property: key, operator: '=', value }, `${title} is ${value}`, named ? 5 : 4);
  }
  if (!named) return [...found, ...findLanguages(words, key, title, property, isTaken)];
  const after = named.end;
  if (property.type === 'number') {
    const before = numberBefore(words, named.start, isTaken);
    if (before) {
      const { operator, number, start } = before;
      add({ start, end: named.end }, { property: key, operator, value: number }, `${title} ${operator} ${number}`, 6);
      return found;
    }
    let at = after;
    let operator = '=';
    for (; at < words.length && at < after + 3; at++) {
      const word = words[at]!.lower;
      operator = more[word] ?? less[word] ?? operator;
      if (!(word in more) && !(word in less) && !equals.has(word) && word !== 'than') break;
    }
    const number = Number(words[at]?.lower ?? 'none');
    if (Number.isFinite(number) && !isTaken(at)) {
      const sign = operator === '=' ? 'is' : operator;
      add(
        { start: named.start, end: at + 1 },
        { property: key, operator, value: number },
        `${title} ${sign} ${number}`,
        6,
      );
    }
    return found;
  }
  if (property.enum || (property.type !== 'string' && property.type !== 'array') || property.format === 'date-time')
    return found;
  const at = equals.has(words[after]?.lower ?? '') ? after + 1 : after;
  const value = words[at];
  if (value && !isTaken(at) && (at > after || !isFunctionWord(value.lower))) {
    const operator = property.type === 'array' ? 'containsAny' : '=';
    const rule = { property: key, operator, value: operator === '=' ? value.raw : [value.raw] };
    add({ start: named.start, end: at + 1 }, rule, `${title} ${operator === '=' ? 'is' : 'contains'} ${value.raw}`, 2);
  }
  return found;
}

/** Names of a property: key, title without brackets, and the last word of a long name. */
function listNames(key: string, title: string): string[][] {
  const whole = [nameWords(key), nameWords(title.replace(/\(.*?\)/g, ''))];
  const last = whole.flatMap((name) => (name.length > 1 && name.at(-1)!.length > 3 ? [name.slice(-1)] : []));
  const verb = whole.some(([first]) => first === 'tag') ? [['tagged']] : [];
  return [...whole, ...last, ...verb];
}

/** "over 100 monthly cost". */
function numberBefore(words: readonly Word[], end: number, isTaken: (index: number) => boolean) {
  const number = Number(words[end - 1]?.lower ?? 'none');
  if (!Number.isFinite(number) || isTaken(end - 1)) return undefined;
  let start = end - 2;
  if (words[start]?.lower === 'than') start--;
  const sign = words[start]?.lower ?? '';
  const operator = more[sign] ?? less[sign];
  return operator ? { operator, number, start } : undefined;
}

/** "services written in Go", where the language is free text. */
function findLanguages(
  words: readonly Word[],
  key: string,
  title: string,
  property: PropertyInfo,
  isTaken: (index: number) => boolean,
): Candidate[] {
  if (property.enum || property.type !== 'string' || !/lang|runtime|stack/i.test(`${key} ${title}`)) return [];
  const at = words.findIndex(
    (word, index) => /^(written|built|implemented|coded)$/.test(word.lower) && words[index + 1]?.lower === 'in',
  );
  const value = words[at + 2];
  if (at < 0 || !value || isTaken(at + 2)) return [];
  const rule = { property: key, operator: '=', value: value.raw };
  return [{ span: { start: at, end: at + 3 }, rule, phrase: `${title} is ${value.raw}`, weight: 2 }];
}

/** Phrases such as "without a runbook", "no dashboard", "missing domain". */
function emptiness(
  words: readonly Word[],
  key: string,
  title: string | undefined,
  isTaken: (index: number) => boolean,
): Candidate[] {
  const named = firstSpan([nameWords(key), nameWords(title ?? '')].map((name) => findName(words, name, isTaken)));
  if (!named) return [];
  let start = named.start - 1;
  while (/^(a|an|any|the)$/.test(words[start]?.lower ?? '')) start--;
  const before = words
    .slice(Math.max(0, start - 1), start + 1)
    .map((word) => word.lower)
    .join(' ');
  if (start < 0 || !lacking.test(before)) return [];
  return [
    {
      span: { start, end: named.end },
      rule: { property: key, operator: 'isEmpty' },
      phrase: `without ${title ?? key}`,
      weight: 7,
    },
  ];
}

/** Values of one property are alternatives: "SEV1 or SEV2". */
function joinAlternatives(filters: readonly Filter[]): Filter[] {
  const joined: Filter[] = [];
  for (const filter of filters) {
    const same = joined.findIndex(
      ({ rule }) => rule.property === filter.rule.property && /^(=|in)$/.test(rule.operator),
    );
    const first = joined[same];
    if (!first || filter.rule.operator !== '=' || typeof filter.rule.value !== 'string') {
      joined.push(filter);
      continue;
    }
    const values = [first.rule.value, filter.rule.value].flat();
    const phrase = `${first.phrase} or ${filter.rule.value}`;
    joined[same] = { rule: { ...first.rule, operator: 'in', value: values }, phrase };
  }
  return joined;
}

const functionWords =
  /^(a|an|and|or|in|on|at|to|for|from|by|with|without|that|which|who|the|do|does|have|has|we|you|i|there|not|no)$/;

function isFunctionWord(word: string): boolean {
  return functionWords.test(word);
}

function firstSpan(spans: readonly (Span | undefined)[]): Span | undefined {
  return spans.find((span) => span !== undefined);
}

function near(a: Span, b: Span): boolean {
  return b.start - a.end <= 1 && a.start - b.end <= 1;
}

function size({ start, end }: Span): number {
  return end - start;
}

function spanIndexes({ start, end }: Span): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}
