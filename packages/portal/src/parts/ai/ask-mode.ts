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

/** Says why a run stopped; its name is none of those that the server offers by itself. */
const explains = '^explain_run$';

/** The request fields of a mode; reading only is the server's default. A person saves proposed workflows in any mode. */
export function modeRequest(mode: AskMode): Pick<Question, 'tools' | 'executionMode'> {
  if (mode === 'read') return {};
  const tools = [reads, explains, '^run_.*', '^propose_workflow$'];
  return { tools, executionMode: mode === 'automatic' ? 'Automatic' : 'Manual Approval' };
}
