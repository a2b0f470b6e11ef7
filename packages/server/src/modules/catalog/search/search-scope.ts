import type { SearchQuery } from '@portolan/contract';
import sql, { type Sql } from 'sql-template-tag';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { listBlueprintRows, type StoredBlueprint } from '../../blueprints/index.ts';
import { ruleTeamForm } from '../../identity/index.ts';
import { allOf } from '../entity.store.ts';
import { hiddenValues } from '../hidden-values.ts';
import { isNarrowed, readCondition } from '../read-condition.ts';
import { readCallerValues } from './caller-values.ts';
import type { CompileContext } from './compile-context.ts';
import type { Slot } from './operand.ts';

/** What searching needs. */
export interface SearchDeps {
  readonly database: Reader;
  readonly clock: Clock;
  /** Told which values searches compare and sort by. */
  readonly noteUse?: ((orgId: string, blueprintKey: number, slot: Slot) => void) | undefined;
}

/** Builds the contexts in which the queries of one request are compiled, reading no more than they need. */
export interface SearchScope {
  contextOf(blueprint: StoredBlueprint): CompileContext;
}

export async function openScope(
  { database, clock, noteUse }: SearchDeps,
  actor: Actor,
  query: SearchQuery | undefined,
  known?: readonly StoredBlueprint[],
): Promise<SearchScope> {
  const { orgId, teamKeys } = actor;
  const teamForm = ruleTeamForm(actor.model);
  const isWalking = query !== undefined && walks(query);
  // what is computed from other entities may be hidden from people who may not read all of them
  const isPartial = !isAdmin(actor);
  const all = known ?? (isWalking || isPartial ? await listBlueprintRows(database, orgId) : []);
  const hiddenOf = isPartial ? hiddenValues(actor, all) : () => undefined;
  const byIdentifier = new Map(all.map((blueprint) => [blueprint.identifier, blueprint]));
  const isHidden = (identifier: string, property: string): boolean => {
    const blueprint = byIdentifier.get(identifier);
    return blueprint !== undefined && (hiddenOf(blueprint)?.has(property) ?? false);
  };
  const caller = query && namesCaller(query) ? await readCallerValues(database, actor, teamForm, isHidden) : undefined;
  const shared = {
    orgId,
    now: clock.now(),
    teamForm,
    teamKeys,
    caller,
    blueprints: byIdentifier,
    readable: isWalking ? readableOf(actor, all) : undefined,
  };
  return {
    contextOf: (blueprint) => ({
      ...shared,
      blueprint,
      hidden: withInner(hiddenOf(blueprint)),
      note: noteUse && ((slot) => noteUse(orgId, blueprint.key, slot)),
    }),
  };
}

/** Which rows of `entities e` the actor may read, whatever their blueprint; undefined where all. */
function readableOf(actor: Actor, blueprints: readonly StoredBlueprint[]): Sql | undefined {
  const narrowed = blueprints.filter((blueprint) => isNarrowed(actor, blueprint));
  if (narrowed.length === 0) return undefined;
  return allOf(narrowed.map((each) => sql`(e.blueprint_key <> ${each.key} or ${readCondition(actor, each)})`));
}

/** Whether a rule leads over relations to other entities. */
function walks(query: SearchQuery): boolean {
  return query.rules.some((rule) => {
    if ('combinator' in rule) return walks(rule);
    if ('relation' in rule) return rule.targetProperty === '$title';
    return 'operator' in rule && (rule.operator === 'relatedTo' || rule.operator === 'matchAny');
  });
}

/** `labels.key` is hidden where `labels` is. */
function withInner(hidden: ReadonlySet<string> | undefined): CompileContext['hidden'] {
  return hidden && { has: (name) => hidden.has(name.split('.', 1)[0] as string) };
}

/** Whether a rule may name the caller; a text that looks so costs a look-up and changes nothing. */
function namesCaller(query: SearchQuery): boolean {
  const text = JSON.stringify(query);
  return text.includes('"context"') || text.includes('getUser');
}
