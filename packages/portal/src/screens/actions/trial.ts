import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { type FormValues, withoutSecrets } from '../../parts/form-model.ts';
import type { Draft } from './action-draft.ts';

/** The data to try the form with, shared by all tabs and never stored. */
export interface Sample {
  readonly typed: FormValues;
  readonly entity: string | undefined;
  readonly setTyped: (typed: FormValues) => void;
  readonly setEntity: (entity: string | undefined) => void;
}

export function useSample(): Sample {
  const [typed, setTyped] = useState<FormValues>({});
  const [entity, setEntity] = useState<string>();
  return { typed, entity, setTyped, setEntity };
}

/** Evaluates the unsaved action with the sample on the server. */
export function useTrial(
  draft: Draft,
  { typed, entity }: Sample,
  { permissions, user, isOn = true }: { permissions?: object | undefined; user?: string | undefined; isOn?: boolean },
): UseQueryResult<AnswerOf<'testForm'>> {
  const { userInputs } = draft.trigger;
  // the server would refuse inputs that no longer exist
  const known = Object.fromEntries(Object.entries(typed).filter(([key]) => Object.hasOwn(userInputs.properties, key)));
  const acts = draft.trigger.operation !== 'CREATE' && entity !== undefined;
  const body = {
    action: draft,
    properties: withoutSecrets(userInputs, known),
    ...(acts ? { entity } : {}),
    ...(permissions ? { permissions } : {}),
    ...(user ? { user } : {}),
  };
  // compared as text, so that equal bodies do not restart the debounce; empty while nothing can be tried
  const [settled] = useDebouncedValue(isOn ? JSON.stringify(body) : '', 300);
  return useRead(
    'testForm',
    { body: settled === '' ? {} : JSON.parse(settled) },
    {
      keepsPrevious: true,
      isOn: isOn && settled !== '',
    },
  );
}
