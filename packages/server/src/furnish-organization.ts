import { agentSchemaAt } from './modules/assistant/index.ts';
import { insertChecked, systemBlueprintsOf } from './modules/blueprints/index.ts';
import { cutoverOf, type Organization } from './modules/organizations/index.ts';
import { createPageKeeper } from './modules/pages/index.ts';
import type { Work } from './platform/unit-of-work.ts';

/** Every organization is born with the system blueprints of its model and their pages, in the transaction that makes it. */
export async function furnishOrganization(work: Work, organization: Organization): Promise<void> {
  const pages = createPageKeeper();
  const { stage } = cutoverOf(organization.cutover, work.now);
  for (const body of systemBlueprintsOf(organization.model, agentSchemaAt(stage))) {
    await pages.addCatalogPage(work, await insertChecked(work, body, true));
  }
}
