import { analyse, JqError, type JqValue, listTemplateBlocks, type PathRead, replaceSingleQuotes } from '@portolan/jq';
import { LRUCache } from 'lru-cache';

type Place = PathRead['path'];

/** An expression that a person writes takes dozens; of one that takes more nothing is certain. */
const stepsMax = 1_000;
/** The same expressions are asked about with every run. */
const known = new LRUCache<string, { readonly reads: readonly Place[] | null }>({ max: 2_000 });

/** The places whose values an expression may depend on; null where nobody can tell, as with one that cannot be parsed. */
function listReads(expression: string): readonly Place[] | null {
  const before = known.get(expression);
  if (before) return before.reads;
  const reads = analysed(expression);
  known.set(expression, { reads });
  return reads;
}

function analysed(expression: string): readonly Place[] | null {
  try {
    const { reads, isUnknown } = analyse(replaceSingleQuotes(expression), { effort: { stepsLeft: stepsMax } });
    // that something is there tells nothing of what it says
    return isUnknown ? null : reads.filter(({ depth }) => depth !== 'kind').map(({ path }) => path);
  } catch (error) {
    if (error instanceof JqError) return null;
    throw error;
  }
}

/** The expressions of a document's templates; undefined where its braces are not balanced. */
export function listTemplates(document: unknown): readonly string[] | undefined {
  try {
    return listTemplateBlocks(document as JqValue).map(({ expression }) => expression);
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/**
 * Whether an expression may read anything at the place but the members that are named as harmless: certain only where it
 * says no.
 */
export function mayReadAt(expression: string, place: readonly string[], harmless: ReadonlySet<string>): boolean {
  const reads = listReads(expression);
  return !reads || reads.some((path) => reaches(path, place, harmless));
}

function reaches(path: Place, place: readonly string[], harmless: ReadonlySet<string>): boolean {
  for (const [index, name] of place.entries()) {
    const step = path[index];
    // it ends above the place, and so reads all of it
    if (step === undefined || (typeof step === 'object' && step.any === 'deep')) return true;
    if (typeof step === 'string' && step !== name) return false;
  }
  const member = path[place.length];
  return typeof member !== 'string' || !harmless.has(member);
}
