import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { type Issue, pathSegments } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import { backendProblem, missingInBackend, readObject, type WrittenAction } from '../../parts/actions/stored-action.ts';
import type { ReadDraft } from '../../parts/definition/use-definition.ts';

export type Draft = WrittenAction<SelfServiceTrigger>;
export type Operation = SelfServiceTrigger['operation'];

export const emptyDraft: Draft = {
  identifier: '',
  title: '',
  publish: true,
  trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [], order: [] } },
  invocationMethod: { type: 'UPSERT_ENTITY', blueprintIdentifier: '', mapping: { properties: {} } },
};

/** A copy of an action with its own identifier. */
export function copyDraft(draft: Draft): Draft {
  const title = t('Copy of {title}', { title: draft.title || draft.identifier });
  return { ...draft, identifier: `${draft.identifier}_copy`, title };
}

const operations: readonly Operation[] = ['CREATE', 'DAY-2', 'DELETE'];

/** Parses a text as a draft, or says why it is not one. The server validates the contents. */
export function readDraft(text: string): ReadDraft<Draft> {
  const read = readObject(text, t('An action'));
  if ('problem' in read) return read;
  const { value } = read;
  if (typeof value['identifier'] !== 'string') return { problem: t('"identifier" must be a text') };
  const { trigger } = value;
  if (!isRecord(trigger) || trigger['type'] !== 'self-service') {
    return { problem: '"trigger" must be { "type": "self-service", "operation": …, "userInputs": … }' };
  }
  if (!operations.includes(trigger['operation'] as Operation)) {
    return { problem: t('"trigger.operation" must be one of {operations}', { operations: operations.join(', ') }) };
  }
  const problem = formProblem(trigger['userInputs']) ?? backendProblem(value['invocationMethod']);
  return problem === undefined ? { draft: value as unknown as Draft } : { problem };
}

/** Checks the shapes that the form relies on. */
function formProblem(form: unknown): string | undefined {
  if (!isRecord(form) || !isMapOfObjects(form['properties'])) {
    return t('"trigger.userInputs" must hold "properties", an object for each input');
  }
  const { properties, titles, order, steps, required } = form;
  if (!isNothing(titles) && !isMapOfObjects(titles)) return t('"titles" must hold an object for each heading');
  if (!isNothing(order) && !isTexts(order)) return t('"order" must be a list of texts');
  if (!isNothing(required) && !isTexts(required) && !isRecord(required)) {
    return '"required" must be a list of texts, or { "jqQuery": … }';
  }
  const hasSteps = Array.isArray(steps) && steps.every((step) => isRecord(step) && isOrder(step['order']));
  if (!isNothing(steps) && !hasSteps) return '"steps" must be a list of { "title": …, "order": [ … ] }';
  const wrong = Object.entries(properties as Record<string, Record<string, unknown>>).find(
    ([, { type, dependsOn }]) => typeof type !== 'string' || !isOrder(dependsOn),
  );
  return wrong && t('The input "{wrong}" needs a "type"; its "dependsOn" is a list of texts', { wrong: wrong[0] });
}

function isMapOfObjects(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isOrder(value: unknown): boolean {
  return isNothing(value) || isTexts(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The first missing part that prevents saving. */
export function missingIn({ title, identifier, trigger, invocationMethod }: Draft): string | undefined {
  if (identifier.trim() === '') return title?.trim() ? t('Enter an identifier.') : t('Enter a title.');
  const { blueprintIdentifier } = trigger;
  if ('condition' in trigger && trigger.condition && !blueprintIdentifier) {
    return t('Choose the blueprint whose entities the condition is about.');
  }
  const unnamed = (trigger.userInputs.steps ?? []).some(({ title }) => title.trim() === '');
  if (unnamed) return t('Every step needs a title.');
  return missingInBackend(invocationMethod);
}

/** Changes the operation; a condition only applies to operations on an existing entity. */
export function withOperation(trigger: SelfServiceTrigger, operation: Operation): SelfServiceTrigger {
  if (operation !== 'CREATE') return { ...trigger, operation };
  const { condition: _condition, ...rest } = trigger as SelfServiceTrigger & { condition?: unknown };
  return { ...rest, operation };
}

/** Changes the blueprint; a backend that writes entities of the same blueprint, or of none yet, follows. */
export function withBlueprint(draft: Draft, blueprint: string): Draft {
  const { trigger, invocationMethod } = draft;
  const { blueprintIdentifier: before = '', ...rest } = trigger;
  const changed = (blueprint === '' ? rest : { ...rest, blueprintIdentifier: blueprint }) as SelfServiceTrigger;
  const written = invocationMethod['blueprintIdentifier'];
  const follows = invocationMethod['type'] === 'UPSERT_ENTITY' && (written === '' || written === before);
  return {
    ...draft,
    trigger: changed,
    ...(follows ? { invocationMethod: { ...invocationMethod, blueprintIdentifier: blueprint } } : {}),
  };
}

export const tabs = ['basics', 'form', 'backend', 'approval', 'rights', 'json'] as const;
export type Tab = (typeof tabs)[number];

/** The tab that contains the place of an issue. */
export function issueTab({ path }: Issue): Tab {
  const [first, second] = pathSegments(path);
  if (first === 'invocationMethod') return 'backend';
  if (first === 'execute' || first === 'approve') return 'rights';
  if (['requiredApproval', 'approvalNotification', 'allowAnyoneToViewRuns'].includes(first ?? '')) return 'approval';
  return first === 'trigger' && second === 'userInputs' ? 'form' : 'basics';
}

/** The action with a backend that does nothing, so that its form can be tried before the backend is complete. */
export function formOnly(draft: Draft): Draft {
  return { ...draft, identifier: draft.identifier.trim() || 'not_saved_yet', invocationMethod: { type: 'KAFKA' } };
}
