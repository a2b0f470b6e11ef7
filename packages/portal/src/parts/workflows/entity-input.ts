import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';

const people: Readonly<Record<string, string>> = { user: '_user', team: '_team' };

/** The blueprint whose entities an input takes, one or several; undefined if it takes something else. */
export function inputBlueprint(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const { format, blueprint, items } = input as Readonly<Record<string, unknown>>;
  if (format === 'entity') return typeof blueprint === 'string' ? blueprint : undefined;
  if (typeof format === 'string') return people[format];
  return isRecord(items) ? inputBlueprint({ blueprint, ...items }) : undefined;
}

export type StartForm = AnswerOf<'listSelfServiceTriggers'>['triggers'][number];

/** The input that takes the entity on whose page a form is offered; undefined where it is not. */
export function entityInput(
  { contexts, userInputs }: Pick<StartForm, 'contexts' | 'userInputs'>,
  blueprint: string,
): string | undefined {
  const properties = isRecord(userInputs['properties']) ? userInputs['properties'] : {};
  return contexts.flatMap(({ on, userInput }) => {
    if (on !== 'ENTITY' || typeof userInput !== 'string') return [];
    return inputBlueprint(properties[userInput]) === blueprint ? [userInput] : [];
  })[0];
}
