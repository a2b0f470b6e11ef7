import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from './action.store.ts';

/** An action or automation that calls an address. */
export interface WebhookAddress {
  readonly action: string;
  readonly isAutomation: boolean;
  /** As it was written, templates and all. */
  readonly url: string;
}

/** The addresses that actions and automations of an organization call. */
export async function listWebhookAddresses(reader: Reader, orgId: string): Promise<WebhookAddress[]> {
  const actions = await listActionRows(reader, orgId);
  return actions.flatMap(({ identifier, definition: { invocationMethod, trigger } }) =>
    invocationMethod.type === 'WEBHOOK'
      ? [{ action: identifier, isAutomation: trigger.type === 'automation', url: invocationMethod.url }]
      : [],
  );
}

/** The identifiers of all actions and automations of an organization. */
export async function listActionIdentifiers(reader: Reader, orgId: string): Promise<Set<string>> {
  return new Set((await listActionRows(reader, orgId)).map(({ identifier }) => identifier));
}
