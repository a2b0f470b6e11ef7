import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { checkStoredJq } from '../../platform/check-stored-jq.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  blueprintProperties,
  blueprintRelations,
  holdBlueprint,
  listDerivedKeys,
  ownershipPath,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { listExpressions, readTargetName } from './apply-mapping.ts';
import { assertModerates } from './permit-data-migration.ts';

export interface CheckedMapping {
  readonly source: StoredBlueprint;
  readonly target: StoredBlueprint;
}

/**
 * Checks that the caller may migrate between the blueprints and that the mapping fits them; both stay locked until the
 * transaction ends.
 * @throws AppError `missing_permissions`; `not_found` for the source or the target; `invalid_request` with every
 * expression that is not JQ and every key that the target does not have; `ownership_not_direct`
 */
export async function checkMapping(
  { tx, actor }: Work,
  identifier: string,
  mapping: DataMigrationMapping,
): Promise<CheckedMapping> {
  const name = readTargetName(mapping, identifier);
  // before any look-up, so that a refusal reveals nothing
  assertModerates(actor, [identifier, name]);
  const source = await holdBlueprint(tx, actor.orgId, identifier);
  if (!source) throw notFound('Blueprint', identifier);
  const { issues } = checkStoredJq(
    listExpressions(mapping).map(([path, expression]) => ({
      use: 'data migration' as const,
      path: `/mapping${path}`,
      expression,
    })),
  );
  if (issues.length > 0) throw invalidRequest([...issues], 'The mapping');
  const target = await holdBlueprint(tx, actor.orgId, name);
  if (!target) throw notFound('Blueprint', name);
  const unknown = unknownKeys(mapping, target);
  if (unknown.length > 0) throw invalidRequest(unknown, 'The mapping');
  assertOwnership(actor, mapping, target);
  return { source, target };
}

/**
 * Only direct ownership can be written: inherited ownership comes from elsewhere, and without any it would never show.
 * @throws AppError `ownership_not_direct`
 */
export function assertOwnership(actor: Actor, { entity }: DataMigrationMapping, target: StoredBlueprint): void {
  if (entity.team === undefined || ownsDirectly(actor, target)) return;
  const message =
    `The mapping sets "team", and the blueprint "${target.identifier}" does not have ownership of type Direct. ` +
    'Set it to {"type": "Direct"} first, or leave "team" out.';
  throw new AppError('ownership_not_direct', message, {
    details: [{ path: '/mapping/entity/team', message: 'needs a target with ownership of type Direct' }],
  });
}

/** In the older models every blueprint that does not inherit its teams has its own. */
function ownsDirectly({ model }: Actor, { definition }: StoredBlueprint): boolean {
  if (model === 'blueprints') return definition.ownership?.type === 'Direct';
  return ownershipPath(definition) === undefined;
}

function unknownKeys({ entity }: DataMigrationMapping, target: StoredBlueprint): Issue[] {
  const of = `of the blueprint "${target.identifier}"`;
  const properties = Object.keys(entity.properties ?? {}).flatMap((key) => {
    const path = `/mapping/entity/properties/${key}`;
    if (listDerivedKeys(target).includes(key)) return [{ path, message: `is computed by the platform ${of}` }];
    return Object.hasOwn(blueprintProperties(target), key) ? [] : [{ path, message: `is not a property ${of}` }];
  });
  const relations = Object.keys(entity.relations ?? {})
    .filter((key) => !Object.hasOwn(blueprintRelations(target), key))
    .map((key) => ({ path: `/mapping/entity/relations/${key}`, message: `is not a relation ${of}` }));
  return [...properties, ...relations];
}
