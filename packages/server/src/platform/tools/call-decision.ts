import type { TextAuthor } from '../text-authors.ts';

/** How freely an assistant may run an action; set by administrators. */
export type ActionRisk = 'open' | 'standard' | 'strict' | 'never';

/** How an input could come to its value other than by somebody's words. */
export type InputForm = 'default' | 'closed' | 'entity' | 'text';

export interface CallInput {
  readonly key: string;
  readonly value: unknown;
  /** `closed` values (numbers, dates, values of a list) cannot hold an instruction. */
  readonly form: InputForm;
  /** Of the entities that the value names. */
  readonly blueprint?: string | undefined;
}

/** A call that changes something or leaves the platform, as the tool behind it describes it. */
export interface CallFacts {
  /**
   * Actions and workflows have drafts; calls to other servers have none. A `lookup` only reads there, and takes its
   * arguments along.
   */
  readonly kind: 'action' | 'workflow' | 'connected' | 'lookup';
  /** What rules of administrators call it: `workflow:<name>` for a form of a workflow. */
  readonly identifier: string;
  /** Identifier and title: what people call it. */
  readonly names: readonly string[];
  readonly isDestructive: boolean;
  readonly entity?: { readonly blueprint: string; readonly identifier: string } | undefined;
  readonly inputs: readonly CallInput[];
  /** The server that gets the call, with the names of all its tools: what they answered came from there. */
  readonly server?:
    | { readonly identifier: string; readonly tool: string; readonly tools: readonly string[] }
    | undefined;
  /** The version of the action, or of the form of a workflow, that would run; standing approvals are bound to it. */
  readonly action?: { readonly id: string; readonly version: number } | undefined;
  /** Why it waits for a person in any case. */
  readonly hold?: string | undefined;
  /** Whether a run of it waits for an approval, whoever asks. */
  readonly needsApproval: boolean;
  /** Whether an author has the right to make this very call now. */
  mayMake(author: TextAuthor): Promise<boolean>;
  /** Whether an author could make this very call now and approve it. Never where it is absent. */
  mayGive?(author: TextAuthor): Promise<boolean>;
}

/** Where the value of an input stands. */
export interface InputOrigin {
  readonly from: 'question' | 'context' | 'agent' | 'default' | 'closed' | 'read' | 'model' | 'person';
  /** For `read`: the tool and the call that showed it, and the authors of what was shown. */
  readonly tool?: string;
  readonly call?: string;
  readonly authors?: readonly TextAuthor[];
}

/** The rule that decided, one for each line of the table in `decide-call.ts`. */
export type CallRule =
  | 'manual'
  | 'never'
  | 'held'
  | 'standing'
  | 'asked-for'
  | 'open'
  | 'strict'
  | 'authority'
  | 'notes'
  | 'nothing-read'
  | 'read'
  | 'vouched'
  | 'egress'
  | 'limit';

/** What became of a call, with everything that it was decided by, so that it can be decided again. */
export interface CallDecision {
  readonly result: 'execute' | 'draft' | 'refuse';
  readonly rule: CallRule;
  /** For people; absent if the call is executed. */
  readonly reason?: string;
  /** Authors of the text that was read before the step of the call. */
  readonly label: readonly TextAuthor[];
  readonly risk: ActionRisk;
  readonly origins: Readonly<Record<string, InputOrigin>>;
  /** The standing approval that lets it run; it is used up in the transaction that stores the run. */
  readonly standing?: { readonly id: string; readonly givenBy: string };
  /** What would have happened had the organization enforced the rule. */
  readonly observed?: { readonly result: 'draft' | 'refuse'; readonly rule: CallRule; readonly reason: string };
}
