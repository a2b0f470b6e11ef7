import type { PermissionCheck } from '@portolan/contract/permission-explanations';
import { isPersonal, isVisible } from '../access/index.ts';
import type { EvaluatedEntity } from './evaluated-entity.ts';
import type { PermissionQuestion } from './queried-user.ts';

/** Invocations are visible by who asked, not by grants; undefined for all other entities. */
export function personalCheck(
  { actor, blueprint }: PermissionQuestion,
  { stored }: Pick<EvaluatedEntity, 'stored'>,
): PermissionCheck | undefined {
  if (!isPersonal(actor, blueprint)) return undefined;
  const isSeen = stored !== undefined && isVisible(actor, blueprint, stored, new Set());
  const why = isSeen
    ? 'asked the question, or is in a team that owns the agent'
    : 'questions are shown to who asked, to owners of the agent, administrators and moderators';
  return { grant: 'read', rule: 'personal', outcome: isSeen ? 'granted' : 'not_granted', why };
}
