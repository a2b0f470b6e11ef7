import { type DemoRow, findDemo, findOrganization } from '../organizations/index.ts';
import type { DemoOrganizationDeps } from './demo-organization.deps.ts';

/** The demo beside an organization, and whether one can be made. */
export async function readDemo(
  { database, fill }: DemoOrganizationDeps,
  orgId: string,
): Promise<{ readonly demo: DemoRow | undefined; readonly isOffered: boolean }> {
  const own = await findOrganization(database, orgId);
  return { demo: await findDemo(database, orgId), isOffered: fill !== undefined && own?.demoOf === null };
}
