import { type BlueprintInfo, readBlueprints } from './catalog.ts';
import type { Question } from './question.ts';

export interface Ask {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly isError: boolean;
  readonly content: unknown;
}

/**
 * A plan written as sequential code: it yields the calls it needs and returns the answer. The planner keeps no state
 * between steps; it restarts the plan and replays the replies from the conversation.
 */
export type Plan<Result = string> = Generator<Ask, Result, Reply>;

export interface OfferedTool {
  readonly description: string;
  readonly inputSchema: unknown;
}

export type OfferedTools = ReadonlyMap<string, OfferedTool>;

export function missing(...tools: string[]): string {
  const names = tools.map((tool) => `\`${tool}\``).join(' or ');
  return `I would need the tool ${names} for that, and it is not on offer in this request.`;
}

export function failure(tool: string, { content }: Reply): string {
  const message = (content as { message?: unknown } | null)?.message;
  return `I could not finish: \`${tool}\` answered: ${typeof message === 'string' ? message : 'an error'}.`;
}

/** All blueprints; an empty list if they cannot be listed, or a sentence about the error. */
export function* allBlueprints(offered: OfferedTools): Plan<BlueprintInfo[] | string> {
  if (!offered.has('list_blueprints')) return [];
  const reply = yield { name: 'list_blueprints', args: {} };
  return reply.isError ? failure('list_blueprints', reply) : readBlueprints(reply.content);
}

/** The answer if nothing was recognized: the kinds of questions that work. */
export function unknownAnswer(question: Question, blueprints: readonly BlueprintInfo[]): string {
  const known = blueprints.filter(({ identifier }) => !identifier.startsWith('_ai_')).slice(0, 20);
  const types = known.map(({ title, identifier }) => `${title ?? identifier}`).join(', ');
  const about = types ? `The catalog has these types of things: ${types}.` : '';
  const asked = question.text.length > 120 ? `${question.text.slice(0, 120)}…` : question.text;
  return `I found nothing in the catalog for “${asked}”. ${about}\n\n${examples}`.trim();
}

export const examples = [
  'Questions I understand look like these:',
  '',
  '- Which services have no owner?',
  '- How many services are written in Go?',
  '- Who owns billing-api?',
  '- Describe billing-api',
  '- Incidents of this week',
].join('\n');
