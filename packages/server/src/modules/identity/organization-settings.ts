import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { outside, writtenBy } from '../../platform/text-authors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { permitWhole } from '../accounts/index.ts';
import {
  findSettings,
  lockOrganization,
  type OrganizationSettings,
  type OwnOrganization,
  updateSettingsRow,
} from '../organizations/index.ts';

type Part = Readonly<Record<string, unknown>>;

export interface SettingsChange {
  readonly name?: string | undefined;
  readonly settings?: Part | undefined;
  readonly announcement?: Part | undefined;
  readonly [other: string]: unknown;
}

/** The organization for its own people. Clients switch on the flags (compatibility choices, People and teams). */
export function presentOwnOrganization(organization: OwnOrganization) {
  const { id, name, model, createdAt, updatedAt } = organization;
  const { settings = {}, ...others } = organization.settings;
  return {
    ...others,
    id,
    name,
    featureFlags: model === 'blueprints' ? ['USERS_AND_TEAMS_OWNERSHIP_V2'] : [],
    settings,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Replaces name, settings and announcement; what is left out is removed, except what only PATCH knows. */
export function replaceSettings(
  unitOfWork: UnitOfWork,
  actor: Actor,
  { name, settings, announcement }: SettingsChange,
) {
  return write(unitOfWork, actor, name, ({ settings: _old, announcement: _said, ...others }) => ({
    ...others,
    settings: withoutNulls(settings ?? {}),
    ...(announcement ? { announcement: { ...announcement } } : {}),
  }));
}

/** Changes what is given; `settings` and `announcement` key by key, null removes. */
export function patchSettings(
  unitOfWork: UnitOfWork,
  actor: Actor,
  { name, settings, announcement, ...others }: SettingsChange,
) {
  return write(unitOfWork, actor, name, (before) => ({
    ...(withoutNulls({ ...before, ...definedOnly(others) }) as OrganizationSettings),
    settings: withoutNulls({ ...before.settings, ...settings }),
    ...(announcement ? { announcement: { ...before.announcement, ...announcement } } : {}),
  }));
}

async function write(
  unitOfWork: UnitOfWork,
  actor: Actor,
  name: string | undefined,
  change: (before: OrganizationSettings) => OrganizationSettings,
): Promise<void> {
  await unitOfWork(actor, async (work: Work) => {
    await lockOrganization(work.tx, actor.orgId);
    const before = await findSettings(work.tx, actor.orgId);
    if (!before) throw new AppError('unauthorized', 'The organization is gone');
    const after = { name: name ?? before.name, settings: change(before.settings) };
    // models are shown it as the platform's own word
    if (after.name !== before.name && writtenBy(actor).includes(outside)) {
      throw new AppError('missing_permissions', 'Only people, and programs in their name, rename the organization');
    }
    if (letsRequestersApprove(after) && !letsRequestersApprove(before)) {
      permitWhole(actor, after, 'letting requesters approve their own runs');
    }
    await updateSettingsRow(work.tx, actor.orgId, { ...after, at: work.now });
    work.record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: actor.orgId,
      context: {},
      before: { name: before.name, ...before.settings },
      after: { name: after.name, ...after.settings },
    });
  });
}

export async function requestersMayApprove(reader: Reader, orgId: string): Promise<boolean> {
  const organization = await findSettings(reader, orgId);
  return organization !== undefined && letsRequestersApprove(organization);
}

function letsRequestersApprove({ settings: { settings } }: Pick<OwnOrganization, 'settings'>): boolean {
  return settings?.['requestersMayApprove'] === true;
}

function definedOnly(values: Part): Part {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function withoutNulls(values: Part): NonNullable<OrganizationSettings['settings']> {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as NonNullable<OrganizationSettings['settings']>;
}
