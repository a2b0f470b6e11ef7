import type { EntityBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { ownValue } from '../../platform/collections.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { type Draft, policiesMet, policiesMetByDrafts } from '../access/index.ts';
import { teamResolver } from '../accounts/index.ts';
import {
  derivedKeysOf,
  ownershipPathOf,
  propertiesOf,
  relationsOf,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { buildEntity } from '../entities/index.ts';
import { type SearchDeps, toSql } from '../entity-query/index.ts';
import { entityMissing, findEntity, type StoredEntity, teamForm } from '../entity-rows/index.ts';
import type { Subject } from '../rights/index.ts';
import type { Asked } from './queried-user.ts';

/** A stored entity or a draft, with what rights need of it. */
export interface Judged {
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
export async function judgeEntity(deps: SearchDeps, asked: Asked, entity: string | EntityBody): Promise<Judged> {
  return typeof entity === 'string' ? judgeStored(deps, asked, entity) : judgeDraft(deps, asked, entity);
}

async function judgeStored(deps: SearchDeps, { actor, blueprint }: Asked, identifier: string): Promise<Judged> {
  const where = { orgId: actor.orgId, blueprintKey: blueprint.key, identifier };
  const stored = await findEntity(deps.database, where, teamForm(actor.model), toSql(true));
  if (!stored) throw entityMissing(blueprint, identifier);
  const met = await policiesMet(deps, actor, blueprint, [stored]);
  const { title, icon, properties, relations, teamRefs, ownTeamRefs } = stored;
  const draft: Draft = { identifier, title, icon, properties, relations, team: undefined };
  return { subject: { teamRefs, met: met(stored.key) }, draft, ownTeamRefs, stored, warnings: [] };
}

async function judgeDraft(deps: SearchDeps, { actor, blueprint }: Asked, body: EntityBody): Promise<Judged> {
  const issues = unknownKeys(blueprint, body);
  if (issues.length > 0) throw invalidRequest(issues, 'The draft');
  const identifier = body.identifier ?? '';
  const { draft } = buildEntity(blueprint, () => [], { ...body, identifier }, undefined, 'replace');
  const { teamRefs, warnings } = await teamsOf(deps, actor, blueprint, draft.team ?? []);
  const metBy = await policiesMetByDrafts(deps, actor, blueprint, [{ ...draft, teamRefs }]);
  return { subject: { teamRefs, met: metBy(0) }, draft, ownTeamRefs: teamRefs, warnings };
}

async function teamsOf(deps: SearchDeps, actor: Asked['actor'], blueprint: StoredBlueprint, names: readonly string[]) {
  const path = ownershipPathOf(blueprint.definition);
  if (path !== undefined) {
    const warning = `team is inherited along "${path}"; what was written is ignored`;
    return { teamRefs: [], warnings: names.length > 0 ? [warning] : [] };
  }
  const resolve = await teamResolver(deps.database, actor.orgId, actor.model, names);
  const { references, unresolved } = resolve(names, '/entity/team');
  return { teamRefs: references, warnings: unresolved.map((name) => `"${name}" is not a team and grants nothing`) };
}

function unknownKeys(blueprint: StoredBlueprint, { properties = {}, relations = {} }: EntityBody): Issue[] {
  const computed = derivedKeysOf(blueprint);
  return [
    ...Object.keys(properties)
      .filter((key) => !ownValue(propertiesOf(blueprint), key))
      .map((key) => ({
        path: `/entity/properties/${key}`,
        message: computed.includes(key) ? 'is computed by the platform' : 'is not a property of the blueprint',
      })),
    ...Object.keys(relations)
      .filter((key) => !ownValue(relationsOf(blueprint), key))
      .map((key) => ({ path: `/entity/relations/${key}`, message: 'is not a relation of the blueprint' })),
  ];
}
