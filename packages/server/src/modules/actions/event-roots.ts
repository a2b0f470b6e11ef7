import { analyse, JqError, replaceSingleQuotes } from '@portolan/jq';

/** Root keys of an automation's event (catalog semantics §5.3). */
const eventRoots: ReadonlySet<string> = new Set(['action', 'resourceType', 'trigger', 'context', 'diff']);

/** A condition that a person writes takes dozens; of one that takes more nothing is certain. */
const stepsMax = 1_000;

/** The path that was probably meant by each wrong root. */
const meant: Readonly<Record<string, string>> = {
  properties: '.diff.after.properties',
  relations: '.diff.after.relations',
  entity: '.diff.after',
  after: '.diff.after',
  before: '.diff.before',
  run: '.diff.after',
};

/**
 * Roots that a condition reads but no event has, each with a suggestion; such a condition never holds. Uses static
 * analysis, so it reports certain cases only.
 */
export function impossibleRoots(expression: string): readonly { readonly root: string; readonly message: string }[] {
  const roots = new Set(listReads(expression).map((path) => (path[0] === 'event' ? path[1] : path[0])));
  return [...roots].flatMap((root) => {
    if (typeof root !== 'string' || eventRoots.has(root)) return [];
    const hint = meant[root] === undefined ? '' : `; write ${meant[root]}`;
    const message = `reads .${root}, which no event has: there are .${[...eventRoots].join(', .')}${hint}`;
    return [{ root, message }];
  });
}

function listReads(expression: string) {
  try {
    const { reads, isUnknown } = analyse(replaceSingleQuotes(expression), { effort: { stepsLeft: stepsMax } });
    return isUnknown ? [] : reads.map(({ path }) => path);
  } catch (error) {
    // unparsable expressions are reported elsewhere
    if (error instanceof JqError) return [];
    throw error;
  }
}
