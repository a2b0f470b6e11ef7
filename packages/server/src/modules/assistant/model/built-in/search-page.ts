import { type EntityPage, readPage } from './catalog.ts';
import { CannotAnswer, failure, missing, type OfferedTools, type Plan } from './plan-steps.ts';

/** One call of `search_entities`. */
export function* searchPage(args: Readonly<Record<string, unknown>>, offered: OfferedTools): Plan<EntityPage> {
  return readPage(yield* callTool('search_entities', args, offered));
}

/** The content that a tool answers; ends the plan with a sentence if the tool is not on offer or fails. */
export function* callTool(name: string, args: Readonly<Record<string, unknown>>, offered: OfferedTools): Plan<unknown> {
  if (!offered.has(name)) throw new CannotAnswer(missing(name));
  const reply = yield { name, args };
  if (reply.isError) throw new CannotAnswer(failure(name, reply));
  return reply.content;
}
