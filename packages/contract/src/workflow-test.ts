import { z } from 'zod';
import { operation } from './operation.ts';

/** What a step that calls others is to answer. */
const pinned = z.object({
  output: z.json().optional(),
  /** Of an `INPUT`: the button that is pressed. */
  outlet: z.string().min(1).max(60).optional(),
});

const testBody = z.object({
  definition: z.record(z.string(), z.json()),
  /** The trigger to begin at; needed where there are several. */
  trigger: z.string().min(1).max(60).optional(),
  /** Inputs of the form, or the event. */
  sample: z.record(z.string(), z.json()).default({}),
  /** The step that is to fail, so that what undoes the steps before it is gone through. */
  failAt: z.string().min(1).max(60).optional(),
  /** By node. */
  pinned: z.record(z.string().min(1).max(60), pinned).default({}),
});
export type WorkflowTestBody = z.output<typeof testBody>;

const testedChange = z.object({
  action: z.string(),
  blueprint: z.string().nullable(),
  identifier: z.string(),
  before: z.json(),
  after: z.json(),
});

const testedStep = z.object({
  node: z.string(),
  title: z.string().nullable(),
  type: z.string(),
  status: z.enum(['SUCCESS', 'FAILED', 'WAITS']),
  /** Where the output comes from: the step itself, what was pinned, its last run, or nowhere. */
  from: z.enum(['step', 'pinned', 'last-run', 'nothing']),
  /** The rendered request or form, with secrets masked. */
  input: z.json(),
  output: z.json(),
  outlet: z.string().nullable(),
  message: z.string().nullable(),
  waitingFor: z.string().nullable(),
  /** What it would write; all of it was taken back. */
  changes: z.array(testedChange),
});
export type TestedStep = z.output<typeof testedStep>;

/** What would undo a step, and which. */
const testedCompensation = testedStep.extend({ compensates: z.string() });
export type TestedCompensation = z.output<typeof testedCompensation>;

export const workflowTestResult = z.object({
  trigger: z.string(),
  /** The inputs as a run would begin with them. */
  inputs: z.record(z.string(), z.json()),
  /** `NOT_STARTED` where the form or the condition of the trigger refuses the sample. */
  ended: z.enum(['SUCCESS', 'FAILED', 'WAITS', 'NOT_STARTED']),
  message: z.string().nullable(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  steps: z.array(testedStep),
  /** Of a test that fails: what would be undone, in this order. Not in tests of before. */
  compensations: z.array(testedCompensation).optional(),
});
export type WorkflowTest = z.output<typeof workflowTestResult>;

export const testWorkflow = operation({
  id: 'testWorkflow',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/workflows/test',
  tag: 'Workflows',
  summary: 'Go through a workflow with a sample, without saving it and without a trace',
  description:
    'Steps that call others are not carried out: they answer what is pinned, or what they answered last. Steps that write here are carried out one by one and taken back; later steps that read and write entities find what earlier ones wrote, and nobody else does. `failAt` names a step that is to fail: where a test fails, `compensations` tells what would be undone, in which order and with which inputs. Faults are told as where a workflow is saved.',
  access: 'admin',
  scope: 'create:actions',
  body: testBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), test: workflowTestResult }),
  errors: ['invalid_workflow'],
});

export const workflowTestOperations = [testWorkflow] as const;
