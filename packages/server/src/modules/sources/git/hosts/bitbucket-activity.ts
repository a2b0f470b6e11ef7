import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import {
  type Activity,
  type ActivityEvent,
  type ActivityKind,
  type HostActivity,
  type ListedRepository,
  RepositoryUnreadable,
} from '../git-host.ts';
import type { HostAnswer } from '../transport.ts';
import { toPipelineRun, toPullRequest } from './activity-document.ts';
import { listPullRequests, readPages } from './activity-list.ts';
import { bitbucketPullWords, bitbucketRunWords, translate } from './activity-words.ts';
import { pageSchema, readId } from './bitbucket-answers.ts';

interface BitbucketCalls {
  readonly web: string;
  /** @throws RepositoryUnreadable */
  ofRepository(path: string, rest: string, signal: AbortSignal): Promise<HostAnswer>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

/** The most that the host answers at once. */
const pullPageSize = 50;
const runPageSize = 100;
const moment = z.string().nullish();
const person = z.looseObject({ nickname: z.string().nullish(), display_name: z.string().nullish() }).nullish();
const hash = z.looseObject({ hash: z.string().nullish() }).nullish();
const side = z.looseObject({ branch: z.looseObject({ name: z.string() }).nullish(), commit: hash }).nullish();
const link = z.looseObject({ html: z.looseObject({ href: z.string() }).nullish() }).nullish();
const pullSchema = z.looseObject({
  id: z.number(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  author: person,
  reviewers: z.array(person).nullish(),
  source: side,
  destination: side,
  created_on: moment,
  updated_on: moment,
  merge_commit: z.looseObject({ date: moment }).nullish(),
  links: link,
});
const word = z.looseObject({ name: z.string() }).nullish();
const runSchema = z.looseObject({
  build_number: z.number(),
  state: z.looseObject({ name: z.string(), result: word, stage: word }).nullish(),
  trigger: word,
  creator: person,
  target: z.looseObject({ ref_name: z.string().nullish(), source: z.string().nullish(), commit: hash }).nullish(),
  created_on: moment,
  completed_on: moment,
});

function loginIn(raw: z.output<typeof person>): string | null {
  return raw?.nickname ?? raw?.display_name ?? null;
}

function toPull(raw: z.output<typeof pullSchema>): Activity {
  const state = translate(bitbucketPullWords, raw.state);
  // the host notes no moment of it but the merge's own
  const closedAt = state === 'merged' || state === 'closed' ? (raw.merge_commit?.date ?? raw.updated_on) : null;
  return toPullRequest({
    number: raw.id,
    title: raw.title,
    url: raw.links?.html?.href,
    state,
    isDraft: raw.draft,
    author: loginIn(raw.author),
    assignees: [],
    reviewers: (raw.reviewers ?? []).flatMap((each) => loginIn(each) ?? []),
    labels: [],
    base: raw.destination?.branch?.name,
    head: raw.source?.branch?.name,
    commit: raw.source?.commit?.hash,
    createdAt: raw.created_on,
    updatedAt: raw.updated_on,
    mergedAt: state === 'merged' ? closedAt : null,
    closedAt,
  });
}

function toRun(raw: z.output<typeof runSchema>, page: string): Activity {
  const { state, target } = raw;
  const said = state?.result?.name ?? state?.stage?.name ?? state?.name;
  return toPipelineRun({
    id: raw.build_number,
    number: raw.build_number,
    name: `Pipeline ${raw.build_number}`,
    status: translate(bitbucketRunWords, said),
    event: raw.trigger?.name.toLowerCase(),
    branch: target?.ref_name ?? target?.source,
    commit: target?.commit?.hash,
    author: loginIn(raw.creator),
    url: `${page}/pipelines/results/${raw.build_number}`,
    begunAt: raw.created_on,
    endedAt: raw.completed_on,
  });
}

const allStates = Object.keys(bitbucketPullWords)
  .map((state) => `state=${state}&`)
  .join('');

/**
 * Pull requests and pipelines of Bitbucket Cloud. It has no releases, and no list of what changed in all repositories of a
 * workspace: asking each would use up its requests.
 */
export function bitbucketActivity({ web, ofRepository, findRepository }: BitbucketCalls): HostActivity {
  function readPulls(path: string, states: string, max: number, signal: AbortSignal) {
    return readPages(1, max, async (page) => {
      // lists leave these out unless asked for
      const fields = 'fields=%2Bvalues.reviewers,%2Bvalues.merge_commit.date';
      const paging = `pagelen=${Math.min(max, pullPageSize)}&page=${page}`;
      const answer = await ofRepository(path, `/pullrequests?${states}sort=-updated_on&${fields}&${paging}`, signal);
      const { values, next } = pageSchema.parse(JSON.parse(answer.text));
      return { items: z.array(pullSchema).parse(values).map(toPull), next: next ? page + 1 : null };
    });
  }

  /** The list of pipelines has no links from page to page; what says that it ends is how many there are. */
  function readRuns(path: string, max: number, signal: AbortSignal) {
    const pageLength = Math.min(max, runPageSize);
    return readPages(1, max, async (page) => {
      const rest = `/pipelines?sort=-created_on&pagelen=${pageLength}&page=${page}`;
      const answer = await ofRepository(path, rest, signal);
      const { values, size, pagelen } = pageSchema.parse(JSON.parse(answer.text));
      const isLast = size != null && size <= (page - 1) * (pagelen ?? pageLength) + values.length;
      const items = z.array(runSchema).parse(values);
      return { items: items.map((each) => toRun(each, `${web}/${path}`)), next: isLast ? null : page + 1 };
    });
  }

  return {
    findRepository,
    readers: {
      'pull-request': {
        list: ({ path }, bounds, signal) =>
          listPullRequests(
            bounds,
            (max) => readPulls(path, allStates, max, signal),
            (max) => readPulls(path, 'state=OPEN&', max, signal),
          ),
        async read({ path, id }, signal) {
          const rest = `/pullrequests/${encodeURIComponent(id)}?fields=%2Bmerge_commit.date`;
          return toPull(pullSchema.parse(JSON.parse((await ofRepository(path, rest, signal)).text)));
        },
      },
      'pipeline-run': {
        list: ({ path }, { max }, signal) => readRuns(path, max, signal),
        // events name it by its number, and the host finds it by another name only
        async read({ path, id }, signal) {
          const { items } = await readRuns(path, runPageSize, signal);
          const found = items.find((each) => each.id === id);
          if (!found) throw new RepositoryUnreadable(path, 404);
          return found;
        },
      },
    },
  };
}

const eventSchema = z.looseObject({
  repository: z.looseObject({ uuid: z.string(), full_name: z.string() }),
  pullrequest: z.looseObject({ id: z.number() }).nullish(),
  commit_status: z.looseObject({ url: z.string().nullish() }).nullish(),
});

/** Which of them an event is about; undefined for other events. Pipelines are told by the status of their commit. */
export function readActivityEvent(
  event: string,
  body: JqValue,
  findRepository: (path: string, signal: AbortSignal) => Promise<ListedRepository>,
): ActivityEvent | undefined {
  const said = eventSchema.safeParse(body);
  if (!said.success) return undefined;
  const { repository, pullrequest, commit_status: status } = said.data;
  const path = `${repository.full_name.split('/')[0]}/{${readId(repository.uuid)}}`;
  const about = (activity: ActivityKind, id: number | string | undefined): ActivityEvent | undefined =>
    id === undefined
      ? undefined
      : {
          kind: 'activity',
          activity,
          findRepository: (signal) => findRepository(path, signal),
          id: String(id),
          isDeleted: false,
        };
  if (event.startsWith('pullrequest:')) return about('pull-request', pullrequest?.id);
  if (!event.startsWith('repo:commit_status_')) return undefined;
  return about('pipeline-run', /\/pipelines\/(?:home#!\/)?results\/(\d+)/.exec(status?.url ?? '')?.[1]);
}
