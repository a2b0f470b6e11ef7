import { z } from 'zod';
import type { SourceType } from '../source-type.ts';
import { activityParts } from './activity/activity-parts.ts';
import { activitySettings } from './activity/activity-settings.ts';
import { gitBlueprints, gitMapping, serviceMapping } from './default-mapping.ts';
import { createGitReader } from './git-reader.ts';
import { gitSettings } from './git-settings.ts';
import { openGitea } from './hosts/gitea.ts';
import { verifyGiteaEvent } from './verify-event.ts';

const settings = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(500)
    .meta({ title: 'Address', description: 'Of Gitea or Forgejo, such as https://git.acme.example' }),
  ...gitSettings,
  ...activitySettings,
});

export const giteaSource: SourceType<typeof settings> = {
  type: 'gitea',
  title: 'Gitea or Forgejo',
  summary: 'Repositories with their owners and languages, teams, port.yml files and API definitions',
  section: 'git',
  settings,
  secrets: [
    { name: 'token', title: 'Access token with read:repository, read:organization and read:user', required: true },
  ],
  scheduleMinutes: 15,
  graceDays: 7,
  blueprints: gitBlueprints,
  defaultMapping: gitMapping,
  modelMapping: serviceMapping,
  optionalParts: activityParts,
  open: ({ url, ...rest }, { token = '' }, ports) =>
    createGitReader(openGitea({ url: url.replace(/\/+$/, ''), token, owners: rest.owners }, ports), rest, ports),
  verifyEvent: verifyGiteaEvent,
};
