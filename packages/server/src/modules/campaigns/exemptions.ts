import type { Exemption, ExemptionBody } from '@portolan/contract/exemptions';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { readCondition } from '../access/index.ts';
import { findBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { ofBlueprint, type SearchDeps, transactionReader } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { assertRegistrable } from '../scorecard-changes/index.ts';
import { findScorecards, type StoredScorecard } from '../scorecard-rules/index.ts';
import { lockCampaigns } from './campaign.store.ts';
import { dayAfter, toDay } from './days.ts';
import {
  countExemptions,
  deleteExemptionRow,
  findExemption,
  findSameExemption,
  holdEntities,
  listExemptionRows,
  putExemption,
  type StoredExemption,
} from './exemption.store.ts';

/** Every look at a campaign compares them, and the query of its open entities names them. */
export const exemptionsMax = 1000;
/** An exemption is for a time: so many days at most. */
const daysMax = 731;

interface Named {
  readonly blueprint: string;
  readonly scorecard: string;
}

interface Found {
  readonly blueprint: StoredBlueprint;
  readonly scorecard: StoredScorecard;
}

/** Those that hold today, of entities that the caller may read. @throws AppError `not_found`, `insufficient_scope` */
export async function listExemptions(
  deps: ReadDeps,
  actor: Actor,
  named: Named,
  of: { readonly entity?: string | undefined } = {},
): Promise<Exemption[]> {
  assertReadsEntities(actor);
  const { blueprint, scorecard } = await find(deps.database, actor, named);
  const rows = await listExemptionRows(
    deps.database,
    actor.orgId,
    { blueprintKey: blueprint.key, scorecard: scorecard.identifier },
    { readable: await readableIn(deps, actor, blueprint), today: toDay(deps.clock.now()) },
  );
  return rows.filter(({ entity }) => of.entity === undefined || entity === of.entity).map(presentExemption);
}

/**
 * All or none. Requires what changing a campaign does.
 * @throws AppError `missing_permissions`, `insufficient_scope`, `not_found`, `invalid_request`, `limit_reached`
 */
export function createExemptions(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  named: Named,
  { entities, rule = null, reason, until }: Omit<ExemptionBody, 'rule'> & { readonly rule?: string | null | undefined },
): Promise<Exemption[]> {
  assertReadsEntities(actor);
  return unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    await assertRegistrable(work);
    await lockCampaigns(tx, actor.orgId);
    const { blueprint, scorecard } = await find(tx, actor, named);
    const readable = await readableIn(transactionReader(work), actor, blueprint);
    const held = await holdEntities(tx, actor.orgId, entities, readable);
    const keyOf = new Map(held.map(({ identifier, key }) => [identifier, key]));
    const rules = scorecard.definition.rules.map(({ identifier }) => identifier);
    const today = toDay(now);
    const issues = entities.flatMap((identifier, index) => {
      const path = `/entities/${index}`;
      if (!keyOf.has(identifier)) {
        return [{ path, message: `is not an entity of the blueprint "${blueprint.identifier}" that you may read` }];
      }
      return entities.indexOf(identifier) === index ? [] : [{ path, message: 'is there twice' }];
    });
    if (rule !== null && !rules.includes(rule)) {
      issues.push({ path: '/rule', message: `is not a rule of the scorecard "${scorecard.identifier}"` });
    }
    if (until < today) issues.push({ path: '/until', message: `must not be before today, ${today}` });
    const last = dayAfter(today, daysMax);
    if (until > last) issues.push({ path: '/until', message: `must not be after ${last}` });
    if (issues.length > 0) throw invalidRequest(issues, 'The exemption');
    const made: Exemption[] = [];
    for (const { key } of held) {
      const subject = { blueprintKey: blueprint.key, entityKey: key, scorecard: scorecard.identifier, rule };
      const before = await findSameExemption(tx, actor.orgId, subject);
      const written = { ...subject, id: before?.id ?? newId('exemption_'), reason, until, at: now, by: actor.id };
      await putExemption(tx, actor.orgId, written);
      const after = await findSameExemption(tx, actor.orgId, subject);
      if (!after) throw new Error('The exemption is not there after it was written');
      recordExemption(work, before, after);
      made.push(presentExemption(after));
    }
    const count = await countExemptions(tx, actor.orgId, {
      blueprintKey: blueprint.key,
      scorecard: scorecard.identifier,
    });
    if (count > exemptionsMax) {
      const message = `There may be ${exemptionsMax} exemptions of a scorecard; end some, or leave the entities out by its filter`;
      throw new AppError('limit_reached', message);
    }
    return made;
  });
}

/** @throws AppError `missing_permissions`, `not_found`, also for an entity that the caller may not read */
export function deleteExemption(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  named: Named,
  id: string,
): Promise<void> {
  return unitOfWork(actor, async (work) => {
    await assertRegistrable(work);
    await lockCampaigns(work.tx, actor.orgId);
    const { blueprint, scorecard } = await find(work.tx, actor, named);
    const readable = await readableIn(transactionReader(work), actor, blueprint);
    const subject = { blueprintKey: blueprint.key, scorecard: scorecard.identifier };
    const found = await findExemption(work.tx, actor.orgId, subject, { readable, id });
    if (!found) throw notFound('Exemption', id);
    await deleteExemptionRow(work.tx, actor.orgId, id);
    recordExemption(work, found, undefined);
  });
}

/** Whether a restricted token may be told which entities there are. */
export function readsEntities({ scopes }: Actor): boolean {
  return scopesCover(scopes, 'read:entities');
}

function assertReadsEntities(actor: Actor): void {
  if (readsEntities(actor)) return;
  const message = 'The token is restricted and does not have "read:entities", which exemptions tell of';
  throw new AppError('insufficient_scope', message);
}

async function find(reader: Reader, actor: Actor, { blueprint: named, scorecard }: Named): Promise<Found> {
  const blueprint = await findBlueprint(reader, actor.orgId, named);
  if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', named);
  const scorecards = await findScorecards(reader, actor.orgId, blueprint.key);
  const found = scorecards.find(({ identifier }) => identifier === scorecard);
  if (!found) throw notFound('Scorecard', scorecard);
  return { blueprint, scorecard: found };
}

async function readableIn(deps: SearchDeps, actor: Actor, blueprint: StoredBlueprint) {
  return allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint)]);
}

function presentExemption({
  id,
  entity,
  title,
  rule,
  reason,
  until,
  createdAt,
  createdBy,
}: StoredExemption): Exemption {
  return {
    id,
    entity: { identifier: entity, title },
    rule,
    reason,
    until,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}

/** Writes what became of an exemption to the audit log, beside what happened to the entity. */
export function recordExemption(
  work: Pick<Work, 'record'>,
  before: StoredExemption | undefined,
  after: StoredExemption | undefined,
  message?: string,
): void {
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  const { id, blueprint, entity } = (after ?? before) as StoredExemption;
  const shown = (each: StoredExemption) => ({
    ...presentExemption(each),
    blueprint,
    entity,
    scorecard: each.scorecard,
  });
  work.record({
    event: { CREATE: 'exemption.created', UPDATE: 'exemption.updated', DELETE: 'exemption.deleted' }[action],
    action,
    resourceType: 'exemption',
    identifier: id,
    context: { blueprint, entity },
    ...(before ? { before: shown(before) } : {}),
    ...(after ? { after: shown(after) } : {}),
    ...(message === undefined ? {} : { message }),
  });
}
