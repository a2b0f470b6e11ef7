import type { InvocationEvents } from '@portolan/contract/invocation-stream';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Tx } from '../db/database.ts';
import type { CallDecision, CallFacts } from './call-decision.ts';
import type { RecordsOf } from './tool-records.ts';

export type ToolEffect = 'read' | 'write' | 'destructive';

export interface ToolContext {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** The invocation that calls; absent for a person's client (MCP). */
  readonly invocation?: CallingInvocation;
  /** Called when the call waits for a person's decision, to show that to readers of the stream. */
  readonly requestApproval?: (request: ApprovalRequest) => unknown;
}

export interface CallingInvocation {
  readonly id: string;
  /** Identifies the call within the invocation; the same call runs once. */
  readonly callId: string;
  /** Unless it is `Automatic`, a person decides before anything runs. */
  readonly executionMode: string;
  readonly agent?: string;
  /** Shown to people who decide. */
  readonly question: string;
  /** Decides whether a call that changes something runs at once, by what the invocation had read before its step. */
  decide(facts: CallFacts): Promise<CallDecision>;
  /**
   * Counts a run against the standing approval that the call was decided by. False if that does not hold any more: the
   * call is decided again.
   */
  useStanding?(tx: Tx, decision: CallDecision, run: { readonly id: string; readonly at: Date }): Promise<boolean>;
}

/** What a person is to decide on, as the stream of an invocation shows it. */
export type ApprovalRequest = InvocationEvents['approval_request'];

/**
 * A tool, as a module declares it. The same declaration serves the assistant, `POST /v1/mcp` and tests; `run` calls
 * the use case that HTTP calls, as the caller. Names starting with `list_ get_ search_ track_ describe_` belong to
 * tools with effect `read`, names starting with `run_` to action tools (compatibility choices, Invocations; checked by a test).
 */
export interface ToolDeclaration<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** A product text for a model: what it answers, when to use it, what it returns. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** `developer` tools are offered to the assistant; `builder` tools only to administrators over MCP. */
  readonly audience: 'developer' | 'builder';
  /** Whether repeating the call with the same arguments changes nothing more; true for reads and removals. */
  readonly isIdempotent?: boolean;
  /**
   * Scopes a restricted token needs, all of them; null if any token will do. Undefined: only tokens that may read
   * everything (`read` tools) or do everything.
   */
  readonly scope?: string | readonly string[] | null;
  /** Older names that patterns and calls may still use; never listed. */
  readonly aliases?: readonly string[];
  /** The name that patterns match, if `name` had to be made safe for models. */
  readonly matchedAs?: string;
  /** Stands for several tools of its source: patterns select it by their names, never by its own. */
  readonly stands?: 'for-many';
  /** Runs whatever its arguments name, so that a caller who may run only some things does not get it. */
  readonly runsWhatIsNamed?: true;
  /**
   * Who wrote the text of results, for the rule that decides calls: `noted` by the use cases as they read, or `none`,
   * because results hold only closed values and the platform's own text. Absent: anybody from outside.
   */
  readonly texts?: 'noted' | 'none';
  /** What of a result a sentence may rest on. Absent: only the result as a whole. */
  readonly recordsOf?: RecordsOf;
  /** Who wrote its name and description, where that is not the platform. */
  readonly describedBy?: readonly string[];
  readonly input: Input;
  /** JSON-ready, small, paged. An `AppError` becomes a tool error the model can read and repair. */
  run(context: ToolContext, input: z.output<Input>): Promise<unknown>;
}

export function tool<Input extends z.ZodType>(declared: ToolDeclaration<Input>): ToolDeclaration {
  return declared as unknown as ToolDeclaration;
}
