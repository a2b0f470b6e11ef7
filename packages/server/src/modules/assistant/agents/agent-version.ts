import { createHash } from 'node:crypto';
import type { AgentProperties } from './update-agent.ts';

/** What decides what an agent does. */
const telling = [
  'prompt',
  'tools',
  'execution_mode',
  'provider',
  'model',
  'allowed_actions',
  'allowed_blueprints',
] as const;

/** A digest of what an agent is told to do: equal only where all of it is. */
export function digestAgent(properties: AgentProperties): string {
  const told = telling.map((key) => properties[key] ?? null);
  return createHash('sha256').update(JSON.stringify(told)).digest('hex');
}
