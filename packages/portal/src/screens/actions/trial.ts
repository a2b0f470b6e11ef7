import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { type FormValues, withoutSecrets } from '../../parts/form-model.ts';
import type { Draft } from './action-draft.ts';

/** What the form is tried with, on every tab: nothing of it is stored. */
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

/** Asks the server what the action, as it is written, would come to with the sample. */
export function useTrial(
  draft: Draft,
  { typed, entity }: Sample,
  { permissions, user, isOn = true }: { permissions?: object | undefined; user?: string | undefined; isOn?: boolean },
): UseQueryResult<AnswerOf<'testForm'>> {
  const { userInputs } = draft.trigger;
  // what is no input any more would be refused
  const known = Object.fromEntries(Object.entries(typed).filter(([key]) => Object.hasOwn(userInputs.properties, key)));
  const acts = draft.trigger.operation !== 'CREATE' && entity !== undefined;
  const body = {
    action: draft,
    properties: withoutSecrets(userInputs, known),
    ...(acts ? { entity } : {}),
    ...(permissions ? { permissions } : {}),
    ...(user ? { user } : {}),
  };
  // as text, since what says the same is the same; what cannot be tried yet is not what somebody rested at
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
