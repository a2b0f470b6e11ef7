import { createAccessToken } from '@portolan/contract/auth';
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from '@portolan/contract/operator';
import { notFound } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { findOrganization, listOrganizationRows, presentOrganization } from '../organizations/index.ts';
import { createOrganization as create } from './create-organization.ts';
import type { IdentityDeps } from './identity.deps.ts';
import { createIssueToken } from './issue-token.ts';
import { deleteOrganization as remove, updateOrganization as update } from './update-organization.ts';

export function identityRoutes(deps: IdentityDeps): Route[] {
  const { database, unitOfWork, clock } = deps;
  const issueToken = createIssueToken(deps);
  return [
    route(createAccessToken, ({ body }, { remoteAddress }) => issueToken({ ...body, address: remoteAddress })),
    route(createOrganization, async ({ body }) => {
      const { organization, credentials } = await create(deps, body);
      return { organization: presentOrganization(organization, clock.now()), credentials };
    }),
    route(listOrganizations, async ({ query }) => {
      const found = await listOrganizationRows(database, query.from ?? '', query.limit + 1);
      const page = found.slice(0, query.limit);
      const next = found.length > page.length ? page.at(-1)?.id : undefined;
      const organizations = page.map((organization) => presentOrganization(organization, clock.now()));
      return { organizations, ...(next ? { next } : {}) };
    }),
    route(getOrganization, async ({ params }) => {
      const organization = await findOrganization(database, params.organization_id);
      if (!organization) throw notFound('Organization', params.organization_id, 'id');
      const milestones = await deps.milestonesOf(organization.id);
      return { organization: presentOrganization(organization, clock.now()), milestones };
    }),
    route(updateOrganization, async ({ params, body }) => {
      const organization = await update(unitOfWork, params.organization_id, body, deps.followCutover);
      return { organization: presentOrganization(organization, clock.now()) };
    }),
    route(deleteOrganization, async ({ params }) => {
      await remove(unitOfWork, params.organization_id);
      return {};
    }),
  ];
}
