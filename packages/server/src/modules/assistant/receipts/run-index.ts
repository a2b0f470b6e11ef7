import { isRecord } from '@portolan/contract/json-value';
import type { TakeTurns } from '../../../platform/take-turns.ts';
import type { MergedReadings } from './merge-readings.ts';
import { createPhraseForms, type PhraseForm, type PhraseForms, type Token, toPhrase } from './normal-values.ts';
import type { ReadRecord } from './number-records.ts';
import { createPhrases, type Phrases } from './phrases.ts';
import { createReading, type Said } from './read-values.ts';
import { type RecordFacts, readFacts } from './record-facts.ts';

/** Everything that a run read, by what sentences may say. Built once, so that a sentence costs only its own words. */
export interface RunIndex {
  readonly facts: readonly RecordFacts[];
  readonly byRef: ReadonlyMap<string, RecordFacts>;
  /** Records that hold a value, by its key. */
  readonly holders: ReadonlyMap<string, readonly RecordFacts[]>;
  /** Records of this name. */
  readonly named: ReadonlyMap<string, readonly RecordFacts[]>;
  /** Names, values and the choices of the schema. */
  readonly phrases: Phrases<true>;
  /** Titles and keys of fields. */
  readonly fields: Phrases<FieldName>;
  readonly tools: ReadonlySet<string>;
  /** Titles of what the schema names, which are no values. */
  readonly labels: ReadonlySet<string>;
  isKnownWord(word: string): boolean;
}

export interface FieldName {
  readonly words: readonly string[];
  readonly key: string;
  readonly isRelation: boolean;
}

const common = new Set(
  'a an and are as at be by for from has have in is it its no none not of on one or that the their there this to was were with yes true false null new all any other more most open type name'.split(
    ' ',
  ),
);

/**
 * Indexes what the words of a text can name; the rest of what was read costs only a look. `pause` is awaited between
 * records, so that many of them leave others their turn.
 */
