import type { Reader } from '../../../platform/db/database.ts';
import { listNamedUsers } from '../../accounts/index.ts';
import { requestersMayApprove } from '../../identity/index.ts';
import type { StoredAction } from '../action.ts';
import { actionGrant } from '../action-rights.ts';
import { listRequesters } from './run.store.ts';
import type { StoredRun } from './run.ts';

/** The people who may approve a run. */
export interface Approvers {
  /** Addresses, without the requesters. */
  readonly users: readonly string[];
  /** True if no named approver is left: then one administrator is enough. */
  readonly areAdministrators: boolean;
}

/**
 * People who do not count as approvers: the requester and those the requester acted for. Empty if the organization lets
 * requesters approve.
 */
export async function findRequesters(reader: Reader, orgId: string, { id }: StoredRun): Promise<ReadonlySet<string>> {
  if (await requestersMayApprove(reader, orgId)) return new Set();
  return new Set(await listRequesters(reader, orgId, id));
}

/**
 * The current approvers: those named by the lists or by the policy, without deleted and disabled users; administrators
 * if none is left.
 */
export async function approversNow(
  reader: Reader,
  orgId: string,
  action: Pick<StoredAction, 'rights'>,
  /** Approvers named by the policy; undefined without a policy. */
  answered: readonly string[] | undefined,
  requesters: ReadonlySet<string>,
): Promise<Approvers> {
  const others = (users: readonly string[]): string[] => users.filter((each) => !requesters.has(each));
  const named = answered === undefined ? actionGrant(action, 'approve') : { users: answered };
  const users = others(await listNamedUsers(reader, orgId, named));
  if (users.length > 0) return { users, areAdministrators: false };
  return { users: others(await listNamedUsers(reader, orgId, { roles: ['Admin'] })), areAdministrators: true };
}

/** True if the approvals suffice where all must approve. */
export function haveAllApproved({ users, areAdministrators }: Approvers, approved: ReadonlySet<string>): boolean {
  if (areAdministrators) return users.some((each) => approved.has(each));
  return users.every((each) => approved.has(each));
}

/** The log message if there is no possible approver, with the remedy. */
export function nobodyApproves({ actionIdentifier }: StoredRun): string {
  return `No person but those who asked for it may approve this run. Make somebody else an approver of the action "${actionIdentifier}" or an administrator, or let requesters approve in the settings of the organization`;
}
