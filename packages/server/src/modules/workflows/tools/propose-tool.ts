import { createHash } from 'node:crypto';
import type { WorkflowTest } from '@portolan/contract/workflow-test';
import { z } from 'zod';
import { definition } from '../../../platform/tools/definition.ts';
import { type ToolContext, type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import { proposalUrl } from '../drafts/draft-url.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { type ProposeDeps, proposeWorkflow, proposingName } from '../proposals/propose-workflow.ts';
import { howToWrite } from './how-to-write.ts';

const input = z.strictObject({
  goal: z.string().trim().min(1).max(1_000).describe('What it is for, as the person asked for it'),
  workflow: definition('The workflow; leave it out to learn how one is written').optional(),
  trigger: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('The trigger that the test begins at, where there are several'),
  sample: z.record(z.string(), z.json()).default({}).describe('Inputs of its form, or the event, for the test'),
  pinned: z
    .record(z.string().min(1).max(60), z.strictObject({ output: z.json().optional(), outlet: z.string().optional() }))
    .default({})
    .describe('By step: what those answer in the test that call others'),
  questions: z
    .array(z.string().trim().min(1).max(300))
    .max(10)
    .default([])
    .describe('What a person has to answer before it works, such as which secret it uses'),
});

/** Draws up a workflow with whoever asks. What comes of it is for people: the model gets no further than a proposal. */
export function proposeTool(deps: ProposeDeps): ToolDeclaration {
  return tool({
    name: proposingName,
    title: 'Propose a workflow',
    description:
      'Proposes a workflow of several steps, or a change of one, for a person to look at and save. It is checked and gone through with the sample; nothing runs, and nothing is saved. Call it without a workflow first, to learn how one is written.',
    effect: 'write',
    audience: 'developer',
    scope: 'create:actions',
    input,
    run: async (context, { goal, workflow, ...asked }) => {
      if (workflow === undefined) return { proposed: false, howToWrite };
      const made = await proposeWorkflow(deps, context, { goal, definition: workflow, ...asked });
      return tell(deps, context, made);
    },
  });
}

function tell(deps: ProposeDeps, { invocation, requestApproval }: ToolContext, made: Omit<Proposal, 'key'>) {
  const { id, identifier, goal, baseVersion, warnings, test } = made;
  const url = proposalUrl(deps, id);
  const expiresAt = made.expiresAt.toISOString();
  // clients of people ask about runs only
  if (invocation) {
    const inputsHash = `sha256:${createHash('sha256').update(JSON.stringify(made.definition)).digest('hex')}`;
    requestApproval?.({
      runId: id,
      action: identifier,
      entity: null,
      properties: { goal },
      inputsHash,
      url,
      expiresAt,
    });
  }
  return {
    proposed: true,
    proposal: id,
    workflow: identifier,
    ...(baseVersion === null ? {} : { changesVersion: baseVersion }),
    url,
    expiresAt,
    ...(warnings.length > 0 ? { warnings } : {}),
    test: test ? shortTest(test) : 'Not tested: the person who decides can do that',
  };
}

function shortTest({ ended, message, issues, steps }: WorkflowTest) {
  return {
    ended,
    ...(message === null ? {} : { message }),
    ...(issues.length > 0 ? { issues } : {}),
    steps: steps.map(({ node, status, message: said, outlet, waitingFor }) => ({
      node,
      status,
      ...(outlet === null ? {} : { outlet }),
      ...(waitingFor === null ? {} : { waitingFor }),
      ...(said === null ? {} : { message: said }),
    })),
  };
}
