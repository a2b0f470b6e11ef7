import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 allocate everything as new. It would learn from moments with many requests under way that the objects of a request
 * live long, and from then on put them among the old at once, where they stay as garbage until the next full collection: a
 * tenth of all that point reads allocate, against a third of that without (bench/RESULTS.md, "Bulk writes"). For the whole
 * process, before it serves.
 */
export function allocateAsNew(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
