import type { Work } from '../../platform/unit-of-work.ts';
import { presentBlueprint, type StoredBlueprint } from './blueprint.ts';

/** Records a created, changed or deleted blueprint with both states. */
export function recordBlueprint(
  work: Work,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredBlueprint | undefined,
  after: StoredBlueprint | undefined,
): void {
  const identifier = (after ?? before)?.identifier ?? '';
  work.record({
    event: { CREATE: 'blueprint.created', UPDATE: 'blueprint.updated', DELETE: 'blueprint.deleted' }[action],
    action,
    resourceType: 'blueprint',
    identifier,
    context: { blueprint: identifier },
    ...(before ? { before: presentBlueprint(before) } : {}),
    ...(after ? { after: presentBlueprint(after) } : {}),
  });
}
