import type { EntityBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { ownValue } from '../../platform/collections.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { type Draft, satisfiedGrants, satisfiedGrantsOfDrafts } from '../access/index.ts';
import { teamResolver } from '../accounts/index.ts';
import {
  blueprintProperties,
  blueprintRelations,
  listDerivedKeys,
  ownershipPath,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { buildEntity } from '../entities/index.ts';
import { type SearchDeps, toSql } from '../entity-query/index.ts';
import { entityMissing, findEntity, type StoredEntity, teamForm } from '../entity-rows/index.ts';
import type { Subject } from '../rights/index.ts';
import type { PermissionQuestion } from './queried-user.ts';

/** A stored entity or a draft, with what rights need of it. */
export interface EvaluatedEntity {
  readonly subject: Subject;
  /** The draft that creating this entity would store. */
  readonly draft: Draft;
  readonly ownTeamRefs: readonly string[];
  readonly stored?: StoredEntity;
  readonly warnings: readonly string[];
}

/**
 * Reads what a decision needs of a named entity or of a described one.
 * @throws AppError `not_found`; `invalid_request` for parts the blueprint does not have
 */
export async function evaluateEntityAccess(
  deps: SearchDeps,
  asked: PermissionQuestion,
  entity: string | EntityBody,
): Promise<EvaluatedEntity> {
  return typeof entity === 'string' ? evaluateStored(deps, asked, entity) : evaluateDraft(deps, asked, entity);
}

async function evaluateStored(
  deps: SearchDeps,
  { actor, blueprint }: PermissionQuestion,
  identifier: string,
): Promise<EvaluatedEntity> {
  const where = { orgId: actor.orgId, blueprintKey: blueprint.key, identifier };
  const stored = await findEntity(deps.database, where, teamForm(actor.model), toSql(true));
  if (!stored) throw entityMissing(blueprint, identifier);
  const met = await satisfiedGrants(deps, actor, blueprint, [stored]);
  const { title, icon, properties, relations, teamRefs, ownTeamRefs } = stored;
  const draft: Draft = { identifier, title, icon, properties, relations, team: undefined };
  return { subject: { teamRefs, met: met(stored.key) }, draft, ownTeamRefs, stored, warnings: [] };
}

async function evaluateDraft(
  deps: SearchDeps,
  { actor, blueprint }: PermissionQuestion,
  body: EntityBody,
): Promise<EvaluatedEntity> {
  const issues = unknownKeys(blueprint, body);
  if (issues.length > 0) throw invalidRequest(issues, 'The draft');
  const identifier = body.identifier ?? '';
  const { draft } = buildEntity(blueprint, () => [], { ...body, identifier }, undefined, 'replace');
  const { teamRefs, warnings } = await resolveTeamNames(deps, actor, blueprint, draft.team ?? []);
  const metBy = await satisfiedGrantsOfDrafts(deps, actor, blueprint, [{ ...draft, teamRefs }]);
  return { subject: { teamRefs, met: metBy(0) }, draft, ownTeamRefs: teamRefs, warnings };
}

async function resolveTeamNames(
  deps: SearchDeps,
  actor: PermissionQuestion['actor'],
  blueprint: StoredBlueprint,
  names: readonly string[],
) {
  const path = ownershipPath(blueprint.definition);
  if (path !== undefined) {
    const warning = `team is inherited along "${path}"; what was written is ignored`;
    return { teamRefs: [], warnings: names.length > 0 ? [warning] : [] };
  }
  const resolve = await teamResolver(deps.database, actor.orgId, actor.model, names);
  const { references, unresolved } = resolve(names, '/entity/team');
  return { teamRefs: references, warnings: unresolved.map((name) => `"${name}" is not a team and grants nothing`) };
}

function unknownKeys(blueprint: StoredBlueprint, { properties = {}, relations = {} }: EntityBody): Issue[] {
  const computed = listDerivedKeys(blueprint);
  return [
    ...Object.keys(properties)
      .filter((key) => !ownValue(blueprintProperties(blueprint), key))
      .map((key) => ({
        path: `/entity/properties/${key}`,
        message: computed.includes(key) ? 'is computed by the platform' : 'is not a property of the blueprint',
      })),
    ...Object.keys(relations)
      .filter((key) => !ownValue(blueprintRelations(blueprint), key))
      .map((key) => ({ path: `/entity/relations/${key}`, message: 'is not a relation of the blueprint' })),
  ];
}
