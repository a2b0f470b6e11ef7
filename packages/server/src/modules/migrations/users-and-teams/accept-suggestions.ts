import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '@portolan/contract/errors';
import type { UsersAndTeamsAcceptance, UsersAndTeamsAcceptances } from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Permitted } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { lockModel } from '../../organizations/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { type AcceptedChange, deleteAcceptances, listAcceptances, putAcceptances } from './acceptance.store.ts';
import { presentAcceptances, toAcceptedChange } from './acceptance.ts';
import { findMigration } from './migration.store.ts';
import { isUnderWay } from './migration.ts';
import { readDocuments } from './read-documents.ts';
import { readFacts } from './read-facts.ts';
import { listManualItems } from './read-plan.ts';
import { alreadyThere } from './start-migration.ts';

/**
 * Accepts suggestions of the plan, or withdraws acceptance, all or none. The migration writes the accepted ones right
 * after the flip. Each names the value that the caller read, so that only a suggestion the caller has seen is accepted.
 * @throws AppError `already_on_new_model`, `migration_in_progress`; `invalid_request` if the item has no suggestion,
 * `stale_version` if the value differs now
 */
export async function acceptSuggestions(
  deps: MigrationsDeps,
  actor: Permitted<Actor>,
  { accept = [], withdraw = [] }: UsersAndTeamsAcceptances,
): Promise<UsersAndTeamsAcceptance[]> {
  const { database, unitOfWork } = deps;
  const model = (await findOrganization(database, actor.orgId))?.model;
  if (model !== 'legacy' && model !== 'beta') throw alreadyThere();
  // outside the transaction, because it parses every expression
  const facts = await readFacts(database, actor.orgId, model);
  const manual = listManualItems(facts, await readDocuments(database, facts)) as unknown as ManualItem[];
  const items = new Map(manual.map((item) => [item.id, item]));
  const changes = checked(accept, items);
  const after = await unitOfWork(actor, async ({ tx, now, record }) => {
    await lockModel(tx, actor.orgId);
    const migration = await findMigration(tx, actor.orgId);
    const isFlipped = (await findOrganization(tx, actor.orgId))?.model === 'blueprints';
    if (migration && isUnderWay(migration)) {
      throw new AppError('migration_in_progress', 'The migration is under way; it works with what was accepted before');
    }
    if (isFlipped) throw alreadyThere();
    await putAcceptances(tx, actor.orgId, changes, actor.id, now);
    await deleteAcceptances(tx, actor.orgId, withdraw);
    record({
      event: 'users-and-teams-migration.accepted',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: actor.orgId,
      context: {},
      after: { accepted: accept.map(({ itemId }) => itemId), withdrawn: withdraw },
      isSilent: true,
    });
    return listAcceptances(tx, actor.orgId);
  });
  return presentAcceptances(after, manual);
}

function checked(
  accept: readonly { readonly itemId: string; readonly value: unknown }[],
  items: ReadonlyMap<string, ManualItem>,
): { readonly itemId: string; readonly suggested: AcceptedChange }[] {
  const missing: Issue[] = [];
  const stale: Issue[] = [];
  const changes = accept.flatMap(({ itemId, value }, index) => {
    const item = items.get(itemId);
    const path = `/accept/${index}`;
    if (!item?.suggestion) {
      missing.push({ path, message: `Nothing is suggested for "${itemId}"` });
      return [];
    }
    if (!isDeepStrictEqual(value, item.suggestion.value)) {
      stale.push({ path, message: `Something else is suggested for "${itemId}" by now` });
      return [];
    }
    return [{ itemId, suggested: toAcceptedChange(item) }];
  });
  if (missing.length > 0) {
    throw new AppError('invalid_request', 'Nothing was accepted: read the plan again', { details: missing });
  }
  if (stale.length > 0) {
    throw new AppError('stale_version', 'Nothing was accepted: read the plan again', { details: stale });
  }
  return [...new Map(changes.map((change) => [change.itemId, change])).values()];
}
