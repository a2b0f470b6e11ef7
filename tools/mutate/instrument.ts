import { isRemoval, type NumberedMutant } from './mutant.ts';

/** A place of a source and the mutants that change exactly it, with the places inside. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly mutants: NumberedMutant[];
  readonly inner: Place[];
}

/**
 * The source with all its mutants in it, each asleep until `globalThis.isMutated(<id>)` says otherwise. The number of
 * lines does not change, so what a stack trace says stays true.
 */
export function instrument(text: string, mutants: readonly NumberedMutant[]): string {
  const outermost = nest(mutants);
  return woven(text, 0, text.length, outermost);
}

/** Places lie side by side or one in the other, since each is a node of the same tree. */
function nest(mutants: readonly NumberedMutant[]): Place[] {
  const sorted = mutants.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const outermost: Place[] = [];
  const open: Place[] = [];
  for (const mutant of sorted) {
    while (open.length > 0 && open.at(-1)!.end <= mutant.start) open.pop();
    const around = open.at(-1);
    if (around && around.start === mutant.start && around.end === mutant.end) {
      around.mutants.push(mutant);
      continue;
    }
    const place: Place = { start: mutant.start, end: mutant.end, mutants: [mutant], inner: [] };
    (around?.inner ?? outermost).push(place);
    open.push(place);
  }
  return outermost;
}

function woven(text: string, start: number, end: number, places: readonly Place[]): string {
  let result = '';
  let position = start;
  for (const place of places) {
    result += text.slice(position, place.start) + choice(text, place);
    position = place.end;
  }
  return result + text.slice(position, end);
}

function choice(text: string, { start, end, mutants, inner }: Place): string {
  const original = woven(text, start, end, inner);
  const [removal] = mutants.filter(isRemoval);
  if (removal) return `{ if (!globalThis.isMutated(${removal.id})) { ${original} } }`;
  const choices = mutants.map(({ id, replacement }) => `globalThis.isMutated(${id}) ? (${onOneLine(replacement)}) : `);
  return `(${choices.join('')}(${original}))`;
}

/** Line breaks of a template are part of its text, so only those stay that a template needs. */
function onOneLine(replacement: string): string {
  if (replacement.includes('`') || replacement.includes('//')) return replacement;
  return replacement.replace(/\n\s*/g, ' ');
}
