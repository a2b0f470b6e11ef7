import type { Actor } from './actor.ts';
import type { UnitOfWork, Work } from './unit-of-work.ts';

/** Carries the result out of the transaction that is rolled back. */
class Rehearsed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('This was a rehearsal');
    this.answer = answer;
  }
}

/** Runs the work and rolls it back: same checks and result, nothing written. */
export async function rehearse<T>(unitOfWork: UnitOfWork, actor: Actor, body: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await unitOfWork(actor, async (work) => {
      throw new Rehearsed(await body(work));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.answer as T;
    throw error;
  }
}
