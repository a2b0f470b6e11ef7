import { parseJson } from '../../../../platform/parse-json.ts';
import { listFollowedIds } from '../../runs/run.store.ts';
import { secretsWithheld, usableSecrets } from '../secrets-for.ts';
import { type ExternalRunState, type Follower, skewMs } from './follower.ts';
import { whyNever } from './github.ts';

const home = 'https://dev.azure.com';

interface Build {
  readonly id: number;
  readonly status?: string;
  readonly result?: string;
  readonly queueTime?: string;
  readonly _links?: { readonly web?: { readonly href?: string } };
}

/**
 * A webhook does not return its pipeline, so this takes the oldest build of the project since the start that a resource
 * triggered and no other run follows.
 */
export const followAzureDevops: Follower = async (deps, actor, followed, signal) => {
  const { org, repo: project, since, id } = followed;
  const known = await usableSecrets(deps, actor);
  if (!known) return secretsWithheld;
  const { AZURE_DEVOPS_TOKEN: token, AZURE_DEVOPS_URL: url } = known;
  if (!token) return 'the secret AZURE_DEVOPS_TOKEN is gone';
  const base = (url || home).trim().replace(/\/+$/, '');
  const from = new Date(new Date(since).getTime() - skewMs);
  const query = new URLSearchParams({
    ...(id === undefined
      ? { minTime: from.toISOString(), queryOrder: 'queueTimeAscending', reasonFilter: 'resourceTrigger', $top: '100' }
      : {}),
    'api-version': '7.1',
  });
  const builds = `${base}/${encodeURIComponent(org)}/${encodeURIComponent(project)}/_apis/build/builds`;
  const answer = await deps.outgoing.send({
    url: `${builds}${id === undefined ? '' : `/${encodeURIComponent(id)}`}?${query}`,
    method: 'GET',
    headers: {
      authorization: `Basic ${Buffer.from(`:${token.trim()}`).toString('base64')}`,
      accept: 'application/json',
      'user-agent': 'portolan',
    },
    timeoutMs: 30_000,
    signal,
  });
  // Azure answers an invalid token with a sign-in page
  if (answer.status === 203) return 'Azure DevOps does not accept the secret AZURE_DEVOPS_TOKEN';
  if (answer.status !== 200) return whyNever('Azure DevOps', answer);
  const body = parseJson(answer.body);
  if (id !== undefined) return toExternalRunState(body as Build | undefined);
  const begun = ((body as { value?: Build[] } | undefined)?.value ?? [])
    .filter(({ queueTime }) => new Date(queueTime ?? 0) >= from)
    .sort((left, right) => left.id - right.id);
  const names = begun.map((each) => String(each.id));
  const taken = new Set(await listFollowedIds(deps.database, actor.orgId, followed, names));
  return toExternalRunState(begun.find((each) => !taken.has(String(each.id))));
};

function toExternalRunState(build: Build | undefined): ExternalRunState | undefined {
  if (!build) return undefined;
  const { id, status, result, _links: links } = build;
  const isGood = result === 'succeeded' || result === 'partiallySucceeded';
  return {
    id: String(id),
    link: links?.web?.href,
    end: status === 'completed' ? { isGood, label: result } : undefined,
  };
}
