import type { Schema } from './schema.ts';
import { dependVerbs } from './vocabulary.ts';
import { endsOfName, nameWords, stemWord, type Word } from './words.ts';

/**
 * A relation with its verb. The verb's subject is the source ("depends on"), or the target where the name is passive
 * ("used by").
 */
export interface Edge {
  readonly relation: string;
  readonly title: string;
  readonly source: string;
  readonly target: string;
  readonly subject: 'source' | 'target';
  /** The verb in its plain form, as `['depend', 'on']`. */
  readonly verb: readonly string[];
  /** Names of the relation as written. */
  readonly names: readonly (readonly string[])[];
}

export function listEdges({ types }: Schema): Edge[] {
  return types.flatMap((type) =>
    type.fields.flatMap((field): Edge[] => {
      if (field.kind !== 'relation' || field.target === undefined) return [];
      const base = { relation: field.key, title: field.title, source: type.id, target: field.target };
      const seen = new Map<string, Edge>();
      for (const name of [nameWords(field.key), nameWords(field.title)]) {
        const edge = { ...base, ...readVerb(name), names: field.names };
        seen.set(`${edge.subject} ${edge.verb.join(' ')}`, edge);
      }
      return [...seen.values()];
    }),
  );
}

const passive = new Set(['by', 'von', 'durch', 'par', 'por']);

function readVerb(name: readonly string[]): Pick<Edge, 'subject' | 'verb'> {
  const [first = '', ...rest] = name;
  if (rest.length === 1 && passive.has(rest[0] ?? '')) return { subject: 'target', verb: [plainOfParticiple(first)] };
  // "Affected services": what the source affects
  if (rest.length === 1 && first.endsWith('ed')) return { subject: 'source', verb: [plainOfParticiple(first)] };
  return { subject: 'source', verb: [stemWord(first), ...rest] };
}

function plainOfParticiple(word: string): string {
  if (/(?:[sv]|rc|[aiou][cgk]|us)ed$/.test(word) && !/ss?ed$/.test(word.replace(/used$/, ''))) return word.slice(0, -1);
  return word.endsWith('ed') ? word.slice(0, -2) : word;
}

/** The ends at which the words from `at` spell the verb in an active form: "depends on", "depend on". */
function activeEnds({ verb }: Pick<Edge, 'verb'>, words: readonly Word[], at: number): number[] {
  const [first = '', ...rest] = verb;
  const said = words[at];
  if (!said || said.isQuoted || !isFormOf(said, first)) return [];
  return rest.every((word, index) => words[at + 1 + index]?.folded === word) ? [at + 1 + rest.length] : [];
}

/** The ends of a passive form: "used by", "depended on by", "is called by" without its auxiliary. */
function passiveEnds({ verb }: Pick<Edge, 'verb'>, words: readonly Word[], at: number): number[] {
  const [first = '', ...rest] = verb;
  const said = words[at];
  if (!said || said.isQuoted || ![`${first}ed`, `${first}d`, `${first}${first.at(-1)}ed`].includes(said.folded))
    return [];
  const by = at + 1 + rest.length;
  if (!rest.every((word, index) => words[at + 1 + index]?.folded === word)) return [];
  return passive.has(words[by]?.lower ?? '') ? [by + 1] : [];
}

function isFormOf({ folded, stem }: Word, plain: string): boolean {
  const forms = [plain, `${plain}s`, `${plain}es`, `${plain}ing`, `${plain.replace(/e$/, '')}ing`];
  return stem === plain || forms.includes(folded);
}

/** The ends at which the relation's own name is spelled, in the plural of a verb too ("call" for "Calls"). */
export function nameEnds(edge: Edge, words: readonly Word[], at: number): number[] {
  return [...new Set(edge.names.flatMap((name) => endsOfName(words, at, name)))];
}

/** What of an edge a question names by a verb: who does it (`subject`) or to whom it is done (`object`). */
interface VerbMatch {
  readonly edge: Edge;
  readonly end: number;
  readonly cost: number;
}

/**
 * The edges whose verb the words from `at` spell. A general verb ("use") stands for another of its kind ("depend on")
 * only between types that have no relation of the verb itself.
 */
export function verbsAt(
  edges: readonly Edge[],
  words: readonly Word[],
  at: number,
  voice: 'active' | 'passive',
): VerbMatch[] {
  const endsOf = voice === 'active' ? activeEnds : passiveEnds;
  const literal = edges.flatMap((edge) => endsOf(edge, words, at).map((end) => ({ edge, end, cost: 0 })));
  const hasOwn = (edge: Edge): boolean =>
    literal.some(
      ({ edge: other }) => subjectType(other) === subjectType(edge) && objectType(other) === objectType(edge),
    );
  const general = dependVerbs.flatMap((verb) => endsOf({ verb: verb.split(' ') }, words, at));
  const kin = [...new Set(general)].flatMap((end) =>
    edges
      .filter((edge) => dependVerbs.includes(edge.verb.join(' ')) && !hasOwn(edge))
      .map((edge) => ({ edge, end, cost: 0.02 })),
  );
  return [...literal, ...kin];
}

export function subjectType({ subject, source, target }: Edge): string {
  return subject === 'source' ? source : target;
}

export function objectType({ subject, source, target }: Edge): string {
  return subject === 'source' ? target : source;
}
