import { type Analysis, analyseExpression, JqError, type JqValue, type Program } from '@portolan/jq';
import { LRUCache } from 'lru-cache';
import { compileExpression } from '../../platform/expressions.ts';

/** A parsed calculation. */
export interface Calculation {
  /** Names the expression may read: properties and relations by key, others as `$title` …; or all. */
  readonly reads: ReadonlySet<string> | 'all';
  /** Whether it reads which keys exist. */
  readonly readsKeys: boolean;
  readonly isTimeDependent: boolean;
  /** Null if it fails, exceeds the budget, or has another type (catalog semantics §1.6). */
  evaluate(input: JqValue, type: string, now: Date): unknown;
}

/** Of the analysis; one that takes more counts as reading everything. A blueprint may have hundreds of them. */
const stepsMax = 1_000;

const kept = new LRUCache<string, Calculation>({ max: 2_000 });
const nothing: Calculation = { reads: new Set(), readsKeys: false, isTimeDependent: false, evaluate: () => null };

/** Parses an expression once. An invalid one has no value; its author was warned. */
export function cachedCalculation(expression: string): Calculation {
  const known = kept.get(expression);
  if (known) return known;
  const made = prepare(expression);
  kept.set(expression, made);
  return made;
}

function prepare(expression: string): Calculation {
  let program: Program;
  try {
    program = compileExpression('calculation', expression);
  } catch (error) {
    if (error instanceof JqError) return nothing;
    throw error;
  }
  const { reads, isUnknown, isTimeDependent } = analyseExpression(program.expression, {
    effort: { stepsLeft: stepsMax },
  });
  const names = isUnknown ? 'all' : readNames(reads);
  return {
    reads: names,
    readsKeys: isUnknown || reads.some(({ path, depth }) => path.length < 2 && depth === 'shape'),
    isTimeDependent,
    evaluate(input, type, now) {
      try {
        return fitting(program.first(input, { now }), type);
      } catch (error) {
        if (error instanceof JqError) return null;
        throw error;
      }
    },
  };
}

/**
 * Names whose values matter. That the entity, its properties and relations are objects is certain, and the blueprint
 * alone decides their keys.
 */
function readNames(reads: Analysis['reads']): ReadonlySet<string> | 'all' {
  const names = new Set<string>();
  for (const { path, depth } of reads) {
    const [head, inner] = path;
    const isContainer = head === undefined || (path.length === 1 && (head === 'properties' || head === 'relations'));
    if (isContainer && depth !== 'value') continue;
    if (typeof head !== 'string') return 'all';
    if (head !== 'properties' && head !== 'relations') names.add(`$${head}`);
    else if (typeof inner === 'string') names.add(inner);
    else return 'all';
  }
  return names;
}

/** No coercion: a result of another type, or one the database cannot store, is null. */
function fitting(value: unknown, type: string): unknown {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (kind !== type) return null;
  if (kind === 'boolean' || (kind === 'number' && !Number.isFinite(value))) return kind === 'boolean' ? value : null;
  const text = JSON.stringify(value);
  return unstorable.test(text) ? null : JSON.parse(text);
}

/** In JSON text: U+0000 and unpaired surrogates, which `jsonb` refuses. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;
