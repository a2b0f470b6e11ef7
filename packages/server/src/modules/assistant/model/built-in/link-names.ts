import type { EntityInfo } from './catalog.ts';
import type { NameRef } from './query.ts';
import { hiddenTypes } from './schema.ts';
import { fold, nameWords } from './words.ts';

/** What the words of a name came to. */
export type Link =
  | { readonly kind: 'linked'; readonly entity: EntityInfo; readonly cost: number }
  | { readonly kind: 'unsure'; readonly options: readonly EntityInfo[] }
  | { readonly kind: 'unknown'; readonly near: readonly EntityInfo[] };

const sure = 0.93;
const likely = 0.7;
const apart = 0.05;
const optionsMax = 3;

/**
 * Decides which of the found entities a name means: the one whose identifier or title it is, if no other has it too.
 * Almost the name of one is asked about; everything else is unknown.
 */
export function linkName({ text, types }: NameRef, found: readonly EntityInfo[]): Link {
  const candidates = found
    .filter(({ blueprint = '' }) => (types ? types.includes(blueprint) : !hiddenTypes.has(blueprint)))
    .map((entity) => ({ entity, confidence: likeness(text, entity) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence);
  const [best, next] = candidates;
  if (!best || best.confidence < likely)
    return { kind: 'unknown', near: candidates.slice(0, optionsMax).map(({ entity }) => entity) };
  const isAlone = !next || best.confidence - next.confidence >= apart;
  if (best.confidence >= sure && isAlone)
    return { kind: 'linked', entity: best.entity, cost: best.confidence >= 0.97 ? 0 : 0.04 };
  const alike = candidates.filter(({ confidence }) => best.confidence - confidence < apart).map(({ entity }) => entity);
  // a part of many names is the name of none
  if (best.confidence < sure && alike.length > optionsMax) return { kind: 'unknown', near: alike.slice(0, optionsMax) };
  return { kind: 'unsure', options: alike.slice(0, optionsMax) };
}

/** How surely a text is the name of an entity, from 0 to 1. */
export function likeness(text: string, { identifier, title }: EntityInfo): number {
  return Math.max(likenessTo(text, identifier, 1), title ? likenessTo(text, title, 0.98) : 0);
}

function likenessTo(text: string, name: string, whole: number): number {
  const [said, called] = [fold(text), fold(name)];
  if (said === '' || called === '') return 0;
  if (said === called) return whole;
  const [saidWords, calledWords] = [nameWords(text), nameWords(name)];
  if (saidWords.length > 1 && isSameSet(saidWords, calledWords)) return 0.93;
  const edits = said.length >= 9 ? 2 : said.length >= 5 ? 1 : 0;
  if (edits > 0 && distance(said, called, edits) <= edits) return 0.8;
  const isPart = saidWords.every((word) => word.length >= 3 && calledWords.includes(word));
  return isPart ? (calledWords.length <= 2 * saidWords.length ? 0.7 : 0.5) : 0;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && [...a].sort().join(' ') === [...b].sort().join(' ');
}

/** Edits between two texts, a swap of neighbours being one; more than `max` counts as `max + 1`. */
export function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost);
    }
    if (Math.min(...row) > max) return max + 1;
    [before, last] = [last, row];
  }
  return last[b.length] ?? max + 1;
}