export async function indexRun(
  { records, outdated }: MergedReadings,
  said: Omit<Said, 'names' | 'phrases'>,
  pause: TakeTurns,
): Promise<RunIndex> {
  const phraseForms = createPhraseForms();
  const names = otherNames(records, said.words, phraseForms);
  const reading = createReading({ ...said, names, phrases: phraseForms });
  const facts: RecordFacts[] = [];
  for (const record of records) {
    facts.push(readFacts(record, reading));
    const wait = pause();
    if (wait) await wait;
  }
  const holders = new Map<string, RecordFacts[]>();
  const named = new Map<string, RecordFacts[]>();
  const phrases = createPhrases<true>();
  const seen = new Set<string>();
  const words = new Set<string>();
  /** Keys of phrases that are known already: most values stand in many records. */
  const added = new Set<string>();
  const addPhrase = (phrase: string): void => {
    if (seen.has(phrase)) return;
    seen.add(phrase);
    const parts = phrase.split(' ');
    for (const part of parts) words.add(part);
    if (parts.length === 1 && (common.has(phrase) || /^\d+$/.test(phrase))) return;
    phrases.add(phrase, true);
  };
  const relations = new Set<string>();
  const keys = new Set<string>(['team', '$team', ...reading.fields]);
  for (const each of facts) {
    const wait = pause();
    if (wait) await wait;
    const { kind, value } = each.record;
    for (const word of each.words) words.add(word);
    for (const name of each.names) push(named, name, each);
    each.fieldsOf.forEach((fields, key) => {
      push(holders, key, each);
      if (added.has(key) || !key.startsWith('p:')) return;
      // what a tool was asked is not what it found
      if (kind === 'answer' || kind === 'document' || (kind === 'figures' && !fields.includes('groups'))) {
        for (const part of key.slice(2).split(' ')) words.add(part);
      } else if (!fields.includes('blueprint') || fields.length > 1) {
        added.add(key);
        addPhrase(key.slice(2));
      }
    });
    if (kind === 'entity' && isRecord(value) && isRecord(value['relations'])) {
      for (const key of Object.keys(value['relations'])) relations.add(key);
    }
  }
  // what was so is a value still, which no record holds
  for (const each of outdated)
    for (const key of readFacts(each, reading).fieldsOf.keys()) if (key.startsWith('p:')) addPhrase(key.slice(2));
  const titles = new Map<string, Set<string>>();
  for (const { kind, value } of records)
    if (kind === 'answer') readSchema(value, { titles, relations, addPhrase, keys });
  const labels = new Set<string>();
  for (const { kind, value } of records) {
    if (kind !== 'answer') continue;
    for (const title of titlesIn(value)) {
      if (seen.has(title) || !title.includes(' ')) continue;
      labels.add(title);
      addPhrase(title);
    }
  }
  return {
    facts,
    byRef: new Map(facts.map((each) => [each.record.ref, each])),
    holders,
    named,
    phrases,
    fields: fieldNames(keys, titles, relations),
    tools: new Set(records.map(({ tool }) => tool)),
    labels,
    isKnownWord: (word) => words.has(word) || seen.has(word) || reading.hasRead(word),
  };
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Titles of blueprints, scorecards, rules: of whatever an answer lists. */
function titlesIn(value: unknown, depth = 0): string[] {
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  const title = isRecord(value) && typeof value['title'] === 'string' ? toPhrase(value['title']) : undefined;
  const inside = Object.values(value).flatMap((each) => titlesIn(each, depth + 1));
  return title === undefined ? inside : [title, ...inside];
}

interface SchemaWords {
  readonly titles: Map<string, Set<string>>;
  readonly relations: Set<string>;
  readonly keys: Set<string>;
  readonly addPhrase: (phrase: string) => void;
}

/** Titles and choices of fields, from an answer that holds blueprints. */
function readSchema(value: unknown, { titles, relations, addPhrase, keys }: SchemaWords): void {
  if (!isRecord(value)) return;
  const blueprints = [value['blueprints'], value['blueprint']].flat().filter(isRecord);
  for (const blueprint of blueprints) {
    const schema = isRecord(blueprint['schema']) ? blueprint['schema'] : {};
    for (const part of [
      blueprint['properties'],
      blueprint['relations'],
      blueprint['computedProperties'],
      schema['properties'],
    ]) {
      if (!isRecord(part)) continue;
      for (const [key, info] of Object.entries(part)) {
        keys.add(key);
        if (part === blueprint['relations']) relations.add(key);
        if (!isRecord(info)) continue;
        const title = typeof info['title'] === 'string' ? toPhrase(info['title']) : undefined;
        if (title) titles.set(title, (titles.get(title) ?? new Set()).add(key));
        for (const choice of Array.isArray(info['enum']) ? info['enum'] : []) {
          const phrase = typeof choice === 'string' ? toPhrase(choice) : undefined;
          if (phrase) addPhrase(phrase);
        }
      }
    }
  }
}

const ownerWords = [
  'owner',
  'owners',
  'owned by',
  'owning team',
  'owning teams',
  'team',
  'teams',
  'belongs to',
  'owns',
  'own',
];

function fieldNames(
  keys: ReadonlySet<string>,
  titles: ReadonlyMap<string, ReadonlySet<string>>,
  relations: ReadonlySet<string>,
): Phrases<FieldName> {
  const named = createPhrases<FieldName>();
  const seen = new Set<string>();
  const add = (phrase: string, key: string): void => {
    if (seen.has(`${phrase} = ${key}`)) return;
    seen.add(`${phrase} = ${key}`);
    const words = phrase.split(' ');
    named.add(phrase, { words, key, isRelation: relations.has(key) });
  };
  for (const words of ownerWords) add(words, 'team');
  for (const key of keys) {
    if (key.startsWith('$')) continue;
    const spaced = key
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toLowerCase();
    for (const form of formsOf(spaced)) add(form, key);
    const lower = key.toLowerCase();
    if (lower !== spaced) add(lower, key);
  }
  for (const [title, of] of titles) for (const key of of) for (const form of formsOf(title)) add(form, key);
  return named;
}

/** A relation's name as it stands in sentences: "depends on", "depend on". */
function formsOf(phrase: string): string[] {
  const [first = '', ...rest] = phrase.split(' ');
  const tail = rest.length > 0 ? ` ${rest.join(' ')}` : '';
  const forms = [phrase];
  if (tail !== '' && first.endsWith('s')) forms.push(`${first.slice(0, -1)}${tail}`);
  if (tail === ' on' || tail === ' to') forms.push(`${first.replace(/s$/, '')}ed${tail} by`);
  if (first.startsWith('is') && tail !== '') forms.push(tail.trim());
  return forms;
}

/** A field, where a sentence names it. */
export interface NamedField extends FieldName {
  readonly start: number;
  readonly end: number;
}

export function fieldsIn(index: RunIndex, tokens: readonly Token[]): NamedField[] {
  const found: NamedField[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const match = index.fields.find(tokens, at);
    if (!match) continue;
    const [start, end] = [tokens[at]?.start ?? 0, tokens[at + match.length - 1]?.end ?? 0];
    for (const { words, key, isRelation } of match.values) found.push({ words, key, isRelation, start, end });
    at += match.length - 1;
  }
  return found;
}

/** All names of the things of which a text has every word of one name. */
function otherNames(
  records: readonly ReadRecord[],
  said: ReadonlySet<string>,
  phrases: PhraseForms,
): ReadonlySet<string> {
  const found = new Set<string>();
  const formOf = (text: unknown): PhraseForm | undefined => (typeof text === 'string' ? phrases.of(text) : undefined);
  const isWordSaid = (word: string): boolean => said.has(word);
  const isSaid = (form: PhraseForm | undefined): boolean => form?.words.every(isWordSaid) === true;
  for (const { thing, value } of records) {
    if (!thing) continue;
    const { title, name } = value as { readonly title?: unknown; readonly name?: unknown };
    const [first, second, third] = [formOf(thing.identifier), formOf(title), formOf(name)];
    if (!isSaid(first) && !isSaid(second) && !isSaid(third)) continue;
    for (const form of [first, second, third]) if (form) found.add(form.phrase);
  }
  return found;
}
