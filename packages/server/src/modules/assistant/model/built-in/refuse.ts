import type { Grammar } from './grammar.ts';
import { type Answer, asked, refused } from './plan-steps.ts';
import { entityWords, queryWords } from './query-words.ts';
import type { Open, Ready, Resolved } from './resolve.ts';
import { fieldsAt, type Schema, type TypeInfo, typesAt } from './schema.ts';
import { determiners, glue } from './vocabulary.ts';
import { stemWord } from './words.ts';

const namedMax = 12;

/** The question back if more than one reading is as good, or the sentence that says what was not understood. */
export function explainFailure(grammar: Grammar, { open, unrelated }: Resolved, isLong: boolean): Answer {
  const { schema } = grammar;
  if (isLong) return refused('The question is too long for me; ask one thing at a time.');
  const unsure = open.filter(({ link }) => link.kind === 'unsure').sort((a, b) => a.reading.cost - b.reading.cost);
  const [first] = unsure;
  if (first?.link.kind === 'unsure') return askForEntity(unsure, schema);
  const [related] = unrelated;
  if (related) return refused('I know of no relation between these.');
  const unknown = bestUnknown(open);
  if (unknown) return refuseName(unknown, grammar);
  return refuseWords(grammar);
}

/** Which of several readings is meant. */
export function askForReading(ready: readonly Ready[], schema: Schema): Answer {
  const words = [...new Set(ready.map(({ query }) => queryWords(query, schema)))].slice(0, 4);
  return asked(`Which do you mean: ${words.map((each) => `“${each}”`).join(', or ')}?`);
}

function askForEntity(unsure: readonly Open[], schema: Schema): Answer {
  const options = unsure.flatMap(({ link }) => (link.kind === 'unsure' ? link.options : []));
  const unique = [
    ...new Map(options.map((entity) => [`${entity.blueprint}/${entity.identifier}`, entity])).values(),
  ].slice(0, 4);
  const names = unique.map((entity) => {
    const words = entityWords(entity, schema);
    const end = words.lastIndexOf(' (');
    const [title, type] = end < 0 ? [words, ''] : [words.slice(0, end), words.slice(end)];
    return `**${title}**${type}`;
  });
  return asked(`Did you mean ${names.join(' or ')}?`);
}

/** The name that the cheapest reading needs; a word that only might have been one is no name. */
function bestUnknown(open: readonly Open[]): Open | undefined {
  return open
    .filter(({ name, reading }) => !name.isBare && (reading.query.ask !== 'get' || reading.cost < 0.02))
    .sort((a, b) => a.reading.cost - b.reading.cost || a.name.text.length - b.name.text.length)[0];
}

function refuseName({ name, link }: Open, grammar: Grammar): Answer {
  const types = (name.types ?? []).flatMap((id) => grammar.schema.find(id) ?? []);
  const isSaid = types.length === 1 && typesNamed(grammar).some((type) => type === types[0]);
  const what = isSaid && types[0] ? `no ${types[0].title.toLowerCase()}` : 'nothing';
  const near =
    link.kind === 'unknown' && link.near.length > 0
      ? ` Near it: ${link.near.map((entity) => entityWords(entity, grammar.schema)).join(', ')}.`
      : '';
  const list = isSaid && types[0] ? ` \`list ${types[0].plural.toLowerCase()}\` shows all.` : '';
  return refused(`I know ${what} called “${name.text}”.${near}${list}`);
}

/** Words without a meaning in the catalog, or all known and put together in a way that is not understood. */
function refuseWords(grammar: Grammar): Answer {
  const { words, schema } = grammar;
  const types = typesNamed(grammar);
  const [type] = types;
  const isKnown = words.map(
    ({ lower, isQuoted }) => !isQuoted && (glue.has(lower) || determiners.has(lower) || functionWords.has(lower)),
  );
  const mark = (at: number, end: number): void => void isKnown.fill(true, at, end);
  words.forEach((_, at) => {
    for (const { end } of typesAt(schema, words, at)) mark(at, end);
    for (const each of types) {
      for (const { end } of fieldsAt(each, words, at)) mark(at, end);
      for (const { values } of each.fields) {
        if (values.some((value) => stemWord(String(value).toLowerCase()) === words[at]?.stem)) mark(at, at + 1);
      }
    }
  });
  const unknown = words.filter((_, at) => !isKnown[at]).map(({ raw }) => raw);
  const all = schema.types.filter(({ id }) => !id.startsWith('_')).map(({ plural }) => plural.toLowerCase());
  const shown = all.slice(0, namedMax).join(', ') + (all.length > namedMax ? ', …' : '');
  if (!type) {
    return refused(
      `I can only read this catalog${all.length > 0 ? `: ${shown}` : ''}. A language model can be connected in Settings → AI.`,
    );
  }
  if (unknown.length > 0)
    return refused(
      `I do not understand “${unknown.join(' ')}” for ${type.plural.toLowerCase()}; they have: ${fieldTitles(type)}.`,
    );
  return refused(
    `I know these words, but not what they ask together. Ask for ${type.plural.toLowerCase()} by ${fieldTitles(type)}, one thing at a time.`,
  );
}

const functionWords = new Set(
  [
    'of',
    'in',
    'on',
    'for',
    'to',
    'by',
    'with',
    'without',
    'no',
    'not',
    'or',
    'what',
    'who',
    'when',
    'how',
    'many',
    'list',
    'show',
    'me',
    'i',
    'we',
    "'s",
  ].concat([
    'find',
    'get',
    'most',
    'fewest',
    'top',
    'last',
    'latest',
    'per',
    'please',
    'team',
    'owner',
    'owns',
    'own',
    'owned',
    'at',
    'from',
  ]),
);

function typesNamed({ words, schema }: Grammar): TypeInfo[] {
  return words.flatMap((_, at) => typesAt(schema, words, at).map(({ value }) => value));
}

function fieldTitles({ fields }: TypeInfo): string {
  const titles = fields.filter(({ kind }) => kind !== 'meta').map(({ title }) => title);
  return titles.slice(0, namedMax).join(', ') + (titles.length > namedMax ? ', …' : '');
}
