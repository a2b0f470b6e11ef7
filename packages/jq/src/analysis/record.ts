import type { Expression } from '../syntax/ast.ts';
import type { AbstractValue } from './abstract-value.ts';
import { listSources } from './abstract-value.ts';
import { type Place, placeKey } from './place.ts';

/**
 * How much of a place the result depends on: the whole `value`; its `shape` (kind and keys of its children); or only
 * its `kind` (including whether it exists).
 */
export type ReadDepth = 'kind' | 'shape' | 'value';

export interface PathRead {
  readonly path: Place;
  readonly depth: ReadDepth;
}

/** Callbacks for parts of the syntax with the values known there; used by the rewriter. */
export interface AnalysisListener {
  /** A step by a key: `.name`, `.["name"]`, shorthand, pattern, literal `getpath`. `input` is the value stepped into. */
  onStep?(node: Expression, input: AbstractValue): void;
  /** Two values are compared, or one is looked for in the other. */
  onCompare?(left: Expression | null, leftValue: AbstractValue, right: Expression, rightValue: AbstractValue): void;
}

const strength: Record<ReadDepth, number> = { kind: 0, shape: 1, value: 2 };

/** Collects what a program reads and writes. */
export class AccessRecord {
  private readonly readPlaces = new Map<string, { readonly path: Place; depth: ReadDepth }>();
  private readonly written = new Map<string, Place>();
  isUnknown = false;
  isTimeDependent = false;
  /** Set inside `try … catch .`: jq's messages quote values, so every inspected value counts as read. */
  isMessageVisible = false;

  get reads(): readonly PathRead[] {
    return [...this.readPlaces.values()];
  }

  get writes(): readonly Place[] {
    return [...this.written.values()];
  }

  read(value: AbstractValue, depth: ReadDepth): void {
    if (this.isMessageVisible && depth !== 'value') return this.read(value, 'value');
    for (const place of depth === 'value' ? listSources(value) : [...value.places, ...value.loose])
      this.readPlace(place, depth);
  }

  readPlace(place: Place, depth: ReadDepth): void {
    const known = this.readPlaces.get(placeKey(place));
    if (known === undefined) this.readPlaces.set(placeKey(place), { path: place, depth });
    else if (strength[known.depth] < strength[depth]) known.depth = depth;
  }

  write(place: Place): void {
    if (!this.written.has(placeKey(place))) this.written.set(placeKey(place), place);
  }
}
