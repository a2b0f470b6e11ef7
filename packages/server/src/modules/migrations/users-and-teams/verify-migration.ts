import type { UsersAndTeamsVerification } from '@portolan/contract/users-and-teams';
import { documentsByResource, type ManualItem, recheck, resourceKey, valueAt } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { findOrganization } from '../../organizations/index.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { listAcceptances } from './acceptance.store.ts';
import { findManual, findMigration } from './migration.store.ts';
import { readDocuments } from './read-documents.ts';
import { readFacts } from './read-facts.ts';
import { listApplied } from './suggestion.store.ts';

/**
 * Checks the items that the newest migration left to people, as stored at its start, against the current documents.
 * Writes nothing.
 * @throws AppError `not_found` if no migration has begun
 */
export async function verifyMigration(
  { database }: MigrationsDeps,
  { orgId }: Actor,
): Promise<UsersAndTeamsVerification> {
  const organization = await findOrganization(database, orgId);
  const migration = await findMigration(database, orgId);
  const manual = migration && (await findManual(database, orgId, migration.id));
  if (!organization || !manual) throw notFound('Migration', orgId, 'organization');
  const facts = await readFacts(database, orgId, organization.model);
  const names = new Map(facts.blueprints.map(({ key, identifier }) => [key, identifier]));
  // references to relations that still exist, or exist again, are found like any other
  const removedRelations = (migration.followUp.relations ?? []).flatMap(({ blueprintKey, relation }) => {
    const blueprint = names.get(blueprintKey);
    return blueprint === undefined ? [] : [{ blueprint, relation }];
  });
  const documents = await readDocuments(database, facts);
  const byResource = documentsByResource(documents);
  const rechecked = recheck(
    manual as unknown as ManualItem[],
    documents,
    organization.model === 'blueprints' ? removedRelations : [],
  );
  const applied = new Map((await listApplied(database, orgId, migration.id)).map((each) => [each.itemId, each]));
  const accepted = new Map((await listAcceptances(database, orgId)).map((each) => [each.itemId, each]));
  return {
    items: rechecked.map(({ item, state, now }) => {
      const own = applied.get(item.id);
      const before = accepted.get(item.id);
      const document = byResource.get(resourceKey(item.resource));
      return {
        item,
        state,
        now: now ?? null,
        current: (document && valueAt(document, item.pointer)) ?? null,
        applied: own ? { at: own.appliedAt.toISOString(), by: own.appliedBy } : null,
        accepted: before
          ? {
              at: before.acceptedAt.toISOString(),
              by: before.acceptedBy,
              state: before.state,
              message: before.message,
            }
          : null,
      };
    }),
  } as unknown as UsersAndTeamsVerification;
}
