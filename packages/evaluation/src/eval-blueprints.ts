import type { BlueprintBody } from '@portolan/contract/blueprints';
import { evalBlueprints } from '@portolan/contract/evaluation';

const cases: BlueprintBody = {
  identifier: evalBlueprints.cases,
  title: 'Evaluation case',
  description: 'A question whose right answer is known; "portolan eval" asks it',
  icon: 'AI',
  schema: {
    properties: {
      question: { type: 'string', title: 'Question', minLength: 1 },
      setup: {
        type: 'object',
        title: 'Setup',
        description: 'What is sent along: {"systemPrompt": …, "tools": […]}',
      },
      expect: {
        type: 'array',
        title: 'Expect',
        description: 'Graders; the answer is right if all of them pass',
        items: { type: 'object' },
        minItems: 1,
      },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    },
    required: ['question', 'expect'],
  },
  relations: {
    agent: {
      title: 'Agent',
      target: '_ai_agent',
      required: false,
      many: false,
      description: 'Who is asked; nobody: the assistant',
    },
  },
  ownership: { type: 'Direct' },
};

const number = (title: string, description?: string) => ({
  type: 'number' as const,
  title,
  ...(description ? { description } : {}),
});

const runs: BlueprintBody = {
  identifier: evalBlueprints.runs,
  title: 'Evaluation run',
  description: 'How one model, prompt or agent did on the cases; written by "portolan eval" and the screen',
  icon: 'AI',
  schema: {
    properties: {
      started_at: { type: 'string', title: 'Started', format: 'date-time' },
      run: { type: 'string', title: 'Run', description: 'Label _eval of its invocations' },
      variant: { type: 'string', title: 'Asked', description: 'Model, prompt and agent' },
      share: number('Right, share'),
      low: number('Share, at least', '95 % interval'),
      high: number('Share, at most', '95 % interval'),
      cases: number('Cases'),
      right: number('Right'),
      refused: number('Refused'),
      wrong: number('Wrong'),
      failed: number('Failed'),
      undecided: number('Cannot tell', 'A judge could not tell'),
      p50_ms: number('Time, median', 'Milliseconds'),
      p95_ms: number('Time, 95 %', 'Milliseconds'),
      cost_usd: number('Cost', 'US dollars; empty if it is not known'),
      results: { type: 'string', title: 'Results', format: 'markdown' },
    },
    required: ['started_at', 'variant'],
  },
  relations: {},
};

/** What `portolan eval init` makes, in this order. */
export const blueprintsOfEvaluation: readonly BlueprintBody[] = [cases, runs];
