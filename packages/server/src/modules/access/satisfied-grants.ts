import sql, { join, type Sql } from 'sql-template-tag';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { json } from '../../platform/db/json.ts';
import { computed, fields, type RowOf, row } from '../../platform/db/row.ts';
import { derivedKeysOf, type StoredBlueprint } from '../blueprints/index.ts';
import { type SearchDeps, toSql, withInner } from '../entity-query/index.ts';
import { type GrantName, type NamedGrant, policiesOf } from '../rights/index.ts';
import { type CompilePolicy, preparePolicies } from './compile-policies.ts';

/** The grants whose policies an entity satisfies. */
export type Met = (key: number | undefined) => ReadonlySet<GrantName>;

const none: ReadonlySet<GrantName> = new Set();

/** Finds out which policies of a blueprint stored entities satisfy for the caller, with one statement and only if any is in force. */
export async function policiesMet(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  entities: readonly { readonly key: number }[],
): Promise<Met> {
  const grants = policiesOf(blueprint);
  if (grants.length === 0 || entities.length === 0 || isAdmin(actor)) return () => none;
  const compile = await preparePolicies(deps, actor, [{ blueprint, grants }]);
  const keys = entities.map(({ key }) => key);
  const rows = await deps.database.rows(metRow.sql`
    select e.key, ${metNames(blueprint, grants, compile)} as met from entities e
    where e.org_id = ${actor.orgId} and e.key = any(${keys}::bigint[])`);
  return metOf(rows);
}

const metRow = row({ ...fields('entities', 'key'), met: computed.texts.as<readonly GrantName[]>() });
type MetRow = RowOf<typeof metRow>;

function metOf(rows: readonly MetRow[]): Met {
  const met = new Map(rows.map((row) => [row.key, new Set(row.met)]));
  return (key) => (key === undefined ? none : (met.get(key) ?? none));
}

/** The names of the grants whose policies a row `entities e` satisfies, as an array. */
export function metNames(blueprint: StoredBlueprint, grants: readonly NamedGrant[], compile: CompilePolicy): Sql {
  if (grants.length === 0) return sql`'{}'::text[]`;
  const cases = grants.map((grant) => sql`case when ${toSql(compile(blueprint, grant))} then ${grant.name}::text end`);
  return sql`array_remove(array[${join(cases)}], null)`;
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

const computedMetRow = row({ key: computed.number, met: computed.texts.as<readonly GrantName[]>() });

/**
 * The same for entities that are not there yet, by their place in the list. Of those nothing is computed and nothing is related to
 * them: rules that look at computed values, or lead over relations to other entities, are false.
 */
export async function policiesMetByDrafts(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  drafts: readonly (DraftRow | false)[],
): Promise<Met> {
  const grants = policiesOf(blueprint);
  if (grants.length === 0 || !drafts.some(Boolean) || isAdmin(actor)) return () => none;
  const compile = await preparePolicies(deps, actor, [{ blueprint, grants }], {
    hidden: withInner(new Set(derivedKeysOf(blueprint))),
    isUnrelated: true,
  });
  const at = deps.clock.now().toISOString();
  const meta = { at, by: actor.id, datasource: actor.datasource };
  const base = { blueprint_key: blueprint.key, org_id: actor.orgId, ...meta };
  const rows = drafts.flatMap((draft, key) => (draft ? [{ ...base, ...draft, key }] : []));
  return metOf(
    await deps.database.rows(computedMetRow.sql`
      select e.key, ${metNames(blueprint, grants, compile)} as met from (
        select r.*, r."teamRefs" as team_refs, '{}'::jsonb as derived, '{}'::jsonb as scorecards, r.at as created_at,
          r.at as updated_at, r.by as created_by, r.by as updated_by
        from jsonb_to_recordset(${json(rows)}::jsonb) as r(key bigint, blueprint_key bigint, org_id text, identifier text,
          title text, icon text, properties jsonb, relations jsonb, "teamRefs" text[], at timestamptz, by text,
          datasource text)) e
      where e.org_id = ${actor.orgId}`),
  );
}
