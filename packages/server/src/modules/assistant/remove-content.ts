import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { retentionJob } from '../../platform/jobs/retention-job.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { forgetTexts } from '../entities/index.ts';
import { forgetRecordedTexts } from '../journal/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';

const batchSize = 200;
const blueprintIdentifier = '_ai_invocations';
/** Content written by people or models. */
const texts = ['prompt', 'response', 'execution_logs'] as const;

type Deps = Pick<AssistantDeps, 'database' | 'clock' | 'contentDays'>;

/**
 * Deletes content of runs past its retention: from the record, events, entity and journal. Who asked, when, which agent
 * and the figures stay.
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
