import type { DomainRecord, UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { ChildKindsDeps } from '../nodes/begin-child.ts';
import type { NodeKinds } from '../nodes/node-kind.ts';
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

/** The kinds of nodes, with every write taken back at its end: it throws `TakenBack`. */
export function rehearsedKinds(deps: RehearsedDeps): NodeKinds {
  const { catalog } = deps;
  const unitOfWork: UnitOfWork = (actor, body) =>
    deps.unitOfWork(actor, async (work) => {
      const records: DomainRecord[] = [];
      await body({
        ...work,
        record: (entry) => {
          records.push(entry);
          work.record(entry);
        },
      });
      throw new TakenBack(records);
    });
  return createNodeKinds({
    ...deps,
    unitOfWork,
    catalog: {
      ...catalog,
      unitOfWork,
      // there is no run on whose behalf it is written, and nothing is kept of what fails
      assertRun: async () => undefined,
      recordFailures: async () => undefined,
    },
  });
}
