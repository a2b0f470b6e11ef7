import { z } from 'zod';
import type { SourceType } from '../source-type.ts';
import { activityParts } from './activity/activity-parts.ts';
import { activitySettings } from './activity/activity-settings.ts';
import { gitBlueprints, gitMapping, serviceMapping } from './default-mapping.ts';
import { createGitReader } from './git-reader.ts';
import { gitSettings } from './git-settings.ts';
import { openGitLab } from './hosts/gitlab.ts';
import { verifyGitLabEvent } from './verify-event.ts';

const settings = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(500)
    .default('https://gitlab.com')
    .meta({ title: 'Address', description: 'Of your own GitLab, if you have one.' }),
  ...gitSettings,
  owners: gitSettings.owners.meta({
    title: 'Groups, users or projects',
    description: 'Such as acme or acme/platform, with all subgroups; none for all that the token is a member of.',
  }),
  ...activitySettings,
  pullRequests: activitySettings.pullRequests.meta({ title: 'Merge requests' }),
});

export const gitLabSource: SourceType<typeof settings> = {
  type: 'gitlab',
  title: 'GitLab',
  summary: 'Repositories with their owners and languages, groups, port.yml files and API definitions',
  section: 'git',
  settings,
  secrets: [{ name: 'token', title: 'Token of a group, a project or a person, with read_api', required: true }],
  scheduleMinutes: 15,
  graceDays: 7,
  blueprints: gitBlueprints,
  defaultMapping: gitMapping,
  modelMapping: serviceMapping,
  optionalParts: activityParts,
  open: ({ url, ...rest }, { token = '' }, ports) =>
    createGitReader(openGitLab({ url: url.replace(/\/+$/, ''), token, owners: rest.owners }, ports), rest, ports),
  verifyEvent: verifyGitLabEvent,
};
