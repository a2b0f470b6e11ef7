import type { Actor } from '../../../platform/actor.ts';
import { readingThrough } from '../../../platform/db/reading-through.ts';
import type { DomainRecord, UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import type { ChildKindsDeps } from '../nodes/begin-child.ts';
import type { NodeCall, NodeKinds, NodeOutcome } from '../nodes/node-kind.ts';
import { createNodeKinds } from '../nodes/node-kinds.ts';
import type { NodesDeps } from '../nodes/nodes.deps.ts';

/** Carries what would have been recorded out of the transaction that is taken back. */
export class TakenBack extends Error {
  readonly records: readonly DomainRecord[];

  constructor(records: readonly DomainRecord[]) {
    super('This was a rehearsal');
    this.records = records;
  }
}

export type RehearsedDeps = NodesDeps & Pick<ChildKindsDeps, 'checkStart'>;

/** As many writes to the catalog are there for later steps: each of these does all of them again. */
const keptMax = 50;

type Body = (work: Work) => Promise<unknown>;

/**
 * The kinds of nodes for one test, with every write taken back at its end: it throws `TakenBack`. What steps wrote to the
 * catalog is written again in the transaction of each later one, so that it finds that, and nobody outside does.
 */
export function rehearsedKinds(deps: RehearsedDeps): NodeKinds {
  const { catalog } = deps;
  const written: { readonly actor: Actor; readonly body: Body }[] = [];
  const quiet = { record: () => undefined, last: () => undefined };
  const rehearse = async (actor: Actor, body: Body, records: DomainRecord[] = []): Promise<never> =>
    deps.unitOfWork(actor, async (work) => {
      for (const before of written) await before.body({ ...work, ...quiet, actor: before.actor });
      // a repetition begins with none
      records.length = 0;
      await body({ ...work, ...quiet, record: (entry) => records.push(entry) });
      throw new TakenBack(records);
    });
  const unitOfWork: UnitOfWork = (actor, body) => rehearse(actor, body);
  const writing: UnitOfWork = async (actor, body) => {
    try {
      return await rehearse(actor, body);
    } catch (error) {
      if (error instanceof TakenBack && written.length < keptMax) written.push({ actor, body });
      throw error;
    }
  };
  const kinds = createNodeKinds({
    ...deps,
    unitOfWork,
    catalog: {
      ...catalog,
      unitOfWork: writing,
      // there is no run on whose behalf it is written, and nothing is kept of what fails
      assertRun: async () => undefined,
      recordFailures: async () => undefined,
    },
  });
  return {
    ...kinds,
    FETCH: { effect: 'none', plan: (call) => fetchAmong(deps, kinds, rehearse, call, written.length) },
  };
}

/** Reads entities with what steps before wrote. */
async function fetchAmong(
  deps: RehearsedDeps,
  kinds: NodeKinds,
  rehearse: (actor: Actor, body: Body) => Promise<never>,
  call: NodeCall,
  writes: number,
): Promise<NodeOutcome> {
  const fetch = (among: NodeKinds) => {
    const kind = among['FETCH'];
    if (kind?.effect !== 'none') throw new Error('a step that reads has no effect');
    return kind.plan(call);
  };
  if (writes === 0) return fetch(kinds);
  let outcome: NodeOutcome | undefined;
  try {
    await rehearse(call.actor, async ({ tx }) => {
      const database = readingThrough(deps.database, tx);
      outcome = await fetch(createNodeKinds({ ...deps, database, catalog: { ...deps.catalog, database } }));
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  if (!outcome) throw new Error('what was read is told before it is taken back');
  return outcome;
}
