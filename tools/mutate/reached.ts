import type { File, Suite } from '@vitest/runner';

/** Which tests a mutant is tried with; all of the file where nothing narrower is known. */
export interface CoveringTests {
  readonly chosen: ReadonlySet<string> | undefined;
  /** Whether the place runs while the source is loaded, so that it must be loaded anew. */
  readonly isLoaded: boolean;
}

/** Which mutants were come by, and where: in a test, in a hook or in the background, or while sources were loaded. */
export class Reached {
  where: string = 'loading';
  readonly #byPlace = new Map<string, Set<number>>();

  note(id: number): void {
    const ids = this.#byPlace.get(this.where) ?? new Set();
    this.#byPlace.set(this.where, ids);
    ids.add(id);
  }

  /** How this file's tests come by a mutant; undefined if they do not. */
  testsOf(id: number, file: File): CoveringTests | undefined {
    if (this.#has('hooks', id)) return { chosen: undefined, isLoaded: false };
    const chosen = new Set(testIds(file).filter((each) => this.#has(each, id)));
    if (chosen.size > 0) return { chosen, isLoaded: false };
    if (!this.#has('loading', id)) return undefined;
    // whoever reads a constant comes by no place of its source, so every test is asked
    return { chosen: undefined, isLoaded: true };
  }

  /** Sources stay loaded for the next file, so what was come by while loading stays true. */
  forget(file: File): void {
    for (const id of [...testIds(file), 'hooks']) this.#byPlace.delete(id);
  }

  #has(place: string, id: number): boolean {
    return this.#byPlace.get(place)?.has(id) ?? false;
  }
}

function testIds(suite: Suite): string[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testIds(task) : [task.id]));
}
