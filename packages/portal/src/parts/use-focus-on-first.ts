import type { FormState } from '@portolan/contract/action-forms';
import type { UserInputs } from '@portolan/contract/action-inputs';
import { useEffect, useRef } from 'react';
import { fieldId } from './form-field.tsx';
import { isUnset, listFormSections } from './form-model.ts';

/**
 * Gives the focus to the first input that needs a value and has none, once the form is there, and only while nobody has
 * moved the focus. Not on a phone, where it would raise the keyboard over the form.
 */
export function useFocusOnFirst(state: FormState | undefined, form: UserInputs): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!state || isDone.current) return;
    isDone.current = true;
    const isFree = document.activeElement?.matches('body, main') ?? true;
    const input = isFree && matchMedia('(pointer: fine)').matches ? firstOpen(state, form) : undefined;
    if (input !== undefined) document.getElementById(fieldId(input))?.focus();
  }, [state, form]);
}

function firstOpen(state: FormState, form: UserInputs): string | undefined {
  const items = listFormSections(form, state).flatMap((section) => section.items);
  return items.find(({ kind, key }) => {
    const input = kind === 'input' ? state.inputs[key] : undefined;
    return input?.isRequired && !input.isDisabled && isUnset(state.values[key]);
  })?.key;
}
