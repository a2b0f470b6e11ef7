import { z } from 'zod';
import type { SourceType } from '../source-type.ts';
import { activityParts } from './activity/activity-parts.ts';
import { activitySettings } from './activity/activity-settings.ts';
import { gitBlueprints, gitMapping, serviceMapping } from './default-mapping.ts';
import { createGitReader } from './git-reader.ts';
import { gitSettings } from './git-settings.ts';
import { openAzure } from './hosts/azure.ts';
import { verifyAzureEvent } from './verify-event.ts';

const { releases: _releases, ...activity } = activitySettings;
const settings = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(500)
    .meta({
      title: 'Address',
      description: 'Of the organization, such as https://dev.azure.com/acme, or a collection',
    }),
  ...gitSettings,
  owners: gitSettings.owners.meta({ title: 'Projects', description: 'None for all of the organization.' }),
  ...activity,
  pipelineRuns: activity.pipelineRuns.meta({
    description: 'The latest of each repository; the token has to be allowed to read builds.',
  }),
  latest: activity.latest.meta({
    description:
      'Of pull requests and pipeline runs, the latest of each repository. Older entities stay. There are no releases: those of Azure DevOps deploy artifacts, and belong to no repository.',
  }),
});

export const azureSource: SourceType<typeof settings> = {
  type: 'azure-repos',
  title: 'Azure Repos',
  summary: 'Repositories of Azure DevOps with their owners, teams, port.yml files and API definitions',
  section: 'git',
  settings,
  secrets: [{ name: 'token', title: 'Personal access token that may read code, projects and teams', required: true }],
  scheduleMinutes: 15,
  graceDays: 7,
  blueprints: gitBlueprints,
  defaultMapping: gitMapping,
  modelMapping: serviceMapping,
  optionalParts: activityParts,
  open: ({ url, ...rest }, { token = '' }, ports) =>
    createGitReader(openAzure({ url: url.replace(/\/+$/, ''), token, owners: rest.owners }, ports), rest, ports),
  verifyEvent: verifyAzureEvent,
};
