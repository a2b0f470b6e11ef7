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
export type Plan<Result = Answer> = Generator<Ask, Result, Reply>;

export interface OfferedTool {
  readonly description: string;
  readonly inputSchema: unknown;
}

export type OfferedTools = ReadonlyMap<string, OfferedTool>;

/** What became of a question: an answer, a question back, or the sentence that there is none. */
export interface Answer {
  readonly outcome: 'answered' | 'asked' | 'refused';
  readonly text: string;
}

export function answered(text: string): Answer {
  return { outcome: 'answered', text };
}

export function asked(text: string): Answer {
  return { outcome: 'asked', text };
}

export function refused(reason: string): Answer {
  return { outcome: 'refused', text: `I did not answer this. ${reason}` };
}

/** Ends a plan from within: what was asked cannot be found out with the tools on offer. */
export class CannotAnswer extends Error {}

export function missing(...tools: string[]): string {
  const names = tools.map((tool) => `\`${tool}\``).join(' or ');
  return `I would need the tool ${names} for that, and it is not on offer in this request.`;
}

export function failure(tool: string, { content }: Reply): string {
  const message = (content as { message?: unknown } | null)?.message;
  return `I could not finish: \`${tool}\` answered: ${typeof message === 'string' ? message : 'an error'}.`;
}
