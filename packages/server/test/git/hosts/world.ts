/** A commit with all of its files. */
export interface WorldCommit {
  readonly sha: string;
  readonly at: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface WorldPull {
  readonly number: number;
  state: 'open' | 'merged' | 'closed';
  readonly openedAt: string;
  /** When it was merged or closed, if it is. */
  changedAt: string;
  /** What the host says of its state, if not the usual. */
  readonly word?: string;
}

export interface WorldRun {
  readonly number: number;
  readonly status: 'success' | 'failure' | 'running';
  readonly begunAt: string;
  readonly endedAt: string;
  readonly word?: string;
}

export interface WorldRelease {
  readonly id: number;
  readonly tag: string;
  readonly at: string;
}

export interface WorldRepository {
  readonly id: number;
  name: string;
  isArchived: boolean;
  isFork: boolean;
  /** Oldest first; none in an empty repository. */
  commits: WorldCommit[];
  pulls: WorldPull[];
  runs: WorldRun[];
  releases: WorldRelease[];
}

/** What every fake host tells in its own way: one owner `acme` with repositories and a team. */
export interface World {
  repositories: WorldRepository[];
  readonly hooks: Map<string, unknown>;
  mayMakeHooks: boolean;
  /** Whether trees are larger than the host lists. */
  isTreeCut: boolean;
}

export const author = { name: 'Ada', email: 'ada@acme.example' };
export const team = { id: 7, slug: 'payments', name: 'Payments', member: 'ada' };

export function declaring(...names: readonly string[]): string {
  return names.map((name) => `- identifier: ${name}\n  blueprint: service\n`).join('');
}

export function makeRepository(id: number, codeowners: string, more: Partial<WorldRepository> = {}): WorldRepository {
  const name = `service-${id}`;
  const files = {
    CODEOWNERS: codeowners,
    'README.md': `# ${name}\n[docs](docs/a.md)`,
    'deep/er/port.yml': declaring(`${name}-deep`),
    'port.yml': declaring(name),
  };
  return {
    id,
    name,
    isArchived: false,
    isFork: false,
    commits: [{ sha: shaOf(id, 1), at: '2026-11-20T10:00:00.000Z', files }],
    pulls: [],
    runs: [],
    releases: [],
    ...more,
  };
}

/** A repository's next commit, which replaces files and removes those that are null. */
export function commitTo(
  repository: WorldRepository,
  at: string,
  changes: Readonly<Record<string, string | null>>,
): void {
  const before = repository.commits.at(-1)?.files ?? {};
  const files = Object.entries({ ...before, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const sha = shaOf(repository.id, repository.commits.length + 1);
  repository.commits.push({ sha, at, files: Object.fromEntries(files) });
}

export function makeWorld(repositories: WorldRepository[]): World {
  return { repositories, hooks: new Map(), mayMakeHooks: true, isTreeCut: false };
}

export function latest({ commits }: WorldRepository): WorldCommit | undefined {
  return commits.at(-1);
}

/** When it last changed, as lists have it. */
export function changedAt(repository: WorldRepository): string {
  return latest(repository)?.at ?? '2026-01-01T00:00:00.000Z';
}

export function headUntil({ commits }: WorldRepository, until: string): WorldCommit | undefined {
  return commits.filter(({ at }) => Date.parse(at) <= Date.parse(until)).at(-1);
}

/** Those of a page, by number from 1. */
export function cutPage<Item>(items: readonly Item[], page: number, size: number) {
  return { items: items.slice((page - 1) * size, page * size), isLast: page * size >= items.length };
}

/** How many pull requests, runs and releases a host tells at once, whatever it is asked for. */
export const activityPageMax = 2;
export const reviewer = 'grace';
export const label = 'bug';
export const runCommit = 'c0ffee';

/** Days of November 2026. */
export function day(number: number, time = '10:00:00'): string {
  return `2026-11-${String(number).padStart(2, '0')}T${time}.000Z`;
}

export function makePull(number: number, more: Partial<WorldPull> = {}): WorldPull {
  return { number, state: 'closed', openedAt: day(number), changedAt: day(number, '11:00:00'), ...more };
}

export function makeRun(number: number, more: Partial<WorldRun> = {}): WorldRun {
  return { number, status: 'failure', begunAt: day(number), endedAt: day(number, '10:01:30'), ...more };
}

export function latestFirst(pulls: readonly WorldPull[]): WorldPull[] {
  return pulls.toSorted((one, other) => other.changedAt.localeCompare(one.changedAt));
}

function shaOf(id: number, count: number): string {
  return `${String(id).padStart(20, 'a')}${String(count).padStart(20, '0')}`;
}
