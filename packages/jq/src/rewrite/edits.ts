import type { Place } from '../analysis/place.ts';
import type { Span } from '../syntax/ast.ts';

/** A replacement reported while the analysis walks the program. */
export interface Replacement extends Span {
  readonly after?: string;
  readonly reason?: string;
}

/** Replace the text `from` where it is compared with, or searched in, the value at `path` (or one of its elements). */
export interface ComparisonEdit {
  readonly kind: 'comparison';
  readonly path: Place;
  readonly from: string;
  readonly to: string;
}

/** Replace every access to the place `from` by an access to `to`. `{ any: 'one' }` in both means `[]`. */
export interface PathEdit {
  readonly kind: 'path';
  readonly from: Place;
  readonly to: Place;
}
