import { type ActionInput, jqQuery, type UserInputs } from '@portolan/contract/action-inputs';
import type { Actor } from '../../../platform/actor.ts';
import { mayReadAt } from '../../../platform/expression-reads.ts';
import type { TextAuthor } from '../../../platform/text-authors.ts';
import { createTextsRead, type TextsRead } from '../../../platform/texts-read.ts';
import { type FormContext, inputBlueprint, type Values } from './form.ts';

type Member = keyof FormContext;

/** Members of what expressions of a form read that nobody wrote as a text. */
const facts: { readonly [Each in Member]: ReadonlySet<string> } = {
  form: new Set(),
  entity: new Set(),
  user: new Set(['userId', 'email', 'identifier', 'picture', 'mainRole']),
};
const members = Object.keys(facts) as readonly Member[];

/** The authors of what expressions of a form are given. */
export type FormTexts = { readonly [Each in Member]: TextsRead };

export function createFormTexts({ textsRead }: Pick<Actor, 'textsRead'>): FormTexts {
  return {
    form: createTextsRead(textsRead),
    entity: createTextsRead(textsRead),
    user: createTextsRead(textsRead),
  };
}

/** Whether a form makes values of texts: its own entity's, those of entities among its inputs, or the person's. */
export function computesOfTexts(form: UserInputs): boolean {
  return members.some((member) => usesMember(form, member));
}

export function usesMember({ properties }: UserInputs, member: Member): boolean {
  return Object.values(properties).some((input) => isMadeOf(input, member));
}

/**
 * Authors of the values beside whoever sends them: of what the form computed them or their choices of, and of entities
 * that they name. Whether a person changed what was computed, nobody knows.
 */
export function listComputedAuthors({ properties }: UserInputs, values: Values, texts: FormTexts): TextAuthor[] {
  const made = Object.entries(properties).flatMap(([key, input]) => (values[key] == null ? [] : [input]));
  return members.flatMap((member) => {
    const authors = [...texts[member].places.keys()];
    return authors.length > 0 && made.some((input) => isMadeOf(input, member)) ? authors : [];
  });
}

function isMadeOf(input: ActionInput, member: Member): boolean {
  if (member === 'form' && inputBlueprint(input) !== undefined) return true;
  return listQueries(input).some((query) => mayReadAt(query, [member], facts[member]));
}

/** The expressions whose results become values. */
function listQueries(input: ActionInput): string[] {
  const { enum: ofItems } = (input.items ?? {}) as { readonly enum?: unknown };
  return [input['default'], input['enum'], ofItems].flatMap((written) => {
    const query = jqQuery.safeParse(written);
    return query.success ? [query.data.jqQuery] : [];
  });
}
