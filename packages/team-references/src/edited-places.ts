import { isDeepStrictEqual } from 'node:util';
import type { Json } from './documents.ts';
import { applyEdits, formatPointer, isObject, parsePointer, valueAt } from './json-pointer.ts';
import type { DocumentEdit } from './plan.ts';

/** A place changed by edits; `before` or `after` is absent if the value is. */
export interface EditedPlace {
  readonly pointer: string;
  readonly before?: Json;
  readonly after?: Json;
}

/**
 * The places that edits change, each of which can be restored as a value: a whole list if its members move, and the
 * outermost part that is created. Edits without effect have no place.
 */
export function editedPlaces(document: Json, edits: readonly DocumentEdit[]): EditedPlace[] {
  const edited = applyEdits(document, edits);
  const pointers = [...new Set(edits.map((edit) => reach(document, edit)))];
  return pointers
    .filter((pointer) => !pointers.some((other) => pointer !== other && pointer.startsWith(`${other}/`)))
    .map((pointer): EditedPlace => toEditedPlace(pointer, valueAt(document, pointer), valueAt(edited, pointer)))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after));
}

/** Whether a document still holds at each place what the edits wrote. */
export function holdsEdited(document: Json, places: readonly EditedPlace[]): boolean {
  return places.every(({ pointer, after }) => isDeepStrictEqual(valueAt(document, pointer), after));
}

/** The edits that restore the places. */
export function editsBack(places: readonly EditedPlace[]): DocumentEdit[] {
  return places.map(({ pointer, before }) => (before === undefined ? { pointer } : { pointer, value: before }));
}

function toEditedPlace(pointer: string, before: Json | undefined, after: Json | undefined): EditedPlace {
  return { pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The pointer of the part that an edit replaces, adds or removes as a whole. */
function reach(document: Json, { pointer, value }: DocumentEdit): string {
  const steps = parsePointer(pointer);
  let at: Json | undefined = document;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(at)) {
      const isMoving = index === steps.length - 1 && value === undefined;
      if (isMoving || !(Number(step) < at.length)) return formatPointer(steps.slice(0, index));
      at = at[Number(step)];
    } else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return formatPointer(steps.slice(0, index + 1));
  }
  return pointer;
}
