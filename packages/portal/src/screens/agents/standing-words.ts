import type { ApprovedInput, StandingApproval } from '@portolan/contract/standing-approvals';
import { t } from '../../kit/translate.ts';

/** On which entities, in words. */
export function sayEntity(entity: StandingApproval['entity']): string {
  if (entity === null) return t('On nothing in particular');
  if (entity === 'any') return t('On any entity');
  if (entity === 'question') return t('On the entity that the question names');
  if (entity === 'trigger') return t('On the entity that the question is about');
  return t('On {list}', { list: entity.join(', ') });
}

/** What an input may be, in words. */
export function sayInput(key: string, input: ApprovedInput): string {
  if (input === 'any') return t('{key}: anything', { key });
  if (input === 'closed') return t('{key}: a number, a date or a value of its list', { key });
  if (input === 'question') return t('{key}: words of the question', { key });
  const { const: value } = input;
  return t('{key}: always {value}', { key, value: typeof value === 'string' ? value : JSON.stringify(value) });
}

export const stateNames: Readonly<Record<StandingApproval['state'], string>> = {
  active: t('holds'),
  revoked: t('revoked'),
  expired: t('expired'),
  changed: t('ended: the action or the agent was changed'),
};
