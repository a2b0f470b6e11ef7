import type { JqObject } from '@portolan/jq';
import type { Activity } from '../git-host.ts';
import type { PullState, RunStatus } from './activity-words.ts';
import { isoTime } from './read-answers.ts';

type Maybe<Value> = Value | null | undefined;

/** What hosts tell of a pull request; moments as they write them. */
interface PullFacts {
  readonly number: number;
  readonly title: string;
  readonly url: Maybe<string>;
  readonly state: PullState | null;
  readonly isDraft: Maybe<boolean>;
  readonly author: Maybe<string>;
  readonly assignees: readonly string[];
  readonly reviewers: readonly string[];
  readonly labels: readonly string[];
  readonly base: Maybe<string>;
  readonly head: Maybe<string>;
  readonly commit: Maybe<string>;
  readonly createdAt: Maybe<string>;
  readonly updatedAt: Maybe<string>;
  readonly mergedAt: Maybe<string>;
  readonly closedAt: Maybe<string>;
}

/** The same on every host, so that one mapping works for all. */
export function toPullRequest({ isDraft, ...facts }: PullFacts): Activity {
  const { number, title, state, assignees, reviewers, labels } = facts;
  const document: JqObject = {
    number,
    title,
    url: facts.url ?? null,
    state,
    draft: isDraft === true,
    author: facts.author ?? null,
    assignees: [...assignees],
    reviewers: [...reviewers],
    labels: [...labels],
    base: facts.base ?? null,
    head: facts.head ?? null,
    commit: facts.commit ?? null,
    createdAt: isoTime(facts.createdAt ?? null),
    updatedAt: isoTime(facts.updatedAt ?? null),
    mergedAt: isoTime(facts.mergedAt ?? null),
    closedAt: isoTime(facts.closedAt ?? null),
  };
  return { id: String(number), document };
}

interface RunFacts {
  readonly id: number;
  readonly number: Maybe<number | string>;
  readonly name: string;
  readonly status: RunStatus | null;
  readonly event: Maybe<string>;
  readonly branch: Maybe<string>;
  readonly commit: Maybe<string>;
  readonly author: Maybe<string>;
  readonly url: Maybe<string>;
  readonly begunAt: Maybe<string>;
  /** Counts only if the status says that it is over. */
  readonly endedAt: Maybe<string>;
}

const isOver: ReadonlySet<RunStatus | null> = new Set(['success', 'failure', 'cancelled', 'skipped'] as const);

export function toPipelineRun({ id, begunAt, endedAt, ...facts }: RunFacts): Activity {
  const begun = isoTime(begunAt ?? null);
  const ended = isOver.has(facts.status) ? isoTime(endedAt ?? null) : null;
  const document: JqObject = {
    number: facts.number ?? null,
    name: facts.name,
    status: facts.status,
    event: facts.event ?? null,
    branch: facts.branch || null,
    commit: facts.commit ?? null,
    author: facts.author ?? null,
    url: facts.url ?? null,
    createdAt: begun,
    endedAt: ended,
    durationSeconds: begun && ended ? Math.max(0, (Date.parse(ended) - Date.parse(begun)) / 1000) : null,
  };
  return { id: String(id), document };
}

interface ReleaseFacts {
  readonly id: string;
  readonly tag: string;
  readonly name: Maybe<string>;
  readonly notes: Maybe<string>;
  /** Null where the host has no such thing. */
  readonly isPrerelease: boolean | null;
  readonly author: Maybe<string>;
  readonly url: Maybe<string>;
  readonly createdAt: Maybe<string>;
  readonly publishedAt: Maybe<string>;
}

const notesMax = 50_000;

export function toRelease({ id, isPrerelease, ...facts }: ReleaseFacts): Activity {
  const document: JqObject = {
    tag: facts.tag,
    name: facts.name || facts.tag,
    notes: (facts.notes ?? '').slice(0, notesMax),
    prerelease: isPrerelease,
    author: facts.author ?? null,
    url: facts.url ?? null,
    createdAt: isoTime(facts.createdAt ?? null),
    publishedAt: isoTime(facts.publishedAt ?? facts.createdAt ?? null),
  };
  return { id, document };
}
