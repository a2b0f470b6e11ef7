import sql from 'sql-template-tag';
import { z } from 'zod';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { forgetTexts } from '../catalog/index.ts';
import { forgetRecordedTexts } from '../journal/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';

const batchSize = 200;
const blueprintIdentifier = '_ai_invocations';
/** What a person or a model wrote. */
const texts = ['prompt', 'response', 'execution_logs'] as const;

type Deps = Pick<AssistantDeps, 'database' | 'clock' | 'contentDays'>;

/**
 * Once an hour, removes what was asked and answered in runs that ended longer ago than content is kept: from the
 * record, its events, its entity and what the journal noted of it. Who asked, when, of which agent and the figures stay.
 */
export function removeContentJob(deps: Deps): JobDeclaration {
  return defineJob({
    name: 'assistant.remove-content',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: what is gone is gone
    run: async (_input, { signal }) => {
      await removeOldContent(deps, signal);
    },
  }) as unknown as JobDeclaration;
}

/** In small transactions, of all organizations; answers of how many runs. */
async function removeOldContent({ database, clock, contentDays }: Deps, signal: AbortSignal): Promise<number> {
  const before = new Date(clock.now().getTime() - contentDays * 86_400_000);
  const marker = `(removed after ${contentDays} days)`;
  let removed = 0;
  for (const orgId of await listOrganizationsWithContent(database, before)) {
    for (let batch = batchSize; batch === batchSize; removed += batch) {
      signal.throwIfAborted();
      batch = await database.transaction((tx) => removeBatch(tx, orgId, { before, marker, now: clock.now() }));
    }
  }
  return removed;
}

async function removeBatch(
  tx: Tx,
  orgId: string,
  { before, marker, now }: { readonly before: Date; readonly marker: string; readonly now: Date },
): Promise<number> {
  const rows = await tx.rows<{ id: string }>(sql`
    update invocations i set prompt = ${marker}, response = case when response is null then null else ${marker} end,
      content_removed_at = ${now}
    from (select id from invocations
      where org_id = ${orgId} and replied_at < ${before} and content_removed_at is null
      order by replied_at limit ${batchSize} for update) old
    where i.org_id = ${orgId} and i.id = old.id returning i.id`);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.execute(sql`delete from invocation_events where org_id = ${orgId} and invocation_id = any(${ids}::text[])`);
  const blueprint = await findBlueprint(tx, orgId, blueprintIdentifier);
  if (blueprint) await forgetTexts(tx, orgId, blueprint.key, { identifiers: ids, properties: texts, marker });
  const recorded = { blueprint: blueprintIdentifier, identifiers: ids, properties: texts, marker };
  await forgetRecordedTexts(tx, orgId, recorded);
  return ids.length;
}

async function listOrganizationsWithContent(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows<{ orgId: string }>(sql`
    select distinct org_id as "orgId" from invocations /* all organizations */
    where replied_at < ${before} and content_removed_at is null`);
  return rows.map(({ orgId }) => orgId);
}
