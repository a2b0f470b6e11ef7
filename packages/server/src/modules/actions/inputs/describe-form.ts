import type { FormState, InputState } from '@portolan/contract/action-forms';
import { jqQuery, type UserInputs } from '@portolan/contract/action-inputs';
import type { EvaluationTime } from '../../../platform/evaluation-time.ts';
import { parseDataset } from './entity-inputs.ts';
import { type FormContext, read } from './form.ts';
import { resolveLimit, resolveRequired, visibility } from './resolve-inputs.ts';

type Description = Pick<FormState, 'inputs' | 'hiddenSteps' | 'hiddenTitles'>;

export function describeForm(form: UserInputs, context: FormContext, time: EvaluationTime): Description {
  const isShown = visibility(form, context, time);
  const required = new Set(resolveRequired(form, context, time));
  const worth = (value: unknown): unknown => {
    const query = jqQuery.safeParse(value);
    return query.success ? read(query.data.jqQuery, context, time) : value;
  };
  const inputs = Object.entries(form.properties).map(([key, input]): [string, InputState] => {
    const choices = resolveLimit(input, 'enum', context, time);
    const pattern = resolveLimit(input, 'pattern', context, time);
    const least = resolveLimit(input, 'minItems', context, time);
    const most = resolveLimit(input, 'maxItems', context, time);
    const dataset = input.dataset ? parseDataset(input.dataset, context, time) : undefined;
    return [
      key,
      {
        isVisible: isShown(key),
        isDisabled: worth(input.disabled) === true,
        isRequired: required.has(key),
        ...(Array.isArray(choices) ? { enum: choices.filter(isChoice) } : {}),
        ...(typeof pattern === 'string' ? { pattern } : {}),
        ...(typeof least === 'number' ? { minItems: least } : {}),
        ...(typeof most === 'number' ? { maxItems: most } : {}),
        // the value comes from JSON and jq
        ...(dataset ? { dataset: dataset as unknown as NonNullable<InputState['dataset']> } : {}),
      },
    ];
  });
  return {
    inputs: Object.fromEntries(inputs),
    hiddenSteps: (form.steps ?? []).flatMap(({ visible }, index) => (worth(visible) === false ? [index] : [])),
    hiddenTitles: Object.entries(form.titles ?? {}).flatMap(([key, { visible }]) =>
      worth(visible) === false ? [key] : [],
    ),
  };
}

function isChoice(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
