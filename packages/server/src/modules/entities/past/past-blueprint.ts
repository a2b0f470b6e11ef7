import type { UnknownPart } from '@portolan/contract/as-of';
import type { Reader } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { listDerivedKeys, ownershipPath, type StoredBlueprint } from '../../blueprints/index.ts';
import { findNextBlueprintChange, type RecordedBlueprint, selectKeyChanges } from '../../journal/index.ts';
import type { PastBlueprint } from './past.types.ts';

/** The blueprint as it was at a moment: which properties there were, and which of them were computed. */
export async function readPastBlueprint(reader: Reader, now: StoredBlueprint, at: Date): Promise<PastBlueprint> {
  const next = await findNextBlueprintChange(reader, now.orgId, now.identifier, at);
  const blueprint = next ? { ...now, definition: toDefinition(next.before) } : now;
  return { blueprint, unknown: computedParts(blueprint) };
}

function toDefinition(recorded: RecordedBlueprint): StoredBlueprint['definition'] {
  const {
    identifier: _identifier,
    createdAt: _createdAt,
    createdBy: _createdBy,
    updatedAt: _updatedAt,
    updatedBy: _updatedBy,
    ...definition
  } = recorded;
  return definition as StoredBlueprint['definition'];
}

function computedParts(blueprint: StoredBlueprint): UnknownPart[] {
  const reason = 'It is computed, and what it was is recorded only when the entity itself is written';
  const inherited = 'Teams are inherited over a relation, and what they were is not recorded';
  return [
    ...(ownershipPath(blueprint.definition) === undefined ? [] : [{ path: 'team', reason: inherited }]),
    ...listDerivedKeys(blueprint).map((key) => ({ path: `properties.${key}`, reason })),
    { path: 'scorecards', reason: 'Results of scorecards are not recorded' },
  ];
}

/** What a change of the blueprint did to the values of its entities, without a record of each. */
export interface KeyChange {
  readonly at: Date;
  readonly key: number;
  readonly properties: KeysOfChange;
  readonly relations: KeysOfChange;
}

export interface KeysOfChange {
  readonly renamed: { readonly from: string; readonly to: string } | undefined;
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/**
 * Changes of keys since a moment, oldest first.
 * @throws AppError `history_not_kept` if the blueprint was renamed after `at`
 */
export async function listKeyChanges(
  reader: Reader,
  { orgId, identifier }: StoredBlueprint,
  at: Date,
  since: Date,
): Promise<KeyChange[]> {
  const changes = await selectKeyChanges(reader, orgId, identifier, since);
  const renamed = changes.find((change) => change.renamedFrom !== identifier && change.at > at);
  if (renamed) {
    const message = `The blueprint was renamed from "${renamed.renamedFrom}" to "${identifier}" at ${renamed.at.toISOString()}: ask for a moment after that`;
    throw new AppError('history_not_kept', message, { details: { keptSince: renamed.at.toISOString() } });
  }
  return changes
    .map(({ at: moment, key, context, ...keys }) => ({
      at: moment,
      key,
      properties: keysOf(context, 'property', keys.propertiesBefore, keys.propertiesAfter),
      relations: keysOf(context, 'relation', keys.relationsBefore, keys.relationsAfter),
    }))
    .filter(({ properties, relations }) => isChange(properties) || isChange(relations));
}

function keysOf(
  { keyKind, keyFrom, keyTo }: Readonly<Record<string, string>>,
  kind: string,
  before: readonly string[],
  after: readonly string[],
): KeysOfChange {
  const isRenamed = keyKind === kind && keyFrom !== undefined && keyTo !== undefined;
  return {
    renamed: isRenamed ? { from: keyFrom, to: keyTo } : undefined,
    gone: before.filter((key) => !after.includes(key) && !(isRenamed && key === keyFrom)),
    added: after.filter((key) => !before.includes(key) && !(isRenamed && key === keyTo)),
  };
}

function isChange({ renamed, gone, added }: KeysOfChange): boolean {
  return renamed !== undefined || gone.length > 0 || added.length > 0;
}
