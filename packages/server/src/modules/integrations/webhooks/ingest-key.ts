import { newId } from '../../../platform/ids.ts';

const ofOrganization = 16;
const prefix = 'org_';

/**
 * The secret part of a webhook's address. Its first half names the organization, so that a request needs no search
 * across organizations; the second half is random.
 */
export function newIngestKey(orgId: string): string {
  return newId(orgId.slice(prefix.length));
}

/** The organization of a key; undefined if the key is malformed. */
export function readOrganizationId(ingestKey: string): string | undefined {
  return /^[A-Za-z0-9]{32}$/.test(ingestKey) ? prefix + ingestKey.slice(0, ofOrganization) : undefined;
}
