import { insertChecked, systemBlueprintsOf } from './modules/blueprints/index.ts';
import type { Organization } from './modules/identity/index.ts';
import type { Work } from './platform/unit-of-work.ts';

/** Every organization is born with the system blueprints of its model, in the transaction that makes it. */
export async function furnishOrganization(work: Work, organization: Organization): Promise<void> {
  for (const blueprint of systemBlueprintsOf(organization.model)) await insertChecked(work, blueprint, true);
}
