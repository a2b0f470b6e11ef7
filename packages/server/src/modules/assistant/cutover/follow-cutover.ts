import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { readingThrough } from '../../../platform/db/reading-through.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { carrying, platformAuthor } from '../../../platform/text-authors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import {
  type AgentSchema,
  agentSchemaIn,
  type BlueprintsDeps,
  findBlueprint,
  holdBlueprint,
  listOldAgentSchemas,
  moveAgentSchema,
} from '../../blueprints/index.ts';
import { writeEntities } from '../../entities/index.ts';
import type { CutoverMove } from '../../identity/index.ts';
import { type CutoverStage, currentCutover, findOrganization, type Organization } from '../../organizations/index.ts';
import { searchBlueprint } from '../../search/index.ts';
import { updateAgent } from '../agents/update-agent.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { type CutoverStep, insertSteps, listRecordsAfter } from './cutover.store.ts';
import { findBlockers } from './find-blockers.ts';
import type { CutoverSurroundings } from './surroundings.ts';

export interface CutoverDeps extends AssistantDeps {
  readonly blueprints: Pick<BlueprintsDeps, 'listener'>;
  readonly surroundings: CutoverSurroundings;
}

const stages: readonly CutoverStage[] = ['legacy', 'transition', 'schema_testing', 'cutover'];

export function agentSchemaAt(stage: CutoverStage): AgentSchema {
  if (stage === 'cutover') return 'new';
  return stage === 'schema_testing' ? 'both' : 'old';
}

/** True if a move enters a stage that callers, automations and widgets must be ready for. */
function needsReadiness(from: CutoverStage, to: CutoverStage): boolean {
  return stages.indexOf(to) > stages.indexOf(from) && stages.indexOf(to) >= stages.indexOf('schema_testing');
}

/**
 * Applies a change of the cutover in its transaction: refuses it while old forms are in use, switches the schema,
 * updates agents, switches widgets. Moving back keeps new fields.
 * @throws AppError `cutover_blocked`
 */
export async function followCutover(
  deps: CutoverDeps,
  work: Work,
  { before, after, force }: CutoverMove,
): Promise<void> {
  const from = currentCutover(before.cutover, work.now).stage;
  const to = currentCutover(after.cutover, work.now).stage;
  if (from === to) return alignWithStage(deps, work, after);
  if (needsReadiness(from, to) && !force) {
    const blockers = await findBlockers(deps.surroundings, work.tx, after.id, work.now);
    if (blockers.length > 0) {
      throw new AppError(
        'cutover_blocked',
        `${blockers.length} callers, automations or widgets still use forms that "${to}" removes; send force: true to move all the same`,
        { details: { blockers } },
      );
    }
  }
  await insertSteps(work.tx, after.id, [{ at: work.now, kind: 'stage', subject: to, details: { from, force } }]);
  await alignWithStage(deps, work, after);
}

/** Brings schema, agents and widgets to the organization's stage; idempotent. */
async function alignWithStage(deps: CutoverDeps, work: Work, organization: Organization): Promise<void> {
  const { id, model } = organization;
  const { stage } = currentCutover(organization.cutover, work.now);
  // what it rewrites stays its authors' text
  const platform: Work = { ...work, actor: carrying(systemActor(id, model), [platformAuthor]) };
  const blueprint = await findBlueprint(work.tx, id, '_ai_agent');
  if (!blueprint) return;
  const has = agentSchemaIn(blueprint);
  const wanted = agentSchemaAt(stage);
  // new fields are never removed again
  const to = wanted === 'old' && has !== 'old' ? 'both' : wanted;
  if (has === to) return;
  const steps: CutoverStep[] = [{ at: work.now, kind: 'schema', subject: to, details: { from: has } }];
  if (to === 'new') {
    await moveAgentSchema(deps.blueprints, platform, 'both');
    steps.push(...(await updateAgents(deps, platform)));
    const switched = await deps.surroundings.switchAgentWidgets(platform);
    for (const { page, widget, agent } of switched) {
      steps.push({ at: work.now, kind: 'widget', subject: page, details: { widget, agent, use_mcp: true } });
    }
  }
  await moveAgentSchema(deps.blueprints, platform, to);
  await insertSteps(work.tx, id, steps);
  if (has === 'old') await work.enqueue(updateInvocationsJob(deps), { orgId: id, after: '' });
}

