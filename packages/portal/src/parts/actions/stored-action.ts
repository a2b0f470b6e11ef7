import type { InvocationMethod } from '@portolan/contract/invocation-method';
import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

/** An action or automation, as the API returns it. */
export type StoredAction = AnswerOf<'getAction'>['action'];

/** A backend that is being edited: its type and the fields filled in so far. */
export type Backend = { readonly type: InvocationMethod['type'] } & Readonly<Record<string, unknown>>;

/** The writable part of an action; keys unknown to the form are kept. */
export type WrittenAction<Trigger> = Omit<
  StoredAction,
  'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | 'trigger' | 'invocationMethod'
> & {
  readonly trigger: Trigger;
  readonly invocationMethod: Backend;
};

/** The writable part of a stored action. */
export function toWritten<Trigger>(action: StoredAction): WrittenAction<Trigger> {
  const { id, createdAt, createdBy, updatedAt, updatedBy, ...written } = action;
  return written as unknown as WrittenAction<Trigger>;
}

/** Parses a text as an object, or says why it is not one. */
export function readObject(
  text: string,
  what: string,
): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  return isRecord(value) ? { value } : { problem: t('{what} is an object', { what }) };
}

const backendWords: Readonly<Record<InvocationMethod['type'], string>> = {
  WEBHOOK: t('Webhook'),
  UPSERT_ENTITY: t('Entity'),
  GITHUB: 'GitHub workflow',
  GITLAB: 'GitLab pipeline',
  AZURE_DEVOPS: t('Azure DevOps pipeline'),
  KAFKA: t('Kafka topic'),
  INTEGRATION_ACTION: t('Integration'),
};

/** Why this is not a valid backend; undefined if it is. */
export function backendProblem(method: unknown): string | undefined {
  if (isRecord(method) && Object.hasOwn(backendWords, String(method['type']))) return undefined;
  return t('"invocationMethod.type" must be one of {keys}', { keys: Object.keys(backendWords).join(', ') });
}

/** The backend in words. */
export function backendName(method: unknown): string {
  const { type, url } = (isRecord(method) ? method : {}) as Readonly<Record<string, unknown>>;
  if (type === 'WEBHOOK' && isAiAddress(url)) return t('Asks the assistant or an agent');
  return backendWords[type as InvocationMethod['type']] ?? String(type ?? '');
}

/** Whether a URL is a platform address that asks an agent or the assistant. */
export function isAiAddress(url: unknown): boolean {
  return typeof url === 'string' && /\/v1\/(agent(\/[^/?]+)?|ai)\/invoke(\?|$)/.test(url);
}

/** The first missing field of a backend, worded like a server issue. */
export function missingInBackend(backend: Backend): string | undefined {
  if (backend.type === 'WEBHOOK' && !backend['url']) return t('The webhook needs an address.');
  if (backend.type === 'UPSERT_ENTITY' && !backend['blueprintIdentifier']) {
    return t('Choose the blueprint that is written.');
  }
  return undefined;
}
