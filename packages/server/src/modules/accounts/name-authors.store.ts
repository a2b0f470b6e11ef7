import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';
import { outside } from '../../platform/text-authors.ts';

const namedRow = row({ identifier: computed.text, authors: computed.json.as<string[]>() });

/**
 * Notes who gave these teams their names, where somebody wants to know whose texts the actor is shown. Names that the
 * identity provider gives have no author here: whoever decides there decides about rights here already. Without
 * entities for teams (the old model) nobody knows the authors of names, and none are noted.
 */
export async function noteTeamNames(
  reader: Reader,
  { orgId, textsRead }: Pick<Actor, 'orgId' | 'textsRead'>,
  teamKeys: readonly string[],
): Promise<void> {
  if (!textsRead || teamKeys.length === 0) return;
  const teams = await reader.rows(namedRow.sql`
    select t.identifier, to_json(coalesce(e.text_authors, '{outside}')) as authors
    from teams t
    join blueprints b on b.org_id = t.org_id and b.identifier = '_team'
    join entities e on e.org_id = t.org_id and e.blueprint_key = b.key and e.identifier = t.identifier
    where t.org_id = ${orgId} and t.key = any(${[...new Set(teamKeys)]}::text[]) and t.provider is null`);
  for (const { identifier, authors } of teams) textsRead.add(authors, `_team ${identifier}`);
}

const authorsRow = row({ authors: computed.json.as<string[]>() });

/**
 * Who gave a person their name: whoever wrote the texts of their entity, and anybody where it is gone. Without entities for
 * people (the old model) nobody knows, and none are listed.
 */
export async function listNameAuthors(
  reader: Reader,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  address: string,
): Promise<readonly string[]> {
  if (model === 'legacy') return [];
  const found = await reader.first(authorsRow.sql`
    select to_json(coalesce(e.text_authors, '{outside}')) as authors
    from blueprints b join entities e on e.org_id = b.org_id and e.blueprint_key = b.key
    where b.org_id = ${orgId} and b.identifier = '_user' and e.identifier = ${address}`);
  return found?.authors ?? [outside];
}
