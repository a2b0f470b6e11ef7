import type { Tx } from '../../platform/db/database.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { retentionJob } from '../../platform/jobs/retention-job.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { redactTexts } from '../entities/index.ts';
import { redactRecordedTexts } from '../journal/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { removeTitles } from './conversations/conversation.store.ts';
import { deleteEvents } from './event.store.ts';
import { listOrganizationsWithContent, removeChosenTexts, removeTexts } from './invocation.store.ts';
import { deleteReceipts } from './receipts/receipt.store.ts';

const batchSize = 200;
const blueprintIdentifier = '_ai_invocations';
const texts = ['prompt', 'response', 'execution_logs'] as const;

type Deps = Pick<AssistantDeps, 'database' | 'clock' | 'contentDays'>;

/**
 * Deletes content of invocations after its retention from record, events, receipts, entity and journal. Requester, time, agent
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
  await removeRest(tx, orgId, ids, marker);
  return ids.length;
}

/** Deletes the content of these invocations, as the end of its retention does. */
export async function removeContents(
  tx: Tx,
  orgId: string,
  invocations: readonly string[],
  { marker, now }: { readonly marker: string; readonly now: Date },
): Promise<void> {
  const ids = await removeChosenTexts(tx, orgId, invocations, { marker, now });
  await removeRest(tx, orgId, ids, marker);
}

/** What else holds the texts of invocations. */
async function removeRest(tx: Tx, orgId: string, ids: readonly string[], marker: string): Promise<void> {
  if (ids.length === 0) return;
  await deleteEvents(tx, orgId, ids);
  await removeTitles(tx, orgId, ids, marker);
  await deleteReceipts(tx, orgId, ids);
  const blueprint = await findBlueprint(tx, orgId, blueprintIdentifier);
  if (blueprint) await redactTexts(tx, orgId, blueprint.key, { identifiers: ids, properties: texts, marker });
  const recorded = { blueprint: blueprintIdentifier, identifiers: ids, properties: texts, marker };
  await redactRecordedTexts(tx, orgId, recorded);
}
