import { z } from 'zod';
import type { SourceType } from '../source-type.ts';
import { activityParts } from './activity/activity-parts.ts';
import { activitySettings, chosenKinds } from './activity/activity-settings.ts';
import { gitBlueprints, gitMapping, serviceMapping } from './default-mapping.ts';
import { createGitReader } from './git-reader.ts';
import { gitSettings } from './git-settings.ts';
import { openBitbucket } from './hosts/bitbucket.ts';
import { verifyBitbucketEvent } from './verify-event.ts';

const { archived: _archived, ...shared } = gitSettings;
const { releases: _releases, ...activity } = activitySettings;
const settings = z.object({
  ...shared,
  owners: z
    .array(z.string().min(1).max(200))
    .min(1, 'must name a workspace')
    .max(100)
    .meta({ title: 'Workspaces', description: 'Such as acme, or acme/payments for one repository.' }),
  user: z
    .string()
    .max(200)
    .optional()
    .meta({ title: 'User', description: 'Only with the API token of a person: their address.' }),
  ...activity,
  latest: activity.latest.meta({
    description:
      'Of pull requests and pipeline runs, the latest of each repository. Older entities stay. Bitbucket has no releases, and a tag is not one.',
  }),
});

export const bitbucketSource: SourceType<typeof settings> = {
  type: 'bitbucket',
  title: 'Bitbucket Cloud',
  summary:
    'Repositories with their owners, groups, port.yml files and API definitions; a full read takes about 6 requests for each repository of the 1,000 that Bitbucket gives an hour',
  section: 'git',
  settings,
  secrets: [
    { name: 'token', title: 'Access token of the workspace or repository, or API token of a person', required: true },
  ],
  scheduleMinutes: 15,
  graceDays: 7,
  blueprints: gitBlueprints,
  defaultMapping: gitMapping,
  modelMapping: serviceMapping,
  optionalParts: activityParts,
  open: ({ user, ...rest }, { token = '' }, ports) => {
    const access = { token, user, owners: rest.owners, activityLists: chosenKinds(rest).length };
    return createGitReader(openBitbucket(access, ports), { ...rest, archived: true }, ports);
  },
  verifyEvent: verifyBitbucketEvent,
};
