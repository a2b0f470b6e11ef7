import type { Expression } from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { type AbstractValue, atPlace } from './abstract-value.ts';
import { type AnalysisEffort, AnalysisTooLong, Interpreter } from './interpreter.ts';
import { formatPlace, isUnknownSegment, type Place, placeKey, relate } from './place.ts';
import { AccessRecord, type AnalysisListener, type PathRead } from './record.ts';

export interface AnalyseOptions {
  /**
   * The structure of the input: a document with the keys it can have. Unknown steps in the result are expanded where
   * the shape lists the keys; an array stands for elements like its first.
   */
  readonly shape?: Shape;
  /** What is left for this program and others together. Where it ends, nothing is known of the rest. */
  readonly effort?: AnalysisEffort;
}

export type Shape = null | boolean | number | string | readonly Shape[] | { readonly [key: string]: Shape };

export interface Analysis {
  /** What the outputs (or errors) can depend on. Nothing outside of these places can change them. */
  readonly reads: readonly PathRead[];
  /** Places the program writes in its copy of the input. */
  readonly writes: readonly Place[];
  /** True if the analysis gave up somewhere; then `reads` holds the root at any depth. */
  readonly isUnknown: boolean;
  /** True if the result depends on the clock. */
  readonly isTimeDependent: boolean;
}

/** Finds the places of its input a program can read and write. Throws what `parse` throws. */
export function analyse(source: string, options: AnalyseOptions = {}): Analysis {
  return analyseExpression(parse(source), options);
}

export function analyseExpression(
  expression: Expression,
  { shape, effort }: AnalyseOptions = {},
  listener: AnalysisListener = {},
): Analysis {
  const record = new AccessRecord();
  const interpreter = new Interpreter(record, listener, effort);
  const root: AbstractValue = atPlace([]);
  try {
    record.read(interpreter.evaluate(expression, root, null), 'value');
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof AnalysisTooLong)) throw error;
    interpreter.giveUp();
  }
  const reads = shape === undefined ? record.reads : record.reads.flatMap((read) => expandRead(read, shape));
  return {
    reads: withoutCovered(reads)
      .slice()
      .sort((a, b) => formatPlace(a.path).localeCompare(formatPlace(b.path), 'en')),
    writes: record.writes,
    isUnknown: record.isUnknown,
    isTimeDependent: record.isTimeDependent,
  };
}

/** A read of a whole value covers every read inside it. */
function withoutCovered(reads: readonly PathRead[]): readonly PathRead[] {
  const whole = new Map<string, Set<string>>();
  for (const { path, depth } of reads) {
    if (depth !== 'value') continue;
    const last = path.at(-1);
    const isDeep = last !== undefined && isUnknownSegment(last) && last.any === 'deep';
    const base = placeKey(isDeep ? path.slice(0, -1) : path);
    whole.set(base, (whole.get(base) ?? new Set()).add(placeKey(path)));
  }
  const isCovered = ({ path }: PathRead): boolean =>
    path.some((_, length) => {
      const above = whole.get(placeKey(path.slice(0, length)));
      // by another one, not by itself
      return above !== undefined && (above.size > 1 || !above.has(placeKey(path)));
    });
  return reads.filter((read) => !isCovered(read));
}

/**
 * Whether the outputs may change when the value at `path` is replaced, added or removed while the containers it stands
 * in stay. False is certain; true is "perhaps".
 */
export function affects(source: string | Analysis, path: Place): boolean {
  const { reads } = typeof source === 'string' ? analyse(source) : source;
  return reads.some((read) => {
    const { isAbove, stepsBelow } = relate(path, read.path);
    if (isAbove) return true;
    if (stepsBelow === undefined || read.depth === 'kind') return false;
    return read.depth === 'value' || stepsBelow <= 1;
  });
}

/** Expands `[*]` steps over objects whose keys the shape lists. */
function expandRead(read: PathRead, shape: Shape): PathRead[] {
  const expand = (place: Place, at: number, part: Shape | undefined): Place[] => {
    const step = place[at];
    if (step === undefined) return [place];
    if (!isUnknownSegment(step)) return expand(place, at + 1, findPart(part, step));
    const isOpen = step.any === 'deep' || typeof part !== 'object' || part === null || Array.isArray(part);
    if (isOpen) return step.any === 'deep' ? [place] : expand(place, at + 1, Array.isArray(part) ? part[0] : undefined);
    const keys = Object.keys(part as object);
    return keys.flatMap((key) =>
      expand(
        [...place.slice(0, at), key, ...place.slice(at + 1)],
        at + 1,
        (part as { readonly [key: string]: Shape })[key],
      ),
    );
  };
  return expand(read.path, 0, shape).map((path) => ({ path, depth: read.depth }));
}

function findPart(part: Shape | undefined, step: string | number): Shape | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (Array.isArray(part)) return part[0];
  return Object.hasOwn(part, step) ? (part as { readonly [key: string]: Shape })[step] : undefined;
}
