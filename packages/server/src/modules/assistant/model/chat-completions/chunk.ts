/** The fields of a Chat Completions chunk that are read. Providers omit and add fields. */
export interface Chunk {
  readonly id?: string | null;
  readonly created?: number | null;
  readonly model?: string | null;
  readonly choices?: readonly Choice[] | null;
  readonly usage?: ChunkUsage | null;
  readonly error?: unknown;
}

interface Choice {
  readonly delta?: Delta | null;
  readonly finish_reason?: string | null;
}

interface Delta {
  readonly content?: string | readonly ContentPart[] | null;
  /** Most providers with reasoning send the first; some open-model servers the second. */
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
}

export interface ContentPart {
  readonly type?: string;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

/** A piece of a tool call. Providers that send whole calls omit the index. */
export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: {
    readonly name?: string | null;
    /** JSON text; an object if the provider parsed it. */
    readonly arguments?: string | object | null;
  } | null;
  readonly extra_content?: { readonly google?: { readonly thought_signature?: string | null } | null } | null;
}

export interface ChunkUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/** Key of metadata that the provider wants back with the next request. */
export const metadataKey = 'openai-compatible';
