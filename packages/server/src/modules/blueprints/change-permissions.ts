import type { BlueprintPermissions, BlueprintPermissionsBody } from '@portolan/contract/blueprint-permissions';
import type { SearchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../platform/actor.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { permitEntityRights, type ResolveTeams, teamNames, teamResolver, writtenTeams } from '../accounts/index.ts';
import { can, type EntityRights, storedGrants } from '../rights/index.ts';
import { findBlueprint, listBlueprintRows, lockBlueprint, setBlueprintRights } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';
import {
  checkPermissions,
  mergePermissions,
  policiesLeftOut,
  presentPermissions,
  referencesIn,
  teamsIn,
  teamsInPolicies,
} from './blueprint-permissions.ts';
import { policyIssues } from './policy-issues.ts';

/** The rights in force, if the caller may read the blueprint's entities. @throws AppError `not_found` */
export async function readPermissions(
  { database }: { readonly database: Database },
  actor: Actor,
  identifier: string,
): Promise<BlueprintPermissions> {
  const blueprint = await findBlueprint(database, actor.orgId, identifier);
  if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', identifier);
  return presentWritten(database, actor, blueprint);
}

/**
 * Changes rights block by block; an unknown team is kept as an unresolved reference and grants nothing.
 * @throws AppError `not_found`, `invalid_request` for keys that the blueprint does not have, `insufficient_scope` if
 * the token may not do what it would let others do
 */
export function changePermissions(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  identifier: string,
  body: BlueprintPermissionsBody,
): Promise<{ readonly permissions: BlueprintPermissions; readonly warnings: readonly string[] }> {
  return unitOfWork(actor, (work) => changePermissionsWithin(work, identifier, () => body));
}

/** The same within the caller's unit of work, for rights already read. @throws AppError as `changePermissions` */
export async function changePermissionsWithin(
  work: Work,
  identifier: string,
  bodyOf: (current: BlueprintPermissions) => BlueprintPermissionsBody,
): Promise<{ readonly permissions: BlueprintPermissions; readonly warnings: readonly string[] }> {
  const { tx, actor } = work;
  const blueprint = await lockBlueprint(tx, actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  const before = await presentWritten(tx, actor, blueprint);
  const resolverOf = (names: readonly string[]) =>
    writtenTeams(work, { kind: 'blueprint-permissions', identifier }, names);
  const { rights, warnings } = await mergedRights(tx, actor.model, blueprint, bodyOf(before), resolverOf);
  await setBlueprintRights(tx, actor.orgId, identifier, permitEntityRights(actor, blueprint, rights));
  const permissions = await presentWritten(tx, actor, { ...blueprint, rights });
  work.record({
    event: 'blueprint-permissions.updated',
    action: 'UPDATE',
    resourceType: 'blueprint',
    identifier,
    context: { blueprint: identifier },
    before: { permissions: before },
    after: { permissions },
  });
  return { permissions, warnings };
}

/**
 * Rights after a change, with warnings for what grants nothing.
 * @throws AppError `invalid_request` for keys that the blueprint does not have
 */
export function proposedRights(
  reader: Reader,
  { orgId, model }: Actor,
  blueprint: StoredBlueprint,
  body: BlueprintPermissionsBody,
  at: string,
): Promise<ProposedRights> {
  return mergedRights(reader, model, blueprint, body, (names) => teamResolver(reader, orgId, model, names), at);
}

interface ProposedRights {
  readonly rights: EntityRights;
  readonly warnings: readonly string[];
}

async function mergedRights(
  reader: Reader,
  model: Actor['model'],
  blueprint: StoredBlueprint,
  body: BlueprintPermissionsBody,
  resolverOf: (names: readonly string[]) => Promise<ResolveTeams>,
  at = '',
): Promise<ProposedRights> {
  const issues = checkPermissions(blueprint, body).map((issue) => ({ ...issue, path: at + issue.path }));
  if (issues.length > 0) throw invalidRequest(issues, 'The permissions');
  // rules of the older models use `ruleTeamForm`
  const names = [...teamsIn(body), ...(model === 'blueprints' ? teamsInPolicies(body) : [])];
  const resolve = await resolverOf(names);
  const { warnings } = resolve(names, at);
  const rights = mergePermissions(blueprint, body, resolve);
  const removed = policiesLeftOut(blueprint, body).map(
    (name) => `${name}.policy was removed, since ${name} was written without it; to keep it, write it along`,
  );
  return { rights, warnings: [...warnings, ...removed, ...(await policyWarnings(reader, blueprint, rights))] };
}

/** A sentence for each part of the policies that grants nothing. */
export async function policyWarnings(
  reader: Reader,
  blueprint: StoredBlueprint,
  rights: EntityRights | null,
): Promise<string[]> {
  const grants = storedGrants({ ...blueprint, rights }).filter(({ grant }) => grant.policy !== undefined);
  if (grants.length === 0) return [];
  const all = new Map((await listBlueprintRows(reader, blueprint.orgId)).map((each) => [each.identifier, each]));
  return grants.flatMap(({ name, grant }) => [
    ...(grant.ownedByTeam ? [`${name}.policy is ignored while ${name}.ownedByTeam is set`] : []),
    ...policyIssues(grant.policy as SearchQuery, blueprint, all).map(
      ({ path, message }) => `${name}.policy grants nothing: ${path}: ${message}`,
    ),
  ]);
}

async function presentWritten(reader: Reader, actor: Actor, blueprint: StoredBlueprint): Promise<BlueprintPermissions> {
  const references = referencesIn(blueprint.rights);
  return presentPermissions(blueprint, await teamNames(reader, actor.orgId, actor.model, references));
}
