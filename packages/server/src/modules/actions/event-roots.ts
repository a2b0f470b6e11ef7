import { analyse, JqError, replaceSingleQuotes } from '@portolan/jq';

/** What the event of an automation has at its root (catalog semantics §5.3). */
const eventRoots: ReadonlySet<string> = new Set(['action', 'resourceType', 'trigger', 'context', 'diff']);

/** What somebody who reads it probably means, by the root that they wrote. */
const meant: Readonly<Record<string, string>> = {
  properties: '.diff.after.properties',
  relations: '.diff.after.relations',
  entity: '.diff.after',
  after: '.diff.after',
  before: '.diff.before',
  run: '.diff.after',
};

/**
 * The roots that a condition reads and no event has, each with what to write instead; it can never hold by them. Found by
 * analysis: what cannot be said for certain is not among them.
 */
export function impossibleRoots(expression: string): readonly { readonly root: string; readonly message: string }[] {
  const roots = new Set(readsOf(expression).map((path) => (path[0] === 'event' ? path[1] : path[0])));
  return [...roots].flatMap((root) => {
    if (typeof root !== 'string' || eventRoots.has(root)) return [];
    const hint = meant[root] === undefined ? '' : `; write ${meant[root]}`;
    const message = `reads .${root}, which no event has: there are .${[...eventRoots].join(', .')}${hint}`;
    return [{ root, message }];
  });
}

function readsOf(expression: string) {
  try {
    const { reads, isUnknown } = analyse(replaceSingleQuotes(expression));
    return isUnknown ? [] : reads.map(({ path }) => path);
  } catch (error) {
    // one that cannot be read is told of as that
    if (error instanceof JqError) return [];
    throw error;
  }
}
