import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../platform/actor.ts';
import { listTemplates, mayReadAt } from '../../../platform/expression-reads.ts';
import type { TextAuthor } from '../../../platform/text-authors.ts';
import { listNameAuthors } from '../../accounts/index.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import type { StoredWorkflow } from './workflow.ts';

/** Where steps read who started their run, with what of it nobody wrote as a text. */
const starter = ['workflowRun', 'trigger', 'by'];
const facts: ReadonlySet<string> = new Set(['id', 'email']);

/** Keys whose text may be an expression as a whole. */
const bare: ReadonlySet<string> = new Set(['expression', 'until']);

/** By whose name a run is started, which its actor need not be. */
type Starter = Pick<Actor, 'orgId' | 'model' | 'kind' | 'id'>;

/** Who wrote the name of whoever starts a workflow, where any of its steps may read it. */
export async function findStarterAuthors(
  { database }: Pick<DefinitionsDeps, 'database'>,
  starter: Starter,
  { definition }: StoredWorkflow,
): Promise<readonly TextAuthor[]> {
  if (starter.kind !== 'person' || !readsStarter(definition.nodes, '')) return [];
  return listNameAuthors(database, starter, starter.id);
}

/** Goes through whatever stands in the nodes, and in the bodies that they hold. */
function readsStarter(part: unknown, key: string): boolean {
  if (typeof part === 'string') {
    const templates = listTemplates(part);
    if (!templates) return true;
    const expressions = bare.has(key) ? [...templates, part] : templates;
    return expressions.some((each) => mayReadAt(each, starter, facts));
  }
  if (Array.isArray(part)) return part.some((each) => readsStarter(each, key));
  if (!isRecord(part)) return false;
  return Object.entries(part).some(([name, inner]) => readsStarter(name, '') || readsStarter(inner, name));
}
