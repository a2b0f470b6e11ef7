import type { BlueprintPermissions, BlueprintPermissionsBody } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { can, teamNames, teamResolver } from '../identity/index.ts';
import { findBlueprint, lockBlueprint, setBlueprintRights } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';
import {
  checkPermissions,
  mergePermissions,
  presentPermissions,
  referencesIn,
  teamsIn,
} from './blueprint-permissions.ts';

/** The rights in force on the entities of a blueprint that the caller may read. @throws AppError `not_found` */
export async function readPermissions(
  { database }: { readonly database: Database },
  actor: Actor,
  identifier: string,
): Promise<BlueprintPermissions> {
  const blueprint = await findBlueprint(database, actor.orgId, identifier);
  if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', identifier);
  return shown(database, actor, blueprint);
}

/**
 * Changes rights block by block; a team that does not exist is kept as an unresolved reference and grants nothing.
 * @throws AppError `not_found`, `invalid_request` for keys that the blueprint does not have
 */
export function changePermissions(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  identifier: string,
  body: BlueprintPermissionsBody,
): Promise<{ readonly permissions: BlueprintPermissions; readonly warnings: readonly string[] }> {
  return unitOfWork(actor, async (work) => {
    const { tx } = work;
    const before = await lockBlueprint(tx, actor.orgId, identifier);
    if (!before) throw notFound('Blueprint', identifier);
    const issues = checkPermissions(before, body);
    if (issues.length > 0) throw invalidRequest(issues, 'The permissions');
    const names = teamsIn(body);
    const resolve = await teamResolver(tx, actor.orgId, actor.model, names);
    const rights = mergePermissions(before, body, resolve);
    await setBlueprintRights(tx, actor.orgId, identifier, rights);
    const permissions = await shown(tx, actor, { ...before, rights });
    work.record({
      event: 'blueprint-permissions.updated',
      action: 'UPDATE',
      resourceType: 'blueprint',
      identifier,
      context: { blueprint: identifier },
      before: { permissions: await shown(tx, actor, before) },
      after: { permissions },
    });
    return { permissions, warnings: warningsOf(resolve(names).unresolved, rights) };
  });
}

function warningsOf(unresolved: readonly string[], rights: { readonly read?: { readonly policy?: unknown } }) {
  const warnings = unresolved.map((name) => `"${name}" is not a team; it is kept and grants nothing`);
  return rights.read?.policy === undefined ? warnings : [...warnings, 'read.policy is kept and grants nothing yet'];
}

async function shown(reader: Reader, actor: Actor, blueprint: StoredBlueprint): Promise<BlueprintPermissions> {
  const references = referencesIn(blueprint.rights);
  return presentPermissions(blueprint, await teamNames(reader, actor.orgId, actor.model, references));
}
