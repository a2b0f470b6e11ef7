import type { SourceCheck } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import type { SourceEvent } from '../source-type.ts';
import type { CodeownersDialect } from './codeowners/codeowners.ts';
import type { FileAddresses } from './files/readme.ts';

/** A repository as a list of the host has it. */
export interface ListedRepository {
  /** Of the host, and the same after a rename. */
  readonly id: string;
  /** `acme/payments`. */
  readonly path: string;
  readonly defaultBranch: string;
  readonly isEmpty: boolean;
  readonly isArchived: boolean;
  readonly isFork: boolean;
  /** The neutral document as far as the list tells it. */
  readonly document: JqObject;
}

/** One whose host tells when it last changed. */
export interface DatedRepository extends ListedRepository {
  readonly updatedAt: Date;
}

export interface RepositoryHead {
  readonly sha: string;
  readonly document: JqObject;
}

export interface RepositoryDetails {
  /** Undefined for a repository without commits. */
  readonly head: RepositoryHead | undefined;
  /** More of the neutral document. */
  readonly document: JqObject;
}

export interface TreeFile {
  readonly path: string;
  /** 0 where the host does not tell. */
  readonly bytes: number;
}

export interface RepositoryTree {
  readonly files: readonly TreeFile[];
  /** Whether the host left files out. */
  readonly isTruncated: boolean;
}

export interface HostList<Item> {
  readonly items: readonly Item[];
  /** Null only where the host says that the list ends. */
  readonly next: JqValue | null;
  readonly total: number | null;
  /** Whose list the credentials may not see: it is not empty for that. */
  readonly unreadable?: string;
}

/** What happens in a repository beside its commits. */
export type ActivityKind = 'pull-request' | 'pipeline-run' | 'release';

export interface Activity {
  /** Unique among those of its kind in the repository. */
  readonly id: string;
  /** The neutral document, without the repository. */
  readonly document: JqObject;
}

export interface ActivityList {
  readonly items: readonly Activity[];
  /** There are no others: the list was read to its end. */
  readonly isWhole: boolean;
}

export interface ActivityBounds {
  /** How many of the latest are read. */
  readonly max: number;
  /** How many pull requests are open, if the host tells; all open ones are read, however old. */
  readonly open: number | undefined;
}

/** Names one of them. */
export interface ActivityName {
  readonly path: string;
  readonly id: string;
}

/** How one kind is read. Errors as of `GitHost`. */
export interface ActivityReader {
  /** The latest of a repository first. */
  list(repository: ListedRepository, bounds: ActivityBounds, signal: AbortSignal): Promise<ActivityList>;
  /** One of them as it is now; undefined for what nobody but its author may see. */
  read(name: ActivityName, signal: AbortSignal): Promise<Activity | undefined>;
}

/** The part of a Git host that tells of activity. Errors as of `GitHost`. */
export interface HostActivity {
  /** Of the kinds that the host has. */
  readonly readers: Readonly<Partial<Record<ActivityKind, ActivityReader>>>;
  /** Pull requests of all repositories that changed since; absent where the host has no such list. */
  listChanged?(cursor: JqValue | null, since: Date, signal: AbortSignal): Promise<HostList<ActivityName>>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

/** What an event of the host says. */
export type HostEvent =
  | { readonly kind: 'changed'; readonly repository: ListedRepository; readonly before?: string }
  /** By a path that finds it as long as it is there. */
  | { readonly kind: 'deleted'; readonly id: string; readonly path: string }
  | ActivityEvent;

export interface ActivityEvent {
  readonly kind: 'activity';
  readonly activity: ActivityKind;
  /** Asked only for kinds that are read: most events of a busy host are of others. */
  findRepository(signal: AbortSignal): Promise<ListedRepository>;
  readonly id: string;
  /** The host says that it was deleted. */
  readonly isDeleted: boolean;
}

/** A read that the host refuses or does not know, for one repository only: it may be private by now, or gone. */
export class RepositoryUnreadable extends Error {
  readonly status: number;

  constructor(path: string, status: number) {
    super(`The host answers ${status} for "${path}"`);
    this.name = 'RepositoryUnreadable';
    this.status = status;
  }
}

/** One Git host behind one set of credentials. Errors as of `SourceReader`, and `RepositoryUnreadable`. */
export interface GitHost {
  /** Of its address: `github.com`. */
  readonly name: string;
  readonly dialect: CodeownersDialect;
  /** Requests made so far. */
  requestCount(): number;
  check(signal: AbortSignal): Promise<readonly SourceCheck[]>;
  /** All repositories, or with `since` the latest changed first. */
  listRepositories(
    cursor: JqValue | null,
    since: Date | undefined,
    signal: AbortSignal,
  ): Promise<HostList<ListedRepository>>;
  describe(repository: ListedRepository, signal: AbortSignal): Promise<RepositoryDetails>;
  listTree(path: string, sha: string, signal: AbortSignal): Promise<RepositoryTree>;
  /** Files that are there, by path. */
  readFiles(
    path: string,
    sha: string,
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** The commit that was the head of the default branch at a moment. */
  headAt(repository: ListedRepository, at: Date, signal: AbortSignal): Promise<string | undefined>;
  listTeams(cursor: JqValue | null, signal: AbortSignal): Promise<HostList<JqObject>>;
  addressesOf(path: string, sha: string): FileAddresses;
  /** Has the host send events of all that the source reads; false where it cannot for some of it. */
  registerHook(address: string, secret: string, signal: AbortSignal): Promise<boolean>;
  /** Asks the host for what the event leaves out. */
  readEvent(event: SourceEvent, signal: AbortSignal): Promise<HostEvent | undefined>;
  /** Pull requests, pipeline runs and releases, where they are asked for. */
  readonly activity: HostActivity;
}
