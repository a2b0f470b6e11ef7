import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import {
  type Activity,
  type ActivityEvent,
  type ActivityKind,
  type ActivityName,
  type HostActivity,
  type HostList,
  type ListedRepository,
  RepositoryUnreadable,
} from '../git-host.ts';
import type { HostAnswer } from '../transport.ts';
import { toPipelineRun, toPullRequest } from './activity-document.ts';
import { listPullRequests, readPages } from './activity-list.ts';
import { azurePullWords, azureRunWords, translate } from './activity-words.ts';
import { branchIn, type Project } from './azure-answers.ts';
import type { AzureContext } from './azure-teams.ts';

interface AzureCalls extends AzureContext {
  /** Of the organization or collection. */
  readonly url: string;
  /** @throws RepositoryUnreadable */
  ofRepository(path: string, rest: string, signal: AbortSignal, allows?: readonly number[]): Promise<HostAnswer>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

const pageSize = 100;
const moment = z.string().nullish();
const person = z.looseObject({ uniqueName: z.string().nullish(), displayName: z.string().nullish() }).nullish();
const withId = z.looseObject({ id: z.string() });
const labels = z.array(z.looseObject({ name: z.string() })).nullish();
const pullSchema = z.looseObject({
  pullRequestId: z.number(),
  title: z.string(),
  status: z.string(),
  isDraft: z.boolean().nullish(),
  createdBy: person,
  reviewers: z.array(person).nullish(),
  labels,
  sourceRefName: z.string().nullish(),
  targetRefName: z.string().nullish(),
  lastMergeSourceCommit: z.looseObject({ commitId: z.string() }).nullish(),
  creationDate: moment,
  closedDate: moment,
  repository: withId.nullish(),
});
type Pull = z.output<typeof pullSchema>;
const buildSchema = z.looseObject({
  id: z.number(),
  buildNumber: z.string().nullish(),
  status: z.string().nullish(),
  result: z.string().nullish(),
  reason: z.string().nullish(),
  sourceBranch: z.string().nullish(),
  sourceVersion: z.string().nullish(),
  definition: z.looseObject({ name: z.string().nullish() }).nullish(),
  requestedFor: person,
  queueTime: moment,
  startTime: moment,
  finishTime: moment,
  repository: z.looseObject({ id: z.string().nullish(), type: z.string().nullish() }).nullish(),
  _links: z.looseObject({ web: z.looseObject({ href: z.string() }).nullish() }).nullish(),
});
const pullList = z.looseObject({ value: z.array(pullSchema) });
const buildList = z.looseObject({ value: z.array(buildSchema) });
const changedCursor = z.object({ project: z.string(), by: z.enum(['created', 'closed']), skip: z.number() });

function loginIn(raw: z.output<typeof person>): string | null {
  return raw?.uniqueName ?? raw?.displayName ?? null;
}

function toPull(raw: Pull, page: string): Activity {
  const state = translate(azurePullWords, raw.status);
  return toPullRequest({
    number: raw.pullRequestId,
    title: raw.title,
    url: `${page}/pullrequest/${raw.pullRequestId}`,
    state,
    isDraft: raw.isDraft,
    author: loginIn(raw.createdBy),
    assignees: [],
    reviewers: (raw.reviewers ?? []).flatMap((each) => loginIn(each) ?? []),
    labels: (raw.labels ?? []).map(({ name }) => name),
    base: branchIn(raw.targetRefName),
    head: branchIn(raw.sourceRefName),
    commit: raw.lastMergeSourceCommit?.commitId,
    createdAt: raw.creationDate,
    // the host does not tell
    updatedAt: null,
    mergedAt: state === 'merged' ? raw.closedDate : null,
    closedAt: raw.closedDate,
  });
}

function toRun(raw: z.output<typeof buildSchema>): Activity {
  const isOver = raw.status === 'completed';
  return toPipelineRun({
    id: raw.id,
    number: raw.buildNumber,
    name: [raw.definition?.name, raw.buildNumber ?? raw.id].filter(Boolean).join(' '),
    status: translate(azureRunWords, isOver ? raw.result : raw.status),
    event: raw.reason,
    branch: branchIn(raw.sourceBranch),
    commit: raw.sourceVersion,
    author: loginIn(raw.requestedFor),
    url: raw._links?.web?.href,
    begunAt: raw.startTime ?? raw.queueTime,
    endedAt: raw.finishTime,
  });
}

/**
 * Pull requests and builds of Azure DevOps. What it calls a release is a deployment of artifacts by a pipeline of its own
 * kind: nothing that a repository publishes.
 */
export function azureActivity(calls: AzureCalls): HostActivity {
  const { url, send, projects, ofRepository, findRepository } = calls;
  const pageAt = (path: string): string => {
    const [project = '', name = ''] = path.split('/').map(encodeURIComponent);
    return `${url}/${project}/_git/${name}`;
  };

  /** Newest first. Only an empty page says that there are no more. */
  function readPulls(path: string, status: 'all' | 'active', max: number, signal: AbortSignal) {
    return readPages(0, max, async (skip) => {
      const paging = `$top=${Math.min(max, pageSize)}&$skip=${skip}`;
      const answer = await ofRepository(path, `/pullrequests?searchCriteria.status=${status}&${paging}`, signal);
      const { value } = pullList.parse(JSON.parse(answer.text));
      const items = value.map((each) => toPull(each, pageAt(path)));
      return { items, next: value.length > 0 ? skip + value.length : null };
    });
  }

  function readBuilds({ id, path }: ListedRepository, max: number, signal: AbortSignal) {
    const [project = ''] = path.split('/');
    return readPages('', max, async (token) => {
      const list = `repositoryId=${id}&repositoryType=TfsGit&queryOrder=queueTimeDescending&$top=${Math.min(max, pageSize)}`;
      const rest = token === '' ? '' : `&continuationToken=${encodeURIComponent(token)}`;
      const answer = await sendBuilds(calls, project, `?${list}${rest}`, signal);
      const { value } = buildList.parse(JSON.parse(answer.text));
      return { items: value.map(toRun), next: answer.headers.get('x-ms-continuationtoken') };
    });
  }

  /** Pull requests of a project that were opened since and still are, or were closed since. */
  async function listOfProject(
    project: Project,
    { by, skip }: { readonly by: 'created' | 'closed'; readonly skip: number },
    since: Date,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly ActivityName[]; readonly isLast: boolean; readonly read: number }> {
    const status = by === 'created' ? 'active' : 'all';
    const range = `searchCriteria.queryTimeRangeType=${by}&searchCriteria.minTime=${since.toISOString()}`;
    const path = `/${project.id}/_apis/git/pullrequests?searchCriteria.status=${status}&${range}`;
    const answer = await send(`${path}&$top=${pageSize}&$skip=${skip}`, { signal, allows: [403, 404] });
    if (answer.status !== 200) return { items: [], isLast: true, read: 0 };
    const { value } = pullList.parse(JSON.parse(answer.text));
    // servers that do not know of the range answer all of them, the newest first
    const moved = value.filter(({ creationDate, closedDate }) => {
      const at = by === 'created' ? creationDate : closedDate;
      return at != null && new Date(at) >= since;
    });
    const items = moved.flatMap(({ pullRequestId, repository }) =>
      repository ? [{ path: `${project.id}/${repository.id}`, id: String(pullRequestId) }] : [],
    );
    return { items, isLast: moved.length === 0, read: value.length };
  }

  async function listChanged(
    cursor: JqValue | null,
    since: Date,
    signal: AbortSignal,
  ): Promise<HostList<ActivityName>> {
    const all = await projects(signal);
    const at = cursor === null ? { project: '', by: 'created' as const, skip: 0 } : changedCursor.parse(cursor);
    const index = all.findIndex(({ id }) => id >= at.project);
    const project = all[index];
    if (!project) return { items: [], next: null, total: null };
    const here = project.id === at.project ? at : { by: 'created' as const, skip: 0 };
    const { items, isLast, read } = await listOfProject(project, here, since, signal);
    if (!isLast) return { items, next: { project: project.id, by: here.by, skip: here.skip + read }, total: null };
    if (here.by === 'created') return { items, next: { project: project.id, by: 'closed', skip: 0 }, total: null };
    const following = all[index + 1];
    return { items, next: following ? { project: following.id, by: 'created', skip: 0 } : null, total: null };
  }

  return {
    findRepository,
    listChanged,
    readers: {
      'pull-request': {
        list: ({ path }, bounds, signal) =>
          listPullRequests(
            bounds,
            (max) => readPulls(path, 'all', max, signal),
            (max) => readPulls(path, 'active', max, signal),
          ),
        async read({ path, id }, signal) {
          const one = `/pullrequests/${encodeURIComponent(id)}`;
          const pull = pullSchema.parse(JSON.parse((await ofRepository(path, one, signal)).text));
          // lists tell them, single answers do not
          const told = await ofRepository(path, `${one}/labels`, signal);
          const { value } = z.looseObject({ value: labels }).parse(JSON.parse(told.text));
          return toPull({ ...pull, labels: value }, pageAt(path));
        },
      },
      'pipeline-run': {
        list: (repository, { max }, signal) => readBuilds(repository, max, signal),
        async read({ path, id }, signal) {
          const [project = ''] = path.split('/');
          const answer = await sendBuilds(calls, project, `/${encodeURIComponent(id)}`, signal);
          return toRun(buildSchema.parse(JSON.parse(answer.text)));
        },
      },
    },
  };
}

/** Builds belong to projects. A token without the right on them is answered as one that is revoked. */
async function sendBuilds(
  { send }: Pick<AzureCalls, 'send'>,
  project: string,
  rest: string,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const path = `/${encodeURIComponent(project)}/_apis/build/builds${rest}`;
  const answer = await send(path, { signal, allows: [401, 403, 404] });
  if (answer.status === 200) return answer;
  throw new RepositoryUnreadable(project, answer.status === 404 ? 404 : 403);
}

const eventSchema = z.looseObject({
  eventType: z.string(),
  resource: z.looseObject({
    id: z.number().nullish(),
    pullRequestId: z.number().nullish(),
    repository: z.looseObject({ id: z.string().nullish(), project: withId.nullish() }).nullish(),
  }),
  resourceContainers: z.looseObject({ project: withId.nullish() }).nullish(),
});

/** Which of them an event is about; undefined for other events. That of a build does not name its repository. */
export function readActivityEvent(
  calls: Pick<AzureCalls, 'send' | 'findRepository'>,
  body: JqValue,
): ActivityEvent | undefined {
  const said = eventSchema.safeParse(body);
  if (!said.success) return undefined;
  const { eventType, resource, resourceContainers: within } = said.data;
  const about = (activity: ActivityKind, id: number, findRepository: ActivityEvent['findRepository']) =>
    ({ kind: 'activity', activity, id: String(id), findRepository, isDeleted: false }) as const;
  const { pullRequestId, repository } = resource;
  if (eventType.startsWith('git.pullrequest.') && pullRequestId != null && repository?.id && repository.project) {
    const path = `${repository.project.id}/${repository.id}`;
    return about('pull-request', pullRequestId, (signal) => calls.findRepository(path, signal));
  }
  const project = within?.project?.id;
  const { id } = resource;
  if (eventType !== 'build.complete' || id == null || !project) return undefined;
  return about('pipeline-run', id, async (signal) => {
    const answer = await sendBuilds(calls, project, `/${id}`, signal);
    const { repository: built } = buildSchema.parse(JSON.parse(answer.text));
    // of what lies on another host
    if (!built?.id || built.type !== 'TfsGit') throw new RepositoryUnreadable(project, 404);
    return calls.findRepository(`${project}/${built.id}`, signal);
  });
}
