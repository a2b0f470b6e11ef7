import type { Tx } from '../../platform/db/database.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { retentionJob } from '../../platform/jobs/retention-job.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { redactTexts } from '../entities/index.ts';
import { redactRecordedTexts } from '../journal/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { deleteEvents } from './event.store.ts';
import { listOrganizationsWithContent, removeTexts } from './invocation.store.ts';

const batchSize = 200;
const blueprintIdentifier = '_ai_invocations';
const texts = ['prompt', 'response', 'execution_logs'] as const;

type Deps = Pick<AssistantDeps, 'database' | 'clock' | 'contentDays'>;

/**
 * Deletes content of invocations after its retention from record, events, entity and journal. Requester, time, agent
 * and figures stay.
 */
export function removeContentJob(deps: Deps): JobDeclaration {
  const { clock, contentDays } = deps;
  const marker = `(removed after ${contentDays} days)`;
  return retentionJob(deps, {
    name: 'assistant.remove-content',
    keptDays: contentDays,
    batchSize,
    organizations: listOrganizationsWithContent,
    removeBatch: (tx, orgId, before) => removeBatch(tx, orgId, { before, marker, now: clock.now() }),
  });
}

async function removeBatch(
  tx: Tx,
  orgId: string,
  { before, marker, now }: { readonly before: Date; readonly marker: string; readonly now: Date },
): Promise<number> {
  const ids = await removeTexts(tx, orgId, { before, marker, now, limit: batchSize });
  if (ids.length === 0) return 0;
  await deleteEvents(tx, orgId, ids);
  const blueprint = await findBlueprint(tx, orgId, blueprintIdentifier);
  if (blueprint) await redactTexts(tx, orgId, blueprint.key, { identifiers: ids, properties: texts, marker });
  const recorded = { blueprint: blueprintIdentifier, identifiers: ids, properties: texts, marker };
  await redactRecordedTexts(tx, orgId, recorded);
  return ids.length;
}
