import type { ExecutionMode } from '@portolan/contract';
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
  /** Whether tools that execute actions are offered. */
  readonly hasActionTools: boolean;
  readonly fenceMark: string;
  /** The date of today, `YYYY-MM-DD`, UTC. */
  readonly today: string;
  readonly organization?: string;
  /** The prompt of the agent that runs. */
  readonly agentPrompt?: string;
  /** `systemPrompt` of the request. */
  readonly requestPrompt?: string;
}

/** The system prompt of a run: our own part first and last, what others wrote in between under its own heading. */
export function buildSystemPrompt(input: SystemPromptInput): string {
  const parts = [basePrompt];
  if (input.hasActionTools) parts.push(input.executionMode === 'Automatic' ? automaticText : approvalText);
  if (input.agentPrompt) parts.push(`${agentHeading}\n${input.agentPrompt}`);
  if (input.requestPrompt) parts.push(`${organizationHeading}\n${input.requestPrompt}`);
  const where = input.organization ? ` The organization is ${input.organization}.` : '';
  parts.push(`${contextHeading}\nToday is ${input.today} (UTC).${where}`);
  parts.push(fenceText.replaceAll('{mark}', input.fenceMark));
  return parts.join('\n\n');
}
