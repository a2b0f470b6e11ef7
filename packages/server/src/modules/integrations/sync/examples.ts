import type { KindExample } from '@portolan/contract/integration-reports';
import type { Actor } from '../../../platform/actor.ts';
import { lockCount } from '../../../platform/db/count-lock.store.ts';
import type { Database } from '../../../platform/db/database.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { getIntegration } from '../read-integrations.ts';
import { addToExamples, countOtherKinds, listExamples } from './sync.store.ts';

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

const kept = 10;
const kindsMax = 500;

/** Stores the latest samples of a kind. @throws AppError `not_found`, `invalid_request` for too many kinds */
export async function addExamples(
  { database, unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  kindInPath: string,
  examples: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const { key } = await getIntegration(database, actor, identifier);
  // the only client that sends samples encodes a blank in the path as `+`
  const kind = kindInPath.replaceAll('+', ' ');
  if (examples.length === 0) return;
  await unitOfWork(actor, async ({ tx, now }) => {
    const place = { orgId: actor.orgId, integrationKey: key, kind };
    await lockCount(tx, actor.orgId, `kinds:${key}`);
    const count = await countOtherKinds(tx, place);
    if (count >= kindsMax) {
      throw invalidRequest([{ path: '{path}/kind', message: `is one kind too many: ${kindsMax} have samples` }]);
    }
    const fresh = examples.slice(-kept).map((data) => ({ _id: newId('example_'), data }));
    await addToExamples(tx, place, { fresh, kept, at: now });
  });
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function listKinds(
  database: Database,
  actor: Actor,
  identifier: string,
): Promise<Record<string, { examples: KindExample[] }>> {
  const { key } = await getIntegration(database, actor, identifier);
  const rows = await listExamples(database, actor.orgId, key);
  return Object.fromEntries(rows.map(({ kind, examples }) => [kind, { examples }]));
}
