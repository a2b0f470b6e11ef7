import type { z } from 'zod';
import type { Actor } from '../actor.ts';

/** What a tool may change: nothing, something, or something that cannot be taken back. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** What a running tool knows beside its input: who asks, and when to stop. */
export interface ToolContext {
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

/**
 * A tool, as a module declares it. The same declaration serves the assistant, `POST /v1/mcp` and tests; `run` calls
 * the use case that HTTP calls, as the caller. Names starting with `list_ get_ search_ track_ describe_` belong to
 * tools with effect `read`, names starting with `run_` to action tools (docs/decisions; checked by a test).
 */
export interface ToolDeclaration<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** A product text for a model: what it answers, when to use it, what it returns. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** `developer` tools are offered to the assistant; `builder` tools only to administrators over MCP. */
  readonly audience: 'developer' | 'builder';
  /**
   * The scope that a restricted token needs for it; null if any will do. Without one only tokens that may read
   * everything (`read` tools) or do everything may call it.
   */
  readonly scope?: string | null;
  /** Older names that patterns and calls may still use; never listed. */
  readonly aliases?: readonly string[];
  readonly input: Input;
  /** JSON-ready, small, paged. An `AppError` becomes a tool error the model can read and repair. */
  run(context: ToolContext, input: z.output<Input>): Promise<unknown>;
}

/** Declares a tool, inferring the type of its input. */
export function tool<Input extends z.ZodType>(declared: ToolDeclaration<Input>): ToolDeclaration {
  return declared as unknown as ToolDeclaration;
}
