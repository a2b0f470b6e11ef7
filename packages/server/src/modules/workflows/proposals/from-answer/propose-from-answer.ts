import type { Actor } from '../../../../platform/actor.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { TextAuthor } from '../../../../platform/text-authors.ts';
import { line } from '../../../actions/index.ts';
import type { Proposal } from '../proposal.ts';
import { type ProposeDeps, proposeWorkflow } from '../propose-workflow.ts';
import { drawUpWorkflow } from './draw-up-workflow.ts';
import type { RecordedCall } from './drawn-call.ts';
import { nameCalls } from './name-calls.ts';

/** A past answer of the assistant, as far as a workflow can be drawn up of it. */
export interface PastAnswer {
  readonly invocation: string;
  readonly question: string;
  /** Of everything that it read. */
  readonly authors: readonly TextAuthor[];
  readonly calls: readonly RecordedCall[];
}

/**
 * Proposes a workflow that does again what an answer did, in the name of whoever asks for that. It is a proposal like
 * one of a tool: nothing comes of it before somebody with the right accepts it, and the authors of what the answer
 * had read stay with it.
 * @throws AppError `invalid_request` if no step can be made of it, and as proposing a workflow
 */
export async function proposeFromAnswer(
  deps: ProposeDeps,
  actor: Actor,
  { invocation, question, authors, calls }: PastAnswer,
): Promise<Omit<Proposal, 'key'>> {
  const title = line(question, 100) || 'An answer of the assistant';
  const drawn = drawUpWorkflow(
    { identifier: toIdentifier(title, invocation), title },
    await nameCalls(deps, actor, calls),
  );
  if (drawn.steps === 0) {
    throw new AppError('invalid_request', 'The answer called nothing that a step of a workflow does');
  }
  return proposeWorkflow(
    deps,
    { actor, signal: new AbortController().signal },
    {
      goal: question.trim().slice(0, 1_000) || title,
      definition: drawn.definition,
      sample: drawn.sample as never,
      pinned: {},
      questions: drawn.questions,
      origin: { invocation, authors },
    },
  );
}

/** The same for the same answer, so that asking again takes the place of what was drawn up before. */
function toIdentifier(title: string, invocation: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  return `${words || 'answer'}_${invocation.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)}`;
}
