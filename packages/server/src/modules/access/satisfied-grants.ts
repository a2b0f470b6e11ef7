import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import { type SearchDeps, withInner } from '../entity-query/index.ts';
import { type GrantName, listPolicyGrants } from '../rights/index.ts';
import { preparePolicies } from './compile-policies.ts';
import { satisfiedNames } from './entity-conditions.sql.ts';
import { listMet, listMetByDrafts, type SatisfiedRow } from './met-grants.store.ts';

/** The grants whose policies an entity satisfies. */
export type SatisfiedGrants = (key: number | undefined) => ReadonlySet<GrantName>;

const none: ReadonlySet<GrantName> = new Set();

/** Finds out which policies of a blueprint stored entities satisfy for the caller, with one statement and only if any is in force. */
export async function satisfiedGrants(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  entities: readonly { readonly key: number }[],
): Promise<SatisfiedGrants> {
  const grants = listPolicyGrants(blueprint);
  if (grants.length === 0 || entities.length === 0 || isUnlimited(actor)) return () => none;
  const compile = await preparePolicies(deps, actor, [{ blueprint, grants }]);
  const keys = entities.map(({ key }) => key);
  const met = satisfiedNames(blueprint, grants, compile);
  const rows = await listMet(deps.database, actor.orgId, keys, met);
  return toSatisfiedGrants(rows);
}

function toSatisfiedGrants(rows: readonly SatisfiedRow[]): SatisfiedGrants {
  const met = new Map(rows.map((row) => [row.key, new Set(row.met)]));
  return (key) => (key === undefined ? none : (met.get(key) ?? none));
}

/** What a policy sees of an entity that is not stored. */
export interface DraftRow {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly relations: Readonly<Record<string, unknown>>;
  readonly teamRefs: readonly string[];
}

/**
 * The same for entities that are not there yet, by their place in the list. Of those nothing is computed and nothing is related to
 * them: rules that look at computed values, or lead over relations to other entities, are false.
 */
export async function satisfiedGrantsOfDrafts(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  drafts: readonly (DraftRow | false)[],
): Promise<SatisfiedGrants> {
  const grants = listPolicyGrants(blueprint);
  if (grants.length === 0 || !drafts.some(Boolean) || isUnlimited(actor)) return () => none;
  const compile = await preparePolicies(deps, actor, [{ blueprint, grants }], {
    hidden: withInner(new Set(listDerivedKeys(blueprint))),
    isUnrelated: true,
  });
  const at = deps.clock.now().toISOString();
  const meta = { at, by: actor.id, datasource: actor.datasource };
  const base = { blueprint_key: blueprint.key, org_id: actor.orgId, ...meta };
  const rows = drafts.flatMap((draft, key) => (draft ? [{ ...base, ...draft, key }] : []));
  const met = satisfiedNames(blueprint, grants, compile);
  return toSatisfiedGrants(await listMetByDrafts(deps.database, actor.orgId, rows, met));
}
