import type { Reader } from '../../../platform/db/database.ts';
import { listNamedUsers, requestersMayApprove } from '../../identity/index.ts';
import type { StoredAction } from '../action.ts';
import { grantOf } from '../action-rights.ts';
import { listRequesters } from './run.store.ts';
import type { StoredRun } from './run.ts';

/** Who may let a run go on. */
export interface Approvers {
  /** By address. Nobody who asked for the run is among them. */
  readonly users: readonly string[];
  /** Whether nobody who was named is left: then one administrator is enough. */
  readonly areAdministrators: boolean;
}

/**
 * Those who do not count as approvers of a run: whoever asked for it, or stands behind whoever asked. Nobody where the
 * organization lets requesters approve.
 */
export async function requestersOf(reader: Reader, orgId: string, { id }: StoredRun): Promise<ReadonlySet<string>> {
  if (await requestersMayApprove(reader, orgId)) return new Set();
  return new Set(await listRequesters(reader, orgId, id));
}

/**
 * The approvers of a run as they stand now: those whom lists name, or of whom its policy answered, without those who are
 * gone or disabled. Where none is left it is the administrators.
 */
export async function approversNow(
  reader: Reader,
  orgId: string,
  action: Pick<StoredAction, 'rights'>,
  /** What the policy answered; absent where there is none. */
  answered: readonly string[] | undefined,
  requesters: ReadonlySet<string>,
): Promise<Approvers> {
  const others = (users: readonly string[]): string[] => users.filter((each) => !requesters.has(each));
  const named = answered === undefined ? grantOf(action, 'approve') : { users: answered };
  const users = others(await listNamedUsers(reader, orgId, named));
  if (users.length > 0) return { users, areAdministrators: false };
  return { users: others(await listNamedUsers(reader, orgId, { roles: ['Admin'] })), areAdministrators: true };
}

/** Whether those who approved are enough, where all who may have to. */
export function haveAllApproved({ users, areAdministrators }: Approvers, approved: ReadonlySet<string>): boolean {
  if (areAdministrators) return users.some((each) => approved.has(each));
  return users.every((each) => approved.has(each));
}

/** Says what to do where nobody may approve. */
export function nobodyApproves({ actionIdentifier }: StoredRun): string {
  return `No person but those who asked for it may approve this run. Make somebody else an approver of the action "${actionIdentifier}" or an administrator, or let requesters approve in the settings of the organization`;
}
