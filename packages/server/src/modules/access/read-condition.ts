import type { Sql } from 'sql-template-tag';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { isScorecardData, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { type SearchDeps, toSql } from '../entity-query/index.ts';
import { allOf, type StoredEntity } from '../entity-rows/index.ts';
import { canOn, type GrantName, grantScope } from '../rights/index.ts';
import { personalTo } from './entity-conditions.sql.ts';
import { reachConditions } from './grant-condition.ts';
import { isSubjectNarrowed, subjectCondition } from './subject-visibility.ts';

/**
 * The entities of a blueprint that the caller may read: all, those of their teams or matched by a policy, or none.
 * Prompts are personal: of invocations people see their own and those of their teams' agents; administrators and
 * moderators see all (compatibility choices, Invocations). Scorecards as data are visible to who may see their subject.
 */
export async function readCondition(deps: SearchDeps, actor: Actor, blueprint: StoredBlueprint): Promise<Sql> {
  return (await readConditions(deps, actor, [blueprint]))(blueprint);
}

/** The same for several blueprints: values of the caller in policies are read once. */
export async function readConditions(
  deps: SearchDeps,
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
): Promise<(blueprint: StoredBlueprint) => Sql> {
  const impersonal = blueprints.filter((blueprint) => !isPersonal(actor, blueprint));
  const conditionOf = await reachConditions(deps, actor, 'read', impersonal);
  const ofSubject = await subjectConditions(deps, actor, blueprints);
  return (blueprint) => {
    const subject = ofSubject(blueprint);
    const condition = isPersonal(actor, blueprint) ? personalTo(actor) : conditionOf(blueprint);
    // a standby might still show who the entities belonged to
    if (subject || condition !== true) deps.database.leaveStandby?.('rights');
    return subject ? allOf([toSql(conditionOf(blueprint)), subject]) : toSql(condition);
  };
}

/** The condition beside rights for scorecards as data that the caller may see only partly; undefined otherwise. */
async function subjectConditions(
  deps: SearchDeps,
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
): Promise<(blueprint: StoredBlueprint) => Sql | undefined> {
  if (isUnlimited(actor) || !blueprints.some(({ identifier }) => isScorecardData(identifier))) return () => undefined;
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const narrowed = new Set(all.filter((each) => isNarrowed(actor, each, all)).map(({ key }) => key));
  const isClosed = ({ key }: StoredBlueprint) => narrowed.has(key);
  const data = blueprints.filter((each) => isSubjectNarrowed(actor, each, all, isClosed));
  if (data.length === 0) return () => undefined;
  const evaluated = all.filter(({ identifier }) => !isScorecardData(identifier));
  const conditionOf = await readConditions(deps, actor, evaluated.filter(isClosed));
  const conditions = new Map(data.map((each) => [each.key, subjectCondition(actor, each, all, isClosed, conditionOf)]));
  return ({ key }) => conditions.get(key);
}

/** Whether the caller may read an entity that satisfies these grants' policies: `readCondition` for one entity. */
export function isVisible(
  actor: Actor,
  blueprint: StoredBlueprint,
  entity: StoredEntity,
  met: ReadonlySet<GrantName>,
): boolean {
  if (isPersonal(actor, blueprint)) {
    const isOwned = entity.teamRefs.some((team) => actor.teamKeys.includes(team));
    const isAsker = actor.userId !== undefined && entity.relations['asked_by'] === actor.userId;
    return isAsker || entity.createdBy === actor.id || isOwned;
  }
  return canOn(actor, 'read', blueprint, { teamRefs: entity.teamRefs, met });
}

/**
 * Whether the caller may read only some entities, or none; a policy always counts as narrowing. `all` are the
 * organization's blueprints.
 */
export function isNarrowed(actor: Actor, blueprint: StoredBlueprint, all: readonly StoredBlueprint[]): boolean {
  return (
    isPersonal(actor, blueprint) ||
    !grantScope(actor, 'read', blueprint).isAll ||
    isSubjectNarrowed(actor, blueprint, all, (each) => isNarrowed(actor, each, all))
  );
}

/** Whether entities are visible by who asked instead of by rights. */
export function isPersonal(actor: Actor, blueprint: StoredBlueprint): boolean {
  return (
    blueprint.identifier === '_ai_invocations' &&
    !isUnlimited(actor) &&
    !actor.roles.includes('_ai_invocations-moderator')
  );
}
