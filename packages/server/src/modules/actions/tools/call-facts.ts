import type { ActionInput } from '@portolan/contract/action-inputs';
import type { StartRunBody } from '@portolan/contract/action-runs';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { isSameJson } from '../../../platform/same-json.ts';
import { parseAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallFacts, CallInput } from '../../../platform/tools/call-decision.ts';
import { findActor } from '../../accounts/index.ts';
import { actionBlueprint, approvalRule } from '../action.ts';
import { inputBlueprint, toIdentifiers } from '../inputs/form.ts';
import { mayApprove } from '../runs/run-rights.ts';
import { buildSubject } from '../runs/run-subject.ts';
import { type CheckedRun, checkRun, type StartDeps } from '../runs/start-run.ts';

/** A checked run of an action, as the rule for calls of assistants sees it. */
export function callFacts(
  deps: StartDeps,
  { orgId }: Pick<Actor, 'orgId'>,
  { action, values, entity }: CheckedRun,
  body: StartRunBody,
  hold: string | undefined,
): CallFacts {
  const { identifier, definition } = action;
  const blueprint = actionBlueprint(definition);
  const { properties } = definition.trigger.userInputs;
  return {
    kind: 'action',
    identifier,
    names: [identifier, ...(definition.title ? [definition.title] : [])],
    isDestructive: definition.trigger.operation === 'DELETE',
    entity: entity === null ? undefined : { blueprint: blueprint ?? '', identifier: entity },
    inputs: toCallInputs(properties, values, body.properties),
    action: { id: action.id, version: action.version },
    hold,
    needsApproval: approvalRule(definition) !== undefined,
    mayMake: async (author) => (await checkFor(author)) !== undefined,
    async mayGive(author) {
      const made = await checkFor(author);
      if (!made) return false;
      const { actor, checked } = made;
      const subject = await buildSubject(deps, actor, action, checked.entity, checked.values);
      return mayApprove(deps, actor, subject);
    },
  };

  /** The run as the author would make it; undefined if they may not. */
  async function checkFor(author: TextAuthor) {
    const who = parseAuthor(author);
    const actor = who && (await findActor(deps.database, orgId, who));
    if (!actor || !scopesCover(actor.scopes, 'execute:actions')) return undefined;
    return checkRun(deps, actor, action, body, true).then(
      (checked) => ({ actor, checked }),
      (error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      },
    );
  }
}

/** The values of a form, as the rule for calls sees them. */
export function toCallInputs(
  inputs: Readonly<Record<string, ActionInput>>,
  values: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): readonly CallInput[] {
  return Object.entries(values).map(([key, value]) => toCallInput(key, value, inputs[key], Object.hasOwn(given, key)));
}

function toCallInput(key: string, value: unknown, input: ActionInput | undefined, isGiven: boolean): CallInput {
  const isDefault = !isGiven || (input?.['default'] !== undefined && isSameJson(value, input['default']));
  if (isDefault) return { key, value, form: 'default' };
  const blueprint = input && inputBlueprint(input);
  if (blueprint !== undefined) return { key, value: toIdentifiers(value), form: 'entity', blueprint };
  return { key, value, form: input && isClosedInput(input, value) ? 'closed' : 'text' };
}

/** Values of a form's own list hold no words but its author's; an expression may have made other lists of anything. */
function isClosedInput(input: Pick<ActionInput, 'type' | 'enum' | 'format' | 'items'>, value: unknown): boolean {
  if (Array.isArray(value)) {
    const items = input.items as Pick<ActionInput, 'type' | 'enum' | 'format' | 'items'> | undefined;
    return value.every((each) => items !== undefined && isClosedInput(items, each));
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return true;
  if (Array.isArray(input.enum)) return input.enum.includes(value as never);
  return input.format === 'date-time' && typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
