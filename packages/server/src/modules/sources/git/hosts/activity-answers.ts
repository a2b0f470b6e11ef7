import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import type {
  Activity,
  ActivityEvent,
  ActivityKind,
  ActivityList,
  ActivityReader,
  HostActivity,
  ListedRepository,
} from '../git-host.ts';
import type { HostAnswer } from '../transport.ts';
import { toPipelineRun, toPullRequest, toRelease } from './activity-document.ts';
import { listPullRequests } from './activity-list.ts';
import { actionsPullWords, actionsRunWords, translate } from './activity-words.ts';

// GitHub and Gitea have the same shapes; what changes with a repository, or without anything changing, is left out

const person = z.looseObject({ login: z.string() }).nullish();
const label = z.looseObject({ name: z.string() });
const moment = z.string().nullish();

const pullSchema = z.looseObject({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: moment,
  created_at: moment,
  updated_at: moment,
  closed_at: moment,
  html_url: z.string().nullish(),
  user: person,
  assignees: z.array(person).nullish(),
  requested_reviewers: z.array(person).nullish(),
  labels: z.array(label).nullish(),
  base: z.looseObject({ ref: z.string() }).nullish(),
  head: z.looseObject({ ref: z.string(), sha: z.string().nullish() }).nullish(),
});
const runSchema = z.looseObject({
  id: z.number(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  name: z.string().nullish(),
  display_title: z.string().nullish(),
  event: z.string().nullish(),
  run_number: z.number().nullish(),
  head_branch: z.string().nullish(),
  head_sha: z.string().nullish(),
  html_url: z.string().nullish(),
  actor: person,
  created_at: moment,
  run_started_at: moment,
  started_at: moment,
  completed_at: moment,
  updated_at: moment,
});
const releaseSchema = z.looseObject({
  id: z.number(),
  tag_name: z.string(),
  name: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  html_url: z.string().nullish(),
  author: person,
  created_at: moment,
  published_at: moment,
});

function toPull(raw: z.output<typeof pullSchema>): Activity {
  const logins = (people: readonly z.output<typeof person>[] | null | undefined) =>
    (people ?? []).flatMap((each) => (each ? [each.login] : []));
  const isMerged = raw.merged === true || Boolean(raw.merged_at);
  return toPullRequest({
    number: raw.number,
    title: raw.title,
    url: raw.html_url,
    state: isMerged ? 'merged' : translate(actionsPullWords, raw.state),
    isDraft: raw.draft,
    author: raw.user?.login,
    assignees: logins(raw.assignees),
    reviewers: logins(raw.requested_reviewers),
    labels: (raw.labels ?? []).map(({ name }) => name),
    base: raw.base?.ref,
    head: raw.head?.ref,
    commit: raw.head?.sha,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
    mergedAt: raw.merged_at,
    closedAt: raw.closed_at,
  });
}

function toRun(raw: z.output<typeof runSchema>): Activity {
  return toPipelineRun({
    id: raw.id,
    number: raw.run_number,
    name: raw.display_title || raw.name || `Run ${raw.run_number ?? raw.id}`,
    // one that ended says how by its conclusion
    status: translate(actionsRunWords, raw.conclusion || raw.status),
    event: raw.event,
    branch: raw.head_branch,
    commit: raw.head_sha,
    author: raw.actor?.login,
    url: raw.html_url,
    begunAt: raw.run_started_at ?? raw.started_at ?? raw.created_at,
    endedAt: raw.completed_at ?? raw.updated_at,
  });
}

function toPublished(raw: z.output<typeof releaseSchema>): Activity {
  return toRelease({
    id: String(raw.id),
    tag: raw.tag_name,
    name: raw.name,
    notes: raw.body,
    isPrerelease: raw.prerelease === true,
    author: raw.author?.login,
    url: raw.html_url,
    createdAt: raw.created_at,
    publishedAt: raw.published_at,
  });
}

/** Where a kind is listed, and one of them read; the same paths on both hosts. */
export const activityPaths: Readonly<Record<ActivityKind, string>> = {
  'pull-request': 'pulls',
  'pipeline-run': 'actions/runs',
  release: 'releases',
};

/** A page of a list; drafts of releases are nobody's business but their author's. */
export function readActivityPage(kind: ActivityKind, text: string): readonly Activity[] {
  const parsed: unknown = JSON.parse(text);
  if (kind === 'pull-request') return z.array(pullSchema).parse(parsed).map(toPull);
  if (kind === 'pipeline-run') {
    return (z.looseObject({ workflow_runs: z.array(runSchema).nullable() }).parse(parsed).workflow_runs ?? []).map(
      toRun,
    );
  }
  const releases = z.array(releaseSchema).parse(parsed);
  return releases.filter(({ draft }) => draft !== true).map(toPublished);
}

function readActivityAnswer(kind: ActivityKind, text: string): Activity | undefined {
  const parsed: unknown = JSON.parse(text);
  if (kind === 'pull-request') return toPull(pullSchema.parse(parsed));
  if (kind === 'pipeline-run') return toRun(runSchema.parse(parsed));
  const release = releaseSchema.parse(parsed);
  return release.draft === true ? undefined : toPublished(release);
}

/** Of both hosts, whose lists differ in their pages, and in how the last changed is asked for first. */
export function actionsReaders(
  latestFirst: string,
  ofRepository: (path: string, rest: string, signal: AbortSignal) => Promise<HostAnswer>,
  readList: (
    kind: ActivityKind,
    path: string,
    query: string,
    max: number,
    signal: AbortSignal,
  ) => Promise<ActivityList>,
): HostActivity['readers'] {
  const reader = (kind: ActivityKind): ActivityReader => ({
    list: ({ path }, bounds, signal) => {
      if (kind !== 'pull-request') return readList(kind, path, '', bounds.max, signal);
      return listPullRequests(
        bounds,
        (max) => readList(kind, path, `state=all&${latestFirst}&`, max, signal),
        (max) => readList(kind, path, 'state=open&', max, signal),
      );
    },
    async read({ path, id }, signal) {
      const answer = await ofRepository(path, `/${activityPaths[kind]}/${encodeURIComponent(id)}`, signal);
      return readActivityAnswer(kind, answer.text);
    },
  });
  return {
    'pull-request': reader('pull-request'),
    'pipeline-run': reader('pipeline-run'),
    release: reader('release'),
  };
}

const named = z.looseObject({
  action: z.string().nullish(),
  release: z.looseObject({ id: z.number() }).nullish(),
  workflow_run: z.looseObject({ id: z.number() }).nullish(),
  pull_request: z.looseObject({ number: z.number() }).nullish(),
});

/** Which of them an event is about; undefined for other events. */
export function readActivityEvent(
  event: string | undefined,
  body: JqValue,
  repository: ListedRepository,
): ActivityEvent | undefined {
  const payload = named.safeParse(body);
  if (!payload.success) return undefined;
  const { action, release, workflow_run, pull_request } = payload.data;
  const isDeleted = action === 'deleted';
  const findRepository = async (): Promise<ListedRepository> => repository;
  const about = (activity: ActivityKind, id: number | undefined): ActivityEvent | undefined =>
    id === undefined ? undefined : { kind: 'activity', activity, findRepository, id: String(id), isDeleted };
  // reviews and comments of a pull request change when it was last touched
  if (event?.startsWith('pull_request')) return about('pull-request', pull_request?.number);
  if (event === 'release') return about('release', release?.id);
  return event === 'workflow_run' ? about('pipeline-run', workflow_run?.id) : undefined;
}
