import type { Work } from '../../platform/unit-of-work.ts';
import { unchanged } from '../accounts/index.ts';
import type { Grant } from '../rights/index.ts';
import { listBlueprintRows, lockBlueprint, setBlueprintRights } from './blueprint.store.ts';
import { mapGrants, referencesIn } from './blueprint-permissions.ts';

/** Removes teams from rights, within the caller's unit of work; grants to others stay. */
export async function removeTeamsFromRights(work: Work, keys: readonly string[]): Promise<void> {
  const { tx, actor } = work;
  if (keys.length === 0) return;
  const without = (grant: Grant): Grant => ({
    ...grant,
    ...(grant.teams ? { teams: grant.teams.filter((team) => !keys.includes(team)) } : {}),
  });
  const naming = (await listBlueprintRows(tx, actor.orgId)).filter(({ rights }) =>
    referencesIn(rights).some((reference) => keys.includes(reference)),
  );
  for (const { identifier } of naming) {
    const { rights = null } = (await lockBlueprint(tx, actor.orgId, identifier)) ?? {};
    if (!rights) continue;
    await setBlueprintRights(tx, actor.orgId, identifier, unchanged(mapGrants(rights, without)));
    work.record({
      event: 'blueprint-permissions.updated',
      action: 'UPDATE',
      resourceType: 'blueprint',
      identifier,
      context: { blueprint: identifier },
      message: 'A team that had rights was deleted',
    });
  }
}
