import type { SourceCheck, SourceProblem } from '@portolan/contract/sources';
import type { JqValue } from '@portolan/jq';
import type { z } from 'zod';
import type { KeptAnswers } from './kept-answers.ts';

/** One raw document of a source: the input of its mapping. */
export interface SourceItem {
  /** Names it within the source for good, also after a rename: `github.com#1296269`, `component:default/petstore`. */
  readonly key: string;
  /** Which resources of the mapping apply: `repository`, `component`. */
  readonly kind: string;
  /** What the expressions see, without what changes although nothing changed. */
  readonly document: Readonly<Record<string, JqValue>>;
  /** Where its author finds it; problems of the item are shown there. */
  readonly place?: SourceProblem['place'];
}

/** What the source says is gone: evidence, not absence. */
export interface Tombstone {
  readonly key: string;
}

/** A part of a source as it was read. */
export interface SourcePage {
  readonly items: readonly SourceItem[];
  readonly gone?: readonly Tombstone[];
  readonly problems?: readonly SourceProblem[];
  /** Beginnings of keys that could not be read: what has such a key counts as seen, so that nothing of it is swept. */
  readonly unread?: readonly string[];
  /** Where the next page begins; null only where the host itself says that this was the last. */
  readonly next: JqValue | null;
  /** Requests made for it. */
  readonly requests: number;
  /** Shown while the sync goes on: "1,200 of 5,000 repositories". */
  readonly note?: string;
}

/** What a pass begins with. */
export interface PassStart {
  /** `full` reads all of it; `changes` what moved since `since`. */
  readonly mode: 'full' | 'changes';
  /** What the last completed pass left by `PassEnd.state`; null before the first. */
  readonly state: JqValue | null;
}

/** An open source. Errors: `SourceRefusal` for what the owner must mend, `Postponed` for limits, others are retried. */
export interface SourceReader {
  /** Tries the connection, in at most ten seconds. */
  check(signal: AbortSignal): Promise<{
    readonly checks: readonly SourceCheck[];
    readonly sample: readonly SourceItem[];
    readonly total: number | null;
  }>;
  /** Reads the page that begins at `cursor`, the first for null. The cursor outlives the process. */
  readPage(start: PassStart, cursor: JqValue | null, signal: AbortSignal): Promise<SourcePage>;
  /** What the next pass of `changes` begins with; asked once, before the first page. */
  readState?(start: PassStart, signal: AbortSignal): Promise<JqValue | null>;
  /** Has the host send events to the address, signed with the secret. True once it does. */
  registerHook?(address: string, secret: string, signal: AbortSignal): Promise<boolean>;
  /** Items and tombstones of an event that the host sent; undefined if it says nothing of the source. */
  readEvent?(event: SourceEvent, signal: AbortSignal): Promise<SourcePage | undefined>;
}

/** A verified delivery of the host. */
export interface SourceEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JqValue;
}

/** What the owner of the source must mend before it can go on: the source pauses, and nothing is deleted. */
export class SourceRefusal extends Error {
  readonly code: string;
  /** What to do about it. */
  readonly fix: string;

  constructor(code: string, message: string, fix: string) {
    super(message);
    this.name = 'SourceRefusal';
    this.code = code;
    this.fix = fix;
  }
}

/** What a reader is given of the outside. */
export interface ReaderPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** What the host answered before; without it, everything is asked for. */
  readonly answers?: KeptAnswers;
  /** The first pause before a failed request is repeated; doubles. */
  readonly retryMs?: number;
}

/** Resources for organizations whose `blueprint` has a relation with this name and target. */
export interface ModelMapping {
  readonly blueprint: string;
  readonly relation: string;
  readonly target: string;
  readonly resources: readonly Readonly<Record<string, unknown>>[];
}

/** Blueprints in the form of `POST /v1/blueprints`, and resources as in the configuration of an integration. */
export interface SourceParts {
  readonly blueprints: readonly Readonly<Record<string, unknown>>[];
  readonly mapping: readonly (Readonly<Record<string, unknown>> & { readonly kind?: unknown })[];
}

/** One kind of source, as data and a function that opens it. */
export interface SourceType<Settings extends z.ZodType = z.ZodType> {
  /** Its name on the wire: `backstage`, `github`. */
  readonly type: string;
  readonly title: string;
  /** One line: what it brings. */
  readonly summary: string;
  readonly section: string;
  /** Checked when the source is saved; also its form in the portal. */
  readonly settings: Settings;
  readonly secrets: readonly {
    readonly name: string;
    readonly title: string;
    readonly required: boolean;
    /** Of several lines, such as a key in a file. */
    readonly isLong?: boolean;
  }[];
  readonly scheduleMinutes: number | null;
  /** The days that an item stays after it is no longer listed; tombstones delete at once. */
  readonly graceDays: number;
  /** Relations to what does not exist: the entity is refused, or with `omit` written without them and tried again. */
  readonly missingTargets?: 'refuse' | 'omit';
  /** Blueprints that its mapping writes, in the form of `POST /v1/blueprints`; made where they are missing. */
  readonly blueprints: readonly Readonly<Record<string, unknown>>[];
  /** Resources, as in the configuration of an integration. */
  readonly defaultMapping: readonly Readonly<Record<string, unknown>>[];
  /** More resources of the default mapping, for a model that an organization may have. */
  readonly modelMapping?: ModelMapping;
  /** What the settings ask for besides. */
  optionalParts?(settings: z.output<Settings>): SourceParts;
  open(settings: z.output<Settings>, secrets: Readonly<Record<string, string>>, ports: ReaderPorts): SourceReader;
  /** Whether a delivery was sent by the host; in constant time. Without it, the source takes no events. */
  verifyEvent?(headers: Readonly<Record<string, string>>, bytes: Buffer, secret: string): boolean;
}
