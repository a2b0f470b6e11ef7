import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { StoredEntity } from './entity.ts';

/** Notes in the journal that an entity came to be, changed or went, with what it was and is. */
export function recordEntity(
  work: Work,
  blueprint: StoredBlueprint,
  before: StoredEntity | undefined,
  after: StoredEntity | undefined,
): void {
  const identifier = (after ?? before)?.identifier ?? '';
  const action = !before ? 'CREATE' : !after ? 'DELETE' : 'UPDATE';
  work.record({
    event: { CREATE: 'entity.created', UPDATE: 'entity.updated', DELETE: 'entity.deleted' }[action],
    action,
    resourceType: 'entity',
    identifier,
    context: {
      blueprint: blueprint.identifier,
      entity: identifier,
      ...(before && after && before.identifier !== identifier ? { renamedFrom: before.identifier } : {}),
    },
    ...(before ? { before: recorded(before) } : {}),
    ...(after ? { after: recorded(after) } : {}),
  });
}

/** Notes in the journal that the moment of a timer has passed; nothing of the entity changes. */
export function recordExpiry(work: Work, blueprint: StoredBlueprint, property: string, entity: StoredEntity): void {
  const { identifier } = entity;
  work.record({
    event: 'entity.timer-expired',
    action: 'TIMER_EXPIRED',
    resourceType: 'entity',
    identifier,
    context: { blueprint: blueprint.identifier, entity: identifier, property },
    after: recorded(entity),
  });
}

function recorded(entity: StoredEntity) {
  const { identifier, title, icon, properties, relations, derived, scorecards, ownTeamRefs, teamRefs } = entity;
  const { createdAt, createdBy, updatedAt, updatedBy } = entity;
  const meta = { createdAt, createdBy, updatedAt, updatedBy };
  return { identifier, title, icon, properties, relations, derived, scorecards, ownTeamRefs, teamRefs, ...meta };
}
