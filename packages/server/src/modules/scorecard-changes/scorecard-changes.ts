import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../platform/errors.ts';
import { writtenBy } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import {
  deleteScorecardRow,
  insertScorecard,
  presentScorecard,
  type ScorecardDefinition,
  type StoredScorecard,
  updateScorecardRow,
} from '../scorecard-rules/index.ts';

/** Stores a scorecard, whichever way it came. @throws AppError `identifier_taken` */
export async function addScorecard(
  work: Work,
  blueprint: StoredBlueprint,
  identifier: string,
  definition: ScorecardDefinition,
): Promise<StoredScorecard> {
  const row = { blueprintKey: blueprint.key, identifier, definition };
  const inserted = await insertScorecard(work.tx, toWriteStamp(work), row);
  if (!inserted) throw scorecardTaken(blueprint, identifier);
  record(work, blueprint, 'CREATE', undefined, inserted);
  return inserted;
}

export function scorecardTaken(blueprint: StoredBlueprint, identifier: string): AppError {
  const message = `The blueprint "${blueprint.identifier}" has a scorecard "${identifier}"; the identifier is taken`;
  return new AppError('identifier_taken', message);
}

/** Stores another definition. One that says the same changes nothing, is not recorded, and answers what was there. */
export async function changeScorecard(
  work: Work,
  blueprint: StoredBlueprint,
  before: StoredScorecard,
  definition: ScorecardDefinition,
): Promise<StoredScorecard> {
  if (isDeepStrictEqual(definition, before.definition)) return before;
  const after = await updateScorecardRow(work.tx, toWriteStamp(work), before.key, definition);
  record(work, blueprint, 'UPDATE', before, after);
  return after;
}

export async function dropScorecard(work: Work, blueprint: StoredBlueprint, scorecard: StoredScorecard): Promise<void> {
  await deleteScorecardRow(work.tx, work.actor.orgId, scorecard.key);
  record(work, blueprint, 'DELETE', scorecard, undefined);
}

function toWriteStamp({ actor, now }: Work) {
  return { orgId: actor.orgId, by: actor.id, at: now, authors: writtenBy(actor) };
}

function record(
  work: Work,
  blueprint: StoredBlueprint,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredScorecard | undefined,
  after: StoredScorecard | undefined,
): void {
  work.record({
    event: { CREATE: 'scorecard.created', UPDATE: 'scorecard.updated', DELETE: 'scorecard.deleted' }[action],
    action,
    resourceType: 'scorecard',
    identifier: (after ?? before)?.identifier ?? '',
    context: { blueprint: blueprint.identifier },
    ...(before ? { before: presentScorecard(before, blueprint.identifier) } : {}),
    ...(after ? { after: presentScorecard(after, blueprint.identifier) } : {}),
  });
}
