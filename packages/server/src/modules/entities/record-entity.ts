import { createJsonTexts, JsonText, type JsonTexts } from '../../platform/db/json.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

/** Records a created, changed or deleted entity with both states; `texts` may hold their JSON already. */
export function recordEntity(
  work: Work,
  blueprint: StoredBlueprint,
  before: StoredEntity | undefined,
  after: StoredEntity | undefined,
  texts: JsonTexts = createJsonTexts(),
): void {
  const identifier = (after ?? before)?.identifier ?? '';
  const action = !before ? 'CREATE' : !after ? 'DELETE' : 'UPDATE';
  const context = { blueprint: blueprint.identifier, entity: identifier };
  const isRenamed = before && after && before.identifier !== identifier;
  work.record({
    event: events[action],
    action,
    resourceType: 'entity',
    identifier,
    context: isRenamed ? { ...context, renamedFrom: before.identifier } : context,
    before: before && recorded(before, texts),
    after: after && recorded(after, texts),
  });
}

const events = { CREATE: 'entity.created', UPDATE: 'entity.updated', DELETE: 'entity.deleted' } as const;

/** Records that a timer has passed; the entity does not change. */
export function recordExpiry(work: Work, blueprint: StoredBlueprint, property: string, entity: StoredEntity): void {
  const { identifier } = entity;
  work.record({
    event: 'entity.timer-expired',
    action: 'TIMER_EXPIRED',
    resourceType: 'entity',
    identifier,
    context: { blueprint: blueprint.identifier, entity: identifier, property },
    after: recorded(entity, createJsonTexts()),
  });
}

function recorded(entity: StoredEntity, texts: JsonTexts): JsonText {
  const { identifier, title, icon, ownTeamRefs, teamRefs, createdBy, updatedBy } = entity;
  const head = JSON.stringify({ identifier, title, icon, ownTeamRefs, teamRefs, createdBy, updatedBy });
  const text =
    `${head.slice(0, -1)},"createdAt":"${entity.createdAt.toISOString()}","updatedAt":"${entity.updatedAt.toISOString()}"` +
    `,"properties":${texts.of(entity.properties)},"relations":${texts.of(entity.relations)}` +
    `,"derived":${texts.of(entity.derived)},"scorecards":${texts.of(entity.scorecards)}}`;
  return new JsonText(text);
}
