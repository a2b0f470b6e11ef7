import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';

const definition = row({
  ...fields('journal', 'at', 'key'),
  before: field('journal', 'before').as<RecordedBlueprint>().notNull(),
});

/** A blueprint as a record holds it: its definition, with the members of its row beside. */
export type RecordedBlueprint = Readonly<Record<string, unknown>> & { readonly identifier: string };

/** Records of the definition; those of permissions are of the same resource. */
const ofBlueprint = (orgId: string, blueprint: string | Sql): Sql => sql`
  j.org_id = ${orgId} and j.identifier = ${blueprint} and j.resource_type = 'blueprint' and j.status = 'SUCCESS'
  and j.event in ('blueprint.created', 'blueprint.updated', 'blueprint.deleted')`;

/** The first change of a blueprint after a moment, with what it found. */
export function findNextBlueprintChange(reader: Reader, orgId: string, blueprint: string, at: Date) {
  return reader.first(definition.sql`
    select j.at, j.key, j.before from journal j
    where ${ofBlueprint(orgId, blueprint)} and j.at > ${at} and j.before is not null order by j.at, j.key limit 1`);
}

/** Keys of properties or relations in the record's state. */
const keysIn = (column: 'before' | 'after', path: string): Sql => {
  const values = sql`${raw(`j.${column}`)} #> ${path}::text[]`;
  return sql`array(select jsonb_object_keys(case when jsonb_typeof(${values}) = 'object' then ${values} else '{}' end))`;
};

const keyChange = row({
  ...fields('journal', 'at', 'key'),
  context: field('journal', 'context').as<Readonly<Record<string, string>>>(),
  renamedFrom: computed.text,
  propertiesBefore: computed.texts,
  propertiesAfter: computed.texts,
  relationsBefore: computed.texts,
  relationsAfter: computed.texts,
});

/** Changes of a blueprint since a moment, oldest first, with the keys of its properties and relations. */
export function selectKeyChanges(reader: Reader, orgId: string, blueprint: string, since: Date) {
  return reader.rows(keyChange.sql`
    select j.at, j.key, j.context, j.before ->> 'identifier' as "renamedFrom",
      ${keysIn('before', '{schema,properties}')} as "propertiesBefore",
      ${keysIn('after', '{schema,properties}')} as "propertiesAfter",
      ${keysIn('before', '{relations}')} as "relationsBefore", ${keysIn('after', '{relations}')} as "relationsAfter"
    from journal j
    where ${ofBlueprint(orgId, blueprint)} and j.at >= ${since} and j.before is not null and j.after is not null
    order by j.key`);
}

const named = row({ blueprint: computed.text });

/** Those of the blueprints that took their name since a moment. */
export async function listRenamedBlueprints(
  reader: Reader,
  orgId: string,
  blueprints: readonly string[],
  since: Date,
): Promise<string[]> {
  const found = await reader.rows(named.sql`
    select w.blueprint from unnest(${[...blueprints]}::text[]) as w(blueprint)
    where exists (
      select 1 from journal j
      where ${ofBlueprint(orgId, sql`w.blueprint`)} and j.at >= ${since} and j.before ->> 'identifier' <> j.identifier)`);
  return found.map(({ blueprint }) => blueprint);
}
