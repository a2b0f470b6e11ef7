import { isThisMachine } from '../../platform/http/this-machine.ts';
import type { ChecklistDeps } from './checklist.deps.ts';
import { holdsFirstPassword } from './checklist.store.ts';

/** What an installation has to have before others rely on it. */
export interface Safety {
  /** Nobody signs in with the password of the first start any more. */
  readonly hasOwnPasswords: boolean;
  /** The data is in a PostgreSQL that is backed up by its own tools, and not in files beside the process. */
  readonly hasDatabase: boolean;
  /** Others can open the address that stands in links and callbacks. */
  readonly hasPublicUrl: boolean;
}

export async function findSafety(
  { database, publicUrl }: Pick<ChecklistDeps, 'database' | 'publicUrl'>,
  orgId: string,
): Promise<Safety> {
  return {
    hasOwnPasswords: !(await holdsFirstPassword(database, orgId)),
    hasDatabase: database.engine.kind !== 'embedded',
    hasPublicUrl: !isThisMachine(new URL(publicUrl())),
  };
}
