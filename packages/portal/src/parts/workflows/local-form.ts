import type { FormState, InputState } from '@portolan/contract/action-forms';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import { type FormValues, isUnset } from '../form-model.ts';

interface Evaluation {
  /** Evaluates an expression over the typed values; undefined if it fails. */
  readonly evaluate: (expression: string) => unknown;
}

/**
 * The state of a form that belongs to a run: what shows, defaults, and what is missing. Expressions see the typed values
 * as `.form`. The server decides when the form is sent.
 */
export async function evaluateHere(form: UserInputs, typed: FormValues): Promise<FormState> {
  const { compile, replaceSingleQuotes } = await import('@portolan/jq');
  const values: Record<string, unknown> = { ...typed };
  const evaluation: Evaluation = {
    evaluate: (expression) => {
      try {
        const [first] = compile(replaceSingleQuotes(expression)).run({ form: values, inputs: values } as never);
        return first;
      } catch {
        return undefined;
      }
    },
  };
  for (const [key, input] of Object.entries(form.properties)) {
    const standard = resolve(input['default'], evaluation);
    if (!(key in typed) && standard !== undefined && standard !== null) values[key] = standard;
  }
  const required = resolve(form.required, evaluation);
  const names = new Set(Array.isArray(required) ? required.map(String) : []);
  const inputs = Object.fromEntries(
    Object.entries(form.properties).map(([key, input]) => [key, inputState(input, names.has(key), evaluation)]),
  );
  const issues = Object.entries(inputs).flatMap(([key, { isVisible, isRequired }]) =>
    isVisible && isRequired && isUnset(values[key]) ? [{ path: `/properties/${key}`, message: t('is required') }] : [],
  );
  const isHidden = (visible: unknown) => resolve(visible, evaluation) === false;
  return {
    values: values as FormState['values'],
    inputs,
    hiddenSteps: (form.steps ?? []).flatMap(({ visible }, index) => (isHidden(visible) ? [index] : [])),
    hiddenTitles: Object.entries(form.titles ?? {}).flatMap(([key, { visible }]) => (isHidden(visible) ? [key] : [])),
    issues,
    mayRun: true,
  };
}

function inputState(input: ActionInput, isRequired: boolean, evaluation: Evaluation): InputState {
  const choices = resolve(input.enum, evaluation);
  return {
    isVisible: resolve(input.visible, evaluation) !== false,
    isDisabled: resolve(input.disabled, evaluation) === true,
    isRequired,
    ...(Array.isArray(choices) ? { enum: choices as (string | number)[] } : {}),
    ...(input.dataset ? { dataset: input.dataset as NonNullable<InputState['dataset']> } : {}),
  };
}

/** A value, or what its expression gives. */
function resolve(value: unknown, { evaluate }: Evaluation): unknown {
  return isRecord(value) && typeof value['jqQuery'] === 'string' ? evaluate(value['jqQuery']) : value;
}
