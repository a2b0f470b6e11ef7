import type { ExecutionMode } from '@portolan/contract/assistant';
import {
  agentHeading,
  approvalText,
  automaticText,
  basePrompt,
  contextHeading,
  fenceText,
  organizationHeading,
} from './prompt-text.ts';

export interface SystemPromptInput {
  readonly executionMode: ExecutionMode;
  readonly hasActionTools: boolean;
  readonly fenceMark: string;
  /** Today's date, `YYYY-MM-DD`, UTC; absent in a conversation, where it stands beside the question. */
  readonly today?: string;
  readonly organization?: string;
  readonly agentPrompt?: string;
  readonly requestPrompt?: string;
}

/** Builds the system prompt: our parts first and last, the parts of others between them under headings. */
export function buildSystemPrompt(input: SystemPromptInput): string {
  const parts = [basePrompt];
  if (input.hasActionTools) parts.push(input.executionMode === 'Automatic' ? automaticText : approvalText);
  if (input.agentPrompt) parts.push(`${agentHeading}\n${input.agentPrompt}`);
  if (input.requestPrompt) parts.push(`${organizationHeading}\n${input.requestPrompt}`);
  const facts = [
    ...(input.today ? [`Today is ${input.today} (UTC).`] : []),
    ...(input.organization ? [`The organization is ${input.organization}.`] : []),
  ];
  if (facts.length > 0) parts.push(`${contextHeading}\n${facts.join(' ')}`);
  parts.push(fenceText.replaceAll('{mark}', input.fenceMark));
  return parts.join('\n\n');
}
