import type { JqValue } from '@portolan/jq';
import type { ActivityKind } from '../../../src/modules/sources/git/git-host.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import type { World, WorldRelease, WorldRepository } from './world.ts';

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JqValue;
}

/** What the tests of all hosts have to know of one. */
export interface HostCase {
  readonly type: SourceType;
  readonly settings: object;
  readonly secrets: Readonly<Record<string, string>>;
  /** The file that gives all to `@acme/payments`. */
  readonly codeowners: string;
  fetch(world: World): typeof fetch;
  keyOf(repository: WorldRepository): string;
  /** Whether a request is for the content of a repository. */
  isAbout(repository: WorldRepository, url: URL, body: string): boolean;
  /** How it refuses a repository, where a status does not say so. */
  refusal?(url: URL, status: number): Response | undefined;
  /** Of a push to a branch. */
  push(repository: WorldRepository, branch: string, before: string): Delivery;
  /** Of what happened to a pull request, a run or a release; undefined where the host sends none. */
  about(repository: WorldRepository, kind: ActivityKind, id: string, isDeleted: boolean): Delivery | undefined;
  /** The id of a release. */
  releaseId(release: WorldRelease): string;
  /** Headers that prove a delivery. */
  prove(bytes: Buffer, secret: string): Readonly<Record<string, string>>;
  /** What the host has no word for, with the reason. */
  readonly lacks?: Readonly<
    Partial<Record<'archived' | 'members' | 'release' | 'changedPulls' | 'labels' | 'updatedAt', string>>
  >;
}
