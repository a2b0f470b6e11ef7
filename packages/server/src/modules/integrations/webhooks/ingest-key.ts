import { newId } from '../../../platform/ids.ts';

const ofOrganization = 16;
const prefix = 'org_';

/**
 * The secret part of a webhook's address. It begins with the organization, so that a request finds it without a list of
 * all; the other half cannot be guessed.
 */
export function newIngestKey(orgId: string): string {
  return newId(orgId.slice(prefix.length));
}

/** The organization of a key; undefined for what is no key. */
export function readOrganizationId(ingestKey: string): string | undefined {
  return /^[A-Za-z0-9]{32}$/.test(ingestKey) ? prefix + ingestKey.slice(0, ofOrganization) : undefined;
}
