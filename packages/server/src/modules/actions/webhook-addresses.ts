import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from './action.store.ts';

export interface WebhookAddress {
  readonly action: string;
  readonly isAutomation: boolean;
  /** As written, with its templates. */
  readonly url: string;
}

export async function listWebhookAddresses(reader: Reader, orgId: string): Promise<WebhookAddress[]> {
  const actions = await listActionRows(reader, orgId);
  return actions.flatMap(({ identifier, definition: { invocationMethod, trigger } }) =>
    invocationMethod.type === 'WEBHOOK'
      ? [{ action: identifier, isAutomation: trigger.type === 'automation', url: invocationMethod.url }]
      : [],
  );
}

export async function listActionIdentifiers(reader: Reader, orgId: string): Promise<Set<string>> {
  return new Set((await listActionRows(reader, orgId)).map(({ identifier }) => identifier));
}
