import type { Work } from '../../platform/unit-of-work.ts';
import { presentBlueprint, type StoredBlueprint } from './blueprint.ts';
import type { KeyRename } from './follow-key.ts';

/**
 * Records a created, changed or deleted blueprint with both states; of a renamed key both names, since the states do not tell it
 * from one that was removed beside another that was added.
 */
export function recordBlueprint(
  work: Work,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredBlueprint | undefined,
  after: StoredBlueprint | undefined,
  renamed?: Omit<KeyRename, 'blueprint'>,
): void {
  const identifier = (after ?? before)?.identifier ?? '';
  work.record({
    event: { CREATE: 'blueprint.created', UPDATE: 'blueprint.updated', DELETE: 'blueprint.deleted' }[action],
    action,
    resourceType: 'blueprint',
    identifier,
    context: {
      blueprint: identifier,
      ...(renamed ? { keyKind: renamed.kind, keyFrom: renamed.from, keyTo: renamed.to } : {}),
    },
    ...(before ? { before: presentBlueprint(before) } : {}),
    ...(after ? { after: presentBlueprint(after) } : {}),
  });
}