/** Updates agents; findings for people are stored with the step. */
async function updateAgents(deps: CutoverDeps, work: Work): Promise<CutoverStep[]> {
  const { tx, actor, now } = work;
  const blueprint = await holdBlueprint(tx, actor.orgId, '_ai_agent');
  if (!blueprint) return [];
  const agents = await listAgents(deps, tx, actor.orgId, actor.model);
  const known = await deps.surroundings.listActionIdentifiers(tx, actor.orgId);
  const updates = agents.map((agent) => ({ identifier: agent.identifier, ...updateAgent(agent.properties, known) }));
  const changed = updates.filter(({ changes }) => Object.keys(changes).length > 0);
  const items = changed.map(({ identifier, changes }) => ({
    target: identifier,
    body: { identifier, properties: changes },
  }));
  const outcomes = await writeEntities(deps.catalog, work, blueprint, items, {
    mode: 'merge',
    expects: 'existing',
    createMissingRelated: false,
  });
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
  return updates
    .filter(({ changes, findings }) => Object.keys(changes).length + findings.length > 0)
    .map(({ identifier, changes, findings }) => ({
      at: now,
      kind: 'agent',
      subject: identifier,
      details: { changes, findings },
    }));
}

/** All agents of an organization; in the caller's transaction if given. */
export async function listAgents(
  deps: Pick<AssistantDeps, 'catalog'>,
  reader: Reader,
  orgId: string,
  model: Organization['model'],
) {
  const reading = { ...deps.catalog, database: readingThrough(deps.catalog.database, reader) };
  const { entities } = await searchBlueprint(reading, systemActor(orgId, model), '_ai_agent', {});
  return entities;
}

const invocationsInput = z.object({ orgId: z.string(), after: z.string() });
const batchSize = 200;

export function updateInvocationsJob(deps: CutoverDeps): JobDeclaration<typeof invocationsInput> {
  const job: JobDeclaration<typeof invocationsInput> = defineJob({
    name: 'assistant.update-invocations',
    input: invocationsInput,
    attempts: 5,
    timeoutMs: 60_000,
    run: async ({ orgId, after }) => {
      const organization = await findOrganization(deps.database, orgId);
      if (!organization) return;
      await deps.unitOfWork(systemActor(orgId, organization.model), async (work) => {
        const records = await listRecordsAfter(work.tx, orgId, after, batchSize);
        const blueprint = await holdBlueprint(work.tx, orgId, '_ai_invocations');
        const last = records.at(-1);
        if (!blueprint || !last) return;
        const items = records.map(({ id, askedAt, repliedAt, error, provider, model }) => ({
          target: id,
          body: {
            identifier: id,
            properties: {
              asked_at: askedAt.toISOString(),
              ...(repliedAt ? { replied_at: repliedAt.toISOString() } : {}),
              ...(error === null ? {} : { error }),
              provider,
              model,
            },
          },
        }));
        const options = { mode: 'merge', expects: 'existing', createMissingRelated: false } as const;
        await writeEntities(deps.catalog, work, blueprint, items, options);
        if (records.length === batchSize) await work.enqueue(job, { orgId, after: last.id });
      });
    },
  });
  return job;
}

/** Updates organizations whose stage changed by the clock; those moved by the operator are up to date. */
export function followClockJob(deps: CutoverDeps): JobDeclaration {
  return defineJob({
    name: 'assistant.follow-clock',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 60_000,
    // safe to repeat: idempotent
    run: async (_input, { each }) => {
      const organizations = await listOldAgentSchemas(deps.database);
      const owned = organizations.map((orgId) => ({ orgId }));
      await each(owned, async ({ orgId }) => {
        const organization = await findOrganization(deps.database, orgId);
        if (!organization) return;
        await deps.unitOfWork(systemActor(orgId, organization.model), (work) =>
          alignWithStage(deps, work, organization),
        );
      });
    },
  }) as unknown as JobDeclaration;
}
