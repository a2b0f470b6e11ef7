import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import { parseJson } from '../../../../platform/parse-json.ts';
import { listFollowedIds } from '../../runs/run.store.ts';
import { answerFailure } from '../backends/answers.ts';
import { githubApi, githubPath } from '../backends/github-api.ts';
import { type ExternalRunState, type Follower, skewMs } from './follower.ts';

interface Workflow {
  readonly id: number;
  readonly html_url?: string;
  readonly status?: string;
  readonly conclusion?: string | null;
  readonly created_at?: string;
  readonly head_branch?: string | null;
}

/** A dispatch does not return its workflow run: takes the oldest since then that no other run follows. */
export const followGitHub: Follower = async (deps, actor, followed, signal) => {
  const { org, repo, workflow, ref, since, id } = followed;
  const api = await githubApi(deps, actor, signal);
  if (typeof api === 'string') return api;
  const repository = `/repos${githubPath(org, repo)}/actions`;
  const from = new Date(new Date(since).getTime() - skewMs);
  const query = new URLSearchParams({
    event: 'workflow_dispatch',
    created: `>=${from.toISOString().slice(0, 19)}Z`,
    per_page: '100',
  });
  const path = id === undefined ? `/workflows${githubPath(workflow)}/runs?${query}` : `/runs${githubPath(id)}`;
  const answer = await api.ask('GET', `${repository}${path}`);
  if (answer.status !== 200) return whyNever('GitHub', answer);
  const body = parseJson(answer.body);
  if (id !== undefined) return toExternalRunState(body as Workflow | undefined);
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  const begun = ((body as { workflow_runs?: Workflow[] } | undefined)?.workflow_runs ?? [])
    .filter(({ created_at: at, head_branch: on }) => new Date(at ?? 0) >= from && (on === undefined || on === branch))
    .sort((left, right) => left.id - right.id);
  const names = begun.map((each) => String(each.id));
  const taken = new Set(await listFollowedIds(deps.database, actor.orgId, followed, names));
  return toExternalRunState(begun.find((each) => !taken.has(String(each.id))));
};

/** A permanent refusal as a sentence; undefined if a retry may help. */
export function whyNever(service: string, answer: OutgoingAnswer): string | undefined {
  const failure = answerFailure(service, answer);
  return failure.kind === 'failed' && !failure.canRetry ? failure.message : undefined;
}

function toExternalRunState(workflow: Workflow | undefined): ExternalRunState | undefined {
  if (!workflow) return undefined;
  const { id, html_url: link, status, conclusion } = workflow;
  const isGood = conclusion === 'success' || conclusion === 'neutral';
  return {
    id: String(id),
    link,
    end: status === 'completed' ? { isGood, label: conclusion ?? undefined } : undefined,
  };
}
