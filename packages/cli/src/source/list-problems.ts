import type { Client } from '@portolan/contract/client';
import { listSourceSyncProblems, type SourceProblem } from '@portolan/contract/sources';

/** More than anybody reads in a shell; the portal shows the rest. */
const problemsMax = 1_000;

export interface FoundProblems {
  readonly problems: readonly SourceProblem[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** What a sync could not do, in the order it was found. */
export async function listProblems(client: Client, source: string, sync: string): Promise<FoundProblems> {
  const problems: SourceProblem[] = [];
  const params = { source_identifier: source, sync_id: sync };
  for (let after = 0; ; ) {
    const page = await client.call(listSourceSyncProblems, { params, query: { after } });
    problems.push(...page.problems);
    if (page.next === null || problems.length >= problemsMax) return { problems, isCut: page.next !== null };
    after = page.next;
  }
}
