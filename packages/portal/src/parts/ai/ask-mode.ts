import { t } from '../../kit/translate.ts';
import type { Question } from './follow-answer.ts';

/** What a question allows the assistant to do. */
export type AskMode = 'read' | 'approval' | 'automatic';

export const askModes: { value: AskMode; label: string }[] = [
  { value: 'read', label: t('Read only') },
  { value: 'approval', label: t('Actions on approval') },
  { value: 'automatic', label: t('Actions at once') },
];

const reads = '^(list|get|search|track|describe)_.*';

/** The request fields of a mode; reading only is the server's default. */
export function modeRequest(mode: AskMode): Pick<Question, 'tools' | 'executionMode'> {
  if (mode === 'read') return {};
  return { tools: [reads, '^run_.*'], executionMode: mode === 'automatic' ? 'Automatic' : 'Manual Approval' };
}
