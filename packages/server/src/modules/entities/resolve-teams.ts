import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { DraftWithTeams, PendingWrite } from '../access/index.ts';
import { type ResolveTeams, writtenTeams } from '../accounts/index.ts';
import { ownershipPath, type StoredBlueprint } from '../blueprints/index.ts';

/** Finds the teams that the items name. An item that names one by a name of several goes to `failed`. */
export async function findOwners(
  work: Work,
  blueprint: StoredBlueprint,
  pending: readonly PendingWrite[],
  failed: Map<number, AppError>,
): Promise<DraftWithTeams[]> {
  const isInherited = ownershipPath(blueprint.definition) !== undefined;
  const names = isInherited ? [] : pending.flatMap(({ draft }) => (draft.teamRefs ? [] : (draft.team ?? [])));
  const resolve = await writtenTeams(work, { kind: 'entity', identifier: blueprint.identifier }, names);
  return pending.flatMap((item): DraftWithTeams[] => {
    try {
      const { ownTeamRefs, warnings } = owned(blueprint, item, resolve);
      return [
        { ...item, ownTeamRefs, warnings: warnings.length === 0 ? item.warnings : [...item.warnings, ...warnings] },
      ];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(item.index, error);
      return [];
    }
  });
}

/** The teams of an item. Where ownership is inherited, what is written is ignored (compatibility choices, Catalog). */
function owned(
  blueprint: StoredBlueprint,
  { draft }: PendingWrite,
  resolve: ResolveTeams,
): Pick<DraftWithTeams, 'ownTeamRefs' | 'warnings'> {
  const path = ownershipPath(blueprint.definition);
  if (path !== undefined && draft.team !== undefined) {
    const warning = `team is inherited along "${path}"; what was written is ignored`;
    return { ownTeamRefs: undefined, warnings: draft.team.length > 0 ? [warning] : [] };
  }
  if (draft.teamRefs) return { ownTeamRefs: draft.teamRefs, warnings: [] };
  if (draft.team === undefined) return { ownTeamRefs: undefined, warnings: [] };
  const { references, warnings } = resolve(draft.team, '/team');
  return { ownTeamRefs: references, warnings };
}
