import type { Json } from '../documents.ts';
import type { Finding } from '../finding.ts';

/**
 * A finding for an entity written with a removed relation; `teamPointer` is where to write its teams, if they are not
 * written yet.
 */
export function writtenRelation(
  name: string,
  change: 'removed' | 'review' | 'kept',
  value: Json,
  isTeamFree: boolean,
  teamPointer: string,
  isSingle: boolean,
): Finding {
  const references = [{ kind: 'relation', text: name, name }] as const;
  if (change === 'kept')
    return { references, verdict: 'mentions', why: `Writes the relation "${name}" to teams, which stays.` };
  if (change === 'review')
    return { references, verdict: 'review', why: `Writes a relation "${name}" that the blueprint does not have.` };
  const why = `Writes the relation "${name}", which the migration removes.`;
  if (!isTeamFree) return { references, verdict: 'breaks', why };
  const team = isSingle && !Array.isArray(value) && typeof value !== 'string' ? [value] : value;
  return {
    references,
    verdict: 'breaks',
    why,
    suggestion: {
      value: null,
      explanation: `The relation "${name}" has become the teams of the entity: write "team" instead.`,
      more: [{ pointer: teamPointer, value: team }],
    },
  };
}
