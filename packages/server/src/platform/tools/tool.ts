import type { InvocationEvents } from '@portolan/contract';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';

/** What a tool may change: nothing, something, or something that cannot be taken back. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** What a running tool knows beside its input: who asks, and when to stop. */
export interface ToolContext {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** The invocation of the assistant that calls; absent where a person's client calls (MCP). */
  readonly invocation?: CallingInvocation;
  /** Told of what waits for a person's decision because of the call; whoever reads along is shown it. */
  readonly requestApproval?: (request: ApprovalRequest) => unknown;
}

/** The invocation on whose behalf a tool is called. */
export interface CallingInvocation {
  readonly id: string;
  /** Identifies the call within the invocation: the same call is carried out once. */
  readonly callId: string;
  /** Anything but `Automatic` means that nothing is executed without a person's decision. */
  readonly executionMode: string;
  readonly agent?: string;
  /** What was asked for, for people who decide. */
  readonly question: string;
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
  /** Whether calling it twice with the same arguments is as calling it once; reads are, and what is removed. */
  readonly isIdempotent?: boolean;
  /**
   * The scopes that a restricted token needs for it, all of them; null if any token will do. Without one only tokens
   * that may read everything (`read` tools) or do everything may call it.
   */
  readonly scope?: string | readonly string[] | null;
  /** Older names that patterns and calls may still use; never listed. */
  readonly aliases?: readonly string[];
  /** The name that patterns see instead of the one above, where that had to be made safe for models. */
  readonly matchedAs?: string;
  /** Does what several tools of its source do, and is selected by their names, never by its own. */
  readonly stands?: 'for-many';
  readonly input: Input;
  /** JSON-ready, small, paged. An `AppError` becomes a tool error the model can read and repair. */
  run(context: ToolContext, input: z.output<Input>): Promise<unknown>;
}

/** Declares a tool, inferring the type of its input. */
export function tool<Input extends z.ZodType>(declared: ToolDeclaration<Input>): ToolDeclaration {
  return declared as unknown as ToolDeclaration;
}
