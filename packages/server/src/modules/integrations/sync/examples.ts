import type { KindExample } from '@portolan/contract/integration-reports';
import sql from 'sql-template-tag';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { getIntegration } from '../read-integrations.ts';

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

const kept = 10;
const kindsMax = 500;

/** Keeps the last samples of a kind. @throws AppError `not_found`, `invalid_request` for too many kinds */
export async function addExamples(
  { database, unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  kindInPath: string,
  examples: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const { key } = await getIntegration(database, actor, identifier);
  // the one client that sends samples writes a blank of a path as `+`, and a plus otherwise
  const kind = kindInPath.replaceAll('+', ' ');
  if (examples.length === 0) return;
  await unitOfWork(actor, async ({ tx, now }) => {
    const { count } = (await tx.first<{ count: number }>(sql`
      select count(*)::int as count from integration_examples
      where org_id = ${actor.orgId} and integration_key = ${key} and kind <> ${kind}`)) ?? { count: 0 };
    if (count >= kindsMax) {
      throw invalidRequest([{ path: '{path}/kind', message: `is one kind too many: ${kindsMax} have samples` }]);
    }
    const fresh = examples.slice(-kept).map((data) => ({ _id: newId('example_'), data }));
    await tx.execute(sql`
      insert into integration_examples as x (org_id, integration_key, kind, examples, updated_at)
      values (${actor.orgId}, ${key}, ${kind}, ${json(fresh)}, ${now})
      on conflict (org_id, integration_key, kind) do update set updated_at = excluded.updated_at,
        examples = (select jsonb_agg(last.example order by last.at) from (
          select a.example, a.at from jsonb_array_elements(x.examples || excluded.examples) with ordinality
            as a(example, at) order by a.at desc limit ${kept}) as last)`);
  });
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function listKinds(
  database: Database,
  actor: Actor,
  identifier: string,
): Promise<Record<string, { examples: KindExample[] }>> {
  const { key } = await getIntegration(database, actor, identifier);
  const rows = await database.rows<{ kind: string; examples: KindExample[] }>(sql`
    select kind, examples from integration_examples
    where org_id = ${actor.orgId} and integration_key = ${key} order by kind`);
  return Object.fromEntries(rows.map(({ kind, examples }) => [kind, { examples }]));
}
