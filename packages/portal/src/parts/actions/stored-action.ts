import type { InvocationMethod } from '@portolan/contract/invocation-method';
import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';

/** An action or automation, as it is answered. */
export type StoredAction = AnswerOf<'getAction'>['action'];

/** A backend while it is written: its kind, and whatever was filled in. */
export type Backend = { readonly type: InvocationMethod['type'] } & Readonly<Record<string, unknown>>;

/** What people write of an action; keys that a form does not know stay. */
export type WrittenAction<Trigger> = Omit<
  StoredAction,
  'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | 'trigger' | 'invocationMethod'
> & {
  readonly trigger: Trigger;
  readonly invocationMethod: Backend;
};

/** What was written of a stored one. */
export function toWritten<Trigger>(action: StoredAction): WrittenAction<Trigger> {
  const { id, createdAt, createdBy, updatedAt, updatedBy, ...written } = action;
  return written as unknown as WrittenAction<Trigger>;
}

/** The object that a text means, or why it is none. */
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
  return isRecord(value) ? { value } : { problem: `${what} is an object` };
}

const backendWords: Readonly<Record<InvocationMethod['type'], string>> = {
  WEBHOOK: 'Webhook',
  UPSERT_ENTITY: 'Entity',
  GITHUB: 'GitHub workflow',
  GITLAB: 'GitLab pipeline',
  AZURE_DEVOPS: 'Azure DevOps pipeline',
  KAFKA: 'Kafka topic',
  INTEGRATION_ACTION: 'Integration',
};

/** Why this is no backend; undefined where it is one. */
export function backendProblem(method: unknown): string | undefined {
  if (isRecord(method) && Object.hasOwn(backendWords, String(method['type']))) return undefined;
  return `"invocationMethod.type" must be one of ${Object.keys(backendWords).join(', ')}`;
}

/** What it does, in words. */
export function backendName(method: unknown): string {
  const { type, url } = (isRecord(method) ? method : {}) as Readonly<Record<string, unknown>>;
  if (type === 'WEBHOOK' && isAiAddress(url)) return 'Asks the assistant or an agent';
  return backendWords[type as InvocationMethod['type']] ?? String(type ?? '');
}

/** An address of the platform at which agents and the assistant are asked. */
export function isAiAddress(url: unknown): boolean {
  return typeof url === 'string' && /\/v1\/(agent(\/[^/?]+)?|ai)\/invoke(\?|$)/.test(url);
}

/** What a backend lacks, in the words of the server's issues. */
export function missingInBackend(backend: Backend): string | undefined {
  if (backend.type === 'WEBHOOK' && !backend['url']) return 'The webhook needs an address.';
  if (backend.type === 'UPSERT_ENTITY' && !backend['blueprintIdentifier']) {
    return 'Choose the blueprint that is written.';
  }
  return undefined;
}
