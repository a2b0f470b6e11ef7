import { parseJson } from '../../../../platform/parse-json.ts';
import { secretsWithheld, usableSecrets } from '../secrets-for.ts';
import type { Follower } from './follower.ts';
import { whyNever } from './github.ts';

const home = 'https://gitlab.com';
/** Final states of a pipeline and their success; all other states continue. */
const ends: Readonly<Record<string, boolean>> = { success: true, failed: false, canceled: false, skipped: false };

/** Polls the pipeline that the trigger returned. Reading it needs a token other than the trigger's. */
export const followGitLab: Follower = async (deps, actor, { org, repo, id = '' }, signal) => {
  const known = await usableSecrets(deps, actor);
  if (!known) return secretsWithheld;
  const { GITLAB_TOKEN: token, GITLAB_URL: url } = known;
  if (!token) return 'the secret GITLAB_TOKEN is gone';
  const base = (url || home).trim().replace(/\/+$/, '');
  const project = encodeURIComponent(`${org}/${repo}`);
  const answer = await deps.outgoing.send({
    url: `${base}/api/v4/projects/${project}/pipelines/${encodeURIComponent(id)}`,
    method: 'GET',
    headers: { 'private-token': token.trim(), 'user-agent': 'portolan' },
    timeoutMs: 30_000,
    signal,
  });
  if (answer.status !== 200) return whyNever('GitLab', answer);
  const pipeline = parseJson(answer.body) as { status?: unknown; web_url?: unknown } | undefined;
  const status = String(pipeline?.status);
  return {
    id,
    link: typeof pipeline?.web_url === 'string' ? pipeline.web_url : undefined,
    end: Object.hasOwn(ends, status) ? { isGood: ends[status] === true, label: status } : undefined,
  };
};
