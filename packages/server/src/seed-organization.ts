import { agentSchemaAt } from './modules/assistant/index.ts';
import { insertChecked, listSystemBlueprints } from './modules/blueprints/index.ts';
import { currentCutover, type Organization } from './modules/organizations/index.ts';
import { createPageListener } from './modules/pages/index.ts';
import type { Work } from './platform/unit-of-work.ts';

/** Every organization is born with the system blueprints of its model and their pages, in the transaction that makes it. */
export async function seedOrganization(work: Work, organization: Organization): Promise<void> {
  const pages = createPageListener();
  const { stage } = currentCutover(organization.cutover, work.now);
  for (const body of listSystemBlueprints(organization.model, agentSchemaAt(stage))) {
    await pages.addCatalogPage(work, await insertChecked(work, body, true));
  }
}
