import type { Question } from './follow-answer.ts';

/** What a question lets the assistant do. */
export type AskMode = 'read' | 'approval' | 'automatic';

export const askModes: { value: AskMode; label: string }[] = [
  { value: 'read', label: 'Read only' },
  { value: 'approval', label: 'Actions on approval' },
  { value: 'automatic', label: 'Actions at once' },
];

const reads = '^(list|get|search|track|describe)_.*';

/** The fields of a request that a mode stands for; reading alone is what the server does by itself. */
export function modeRequest(mode: AskMode): Pick<Question, 'tools' | 'executionMode'> {
  if (mode === 'read') return {};
  return { tools: [reads, '^run_.*'], executionMode: mode === 'automatic' ? 'Automatic' : 'Manual Approval' };
}
