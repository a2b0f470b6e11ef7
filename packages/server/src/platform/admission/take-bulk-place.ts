import { AppError } from '../errors.ts';
import type { Admission, Leave } from './admission.ts';

/** Refusals after which long work gives up; each comes after a wait of its own. */
const refusalsMax = 6;

/** Waits for a place for one step of long work, longer than a request would. @throws AppError `too_many_requests` */
export async function takeBulkPlace(admission: Admission, line: string): Promise<Leave> {
  for (let refusals = 1; ; refusals += 1) {
    const outcome = await new Promise<Leave | AppError>((resolve) => {
      admission.ask({ workClass: 'bulk', line }, resolve);
    });
    if (!(outcome instanceof AppError)) return outcome;
    if (refusals === refusalsMax) throw outcome;
  }
}
