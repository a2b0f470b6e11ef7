import { z } from 'zod';
import { jqQuery, userInputs } from './action-inputs.ts';

/** A rule over the whole form; its message is shown where the expression is not `true`. */
const validation = z.looseObject({ constraint: z.string().min(1).max(10_000), message: z.string().min(1).max(100) });
const validations = z.array(validation).max(10).nullish();

const step = z.looseObject({
  title: z.string().min(1).max(200),
  order: z.array(z.string()),
  visible: z.union([z.boolean(), jqQuery]).nullish(),
  validations,
});

/** The form of a `SELF_SERVE_TRIGGER`: that of actions, with rules over the whole form. */
export const workflowForm = userInputs.extend({ steps: z.array(step).nullish(), validations }).loose();
export type WorkflowForm = z.output<typeof workflowForm>;

const button = z.looseObject({
  identifier: z.string().min(1).max(60),
  label: z.string().min(1).max(100),
  variant: z.enum(['PRIMARY', 'SECONDARY', 'DANGER']).nullish(),
  icon: z.string().max(200).nullish(),
});

/** The form of an `INPUT`, with the buttons that end it. */
export const inputForm = workflowForm.extend({
  properties: workflowForm.shape.properties.default({}),
  buttons: z.array(button).max(20),
});
