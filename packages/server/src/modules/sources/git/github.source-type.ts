import { z } from 'zod';
import { SourceRefusal, type SourceType } from '../source-type.ts';
import { activityParts } from './activity/activity-parts.ts';
import { activitySettings } from './activity/activity-settings.ts';
import { gitBlueprints, gitMapping, serviceMapping } from './default-mapping.ts';
import { createGitReader } from './git-reader.ts';
import { gitSettings } from './git-settings.ts';
import { openGitHub } from './hosts/github.ts';
import type { GitHubCredentials } from './hosts/github-credentials.ts';
import { verifyGitHubEvent } from './verify-event.ts';

const settings = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(500)
    .default('https://github.com')
    .meta({ title: 'Address', description: 'Of an Enterprise Server, if you have your own.' }),
  appId: z
    .string()
    .max(100)
    .optional()
    .meta({ title: 'App ID', description: 'Only with a GitHub App; it reads what it is installed in.' }),
  ...gitSettings,
  ...activitySettings,
});

export const gitHubSource: SourceType<typeof settings> = {
  type: 'github',
  title: 'GitHub',
  summary: 'Repositories with their owners and languages, teams, port.yml files and API definitions',
  section: 'git',
  settings,
  secrets: [
    { name: 'token', title: 'Access token that may read metadata, contents and members', required: false },
    { name: 'privateKey', title: 'Private key of the GitHub App', required: false, isLong: true },
  ],
  scheduleMinutes: 15,
  graceDays: 7,
  blueprints: gitBlueprints,
  defaultMapping: gitMapping,
  modelMapping: serviceMapping,
  optionalParts: activityParts,
  open: ({ url, appId, ...rest }, secrets, ports) => {
    const credentials = toCredentials(appId, rest.owners, secrets);
    const access = { url: url.replace(/\/+$/, ''), credentials, owners: rest.owners };
    return createGitReader(openGitHub(access, ports), rest, ports);
  },
  verifyEvent: verifyGitHubEvent,
};

function toCredentials(
  appId: string | undefined,
  owners: readonly string[],
  { token, privateKey }: Readonly<Record<string, string>>,
): GitHubCredentials {
  const [owner, ...others] = owners;
  if (appId && privateKey) {
    if (owner !== undefined && others.length === 0) return { appId, privateKey, owner };
    const fix = 'Name one owner, and make a source for each of the others.';
    throw new SourceRefusal('owner_missing', 'A GitHub App reads one organization or user in each source', fix);
  }
  if (token) return { token };
  const fix = 'Set the secret "token", or the App ID with the secret "privateKey".';
  throw new SourceRefusal('credentials_missing', 'The source has neither a token nor the key of a GitHub App', fix);
}
