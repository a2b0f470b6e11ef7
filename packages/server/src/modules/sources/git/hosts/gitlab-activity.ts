import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import type {
  Activity,
  ActivityEvent,
  ActivityKind,
  ActivityReader,
  HostActivity,
  ListedRepository,
} from '../git-host.ts';
import { type HostAnswer, nextPage } from '../transport.ts';
import { toPipelineRun, toPullRequest, toRelease } from './activity-document.ts';
import { listPullRequests, readPages } from './activity-list.ts';
import { gitLabPullWords, gitLabRunWords, translate } from './activity-words.ts';
import type { GitLabHome } from './gitlab-groups.ts';

interface GitLabCalls {
  readonly owners: readonly string[];
  get(path: string, signal: AbortSignal, allows: readonly number[]): Promise<HostAnswer>;
  /** @throws RepositoryUnreadable */
  ofRepository(path: string, rest: string, signal: AbortSignal): Promise<HostAnswer>;
  homeOf(owner: string, signal: AbortSignal): Promise<GitLabHome>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

const pageSize = 100;
const moment = z.string().nullish();
const person = z.looseObject({ username: z.string() }).nullish();
const people = z.array(person).nullish();
const mergeRequestSchema = z.looseObject({
  iid: z.number(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  web_url: z.string().nullish(),
  author: person,
  assignees: people,
  reviewers: people,
  labels: z.array(z.string()).nullish(),
  target_branch: z.string().nullish(),
  source_branch: z.string().nullish(),
  sha: z.string().nullish(),
  created_at: moment,
  updated_at: moment,
  merged_at: moment,
  closed_at: moment,
});
/** What lists and single answers both tell: the moment of the start and the seconds are in the latter only. */
const pipelineSchema = z.looseObject({
  id: z.number(),
  iid: z.number().nullish(),
  name: z.string().nullish(),
  status: z.string(),
  source: z.string().nullish(),
  ref: z.string().nullish(),
  sha: z.string().nullish(),
  web_url: z.string().nullish(),
  created_at: moment,
  updated_at: moment,
});
const releaseSchema = z.looseObject({
  tag_name: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  author: person,
  created_at: moment,
  released_at: moment,
  _links: z.looseObject({ self: z.string().nullish() }).nullish(),
});
const changedSchema = z.array(z.looseObject({ iid: z.number(), project_id: z.number() }));
const changedCursor = z.object({ owner: z.number(), page: z.number() });

function toMergeRequest(raw: z.output<typeof mergeRequestSchema>): Activity {
  const names = (listed: z.output<typeof people>) => (listed ?? []).flatMap((each) => (each ? [each.username] : []));
  const state = translate(gitLabPullWords, raw.state);
  return toPullRequest({
    number: raw.iid,
    title: raw.title,
    url: raw.web_url,
    state,
    isDraft: raw.draft,
    author: raw.author?.username,
    assignees: names(raw.assignees),
    reviewers: names(raw.reviewers),
    labels: raw.labels ?? [],
    base: raw.target_branch,
    head: raw.source_branch,
    commit: raw.sha,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
    mergedAt: raw.merged_at,
    // the host leaves it empty for merged ones
    closedAt: raw.closed_at ?? raw.merged_at,
  });
}

function toRun(raw: z.output<typeof pipelineSchema>): Activity {
  return toPipelineRun({
    id: raw.id,
    number: raw.iid,
    name: raw.name || `Pipeline ${raw.iid ?? raw.id}`,
    status: translate(gitLabRunWords, raw.status),
    event: raw.source,
    branch: raw.ref,
    commit: raw.sha,
    author: null,
    url: raw.web_url,
    begunAt: raw.created_at,
    endedAt: raw.updated_at,
  });
}

function toPublished(raw: z.output<typeof releaseSchema>): Activity {
  return toRelease({
    id: raw.tag_name,
    tag: raw.tag_name,
    name: raw.name,
    notes: raw.description,
    isPrerelease: null,
    author: raw.author?.username,
    url: raw._links?.self,
    createdAt: raw.created_at,
    publishedAt: raw.released_at,
  });
}

/** Merge requests, pipelines and releases of GitLab. */
export function gitLabActivity({ owners, get, ofRepository, homeOf, findRepository }: GitLabCalls): HostActivity {
  function reader<Raw>(
    list: string,
    order: string,
    schema: z.ZodType<Raw>,
    toActivity: (raw: Raw) => Activity,
  ): ActivityReader {
    const readList = (path: string, query: string, max: number, signal: AbortSignal) =>
      readPages(1, max, async (page) => {
        const rest = `/${list}?${query}${order}&per_page=${Math.min(max, pageSize)}&page=${page}`;
        const answer = await ofRepository(path, rest, signal);
        const items = z.array(schema).parse(JSON.parse(answer.text)).map(toActivity);
        return { items, next: nextPage(answer.headers) ? page + 1 : null };
      });
    return {
      list: ({ path }, bounds, signal) => {
        if (list !== mergeRequests) return readList(path, '', bounds.max, signal);
        return listPullRequests(
          bounds,
          (max) => readList(path, 'state=all&', max, signal),
          (max) => readList(path, 'state=opened&', max, signal),
        );
      },
      async read({ path, id }, signal) {
        const answer = await ofRepository(path, `/${list}/${encodeURIComponent(id)}`, signal);
        return toActivity(schema.parse(JSON.parse(answer.text)));
      },
    };
  }

  return {
    findRepository,
    readers: {
      'pull-request': reader(mergeRequests, 'order_by=updated_at&sort=desc', mergeRequestSchema, toMergeRequest),
      'pipeline-run': reader('pipelines', 'order_by=id&sort=desc', pipelineSchema, toRun),
      release: reader('releases', 'order_by=released_at&sort=desc', releaseSchema, toPublished),
    },
    /**
     * Of groups and projects. Those of a person, or of all that the token is a member of, have no list of their own; what
     * happens to them is activity of their project, which is read for that.
     */
    async listChanged(cursor, since, signal) {
      const at = cursor === null ? { owner: 0, page: 1 } : changedCursor.parse(cursor);
      const owner = owners[at.owner];
      if (owner === undefined) return { items: [], next: null, total: null };
      const following = at.owner + 1 < owners.length ? { owner: at.owner + 1, page: 1 } : null;
      const { kind, id } = await homeOf(owner, signal);
      if (kind === 'user') return { items: [], next: following, total: null };
      const order = 'order_by=updated_at&sort=desc';
      const query = `state=all&scope=all&updated_after=${since.toISOString()}&${order}&per_page=${pageSize}&page=${at.page}`;
      const answer = await get(`/${kind}s/${id}/${mergeRequests}?${query}`, signal, [403, 404]);
      if (answer.status !== 200) return { items: [], next: following, total: null };
      const items = changedSchema
        .parse(JSON.parse(answer.text))
        .map(({ iid, project_id }) => ({ path: String(project_id), id: String(iid) }));
      return { items, next: nextPage(answer.headers) ? { ...at, page: at.page + 1 } : following, total: null };
    },
  };
}

const mergeRequests = 'merge_requests';
const projectSchema = z.looseObject({ id: z.number() });
const aboutSchema = z.looseObject({ iid: z.number().nullish(), id: z.number().nullish() });
const eventSchema = z.looseObject({
  object_kind: z.string(),
  project: projectSchema,
  object_attributes: aboutSchema.nullish(),
  /** Of a release. */
  tag: z.string().nullish(),
  action: z.string().nullish(),
});

/** Which of them an event is about; undefined for other events. */
export function readActivityEvent(
  body: JqValue,
  findProject: (id: string, signal: AbortSignal) => Promise<ListedRepository>,
): ActivityEvent | undefined {
  const said = eventSchema.safeParse(body);
  if (!said.success) return undefined;
  const { object_kind: kind, project, object_attributes: about, tag, action } = said.data;
  const event = (activity: ActivityKind, id: string | number | null | undefined): ActivityEvent | undefined =>
    id == null
      ? undefined
      : {
          kind: 'activity',
          activity,
          findRepository: (signal) => findProject(String(project.id), signal),
          id: String(id),
          isDeleted: activity === 'release' && action === 'delete',
        };
  if (kind === 'merge_request') return event('pull-request', about?.iid);
  if (kind === 'pipeline') return event('pipeline-run', about?.id);
  return kind === 'release' ? event('release', tag) : undefined;
}
