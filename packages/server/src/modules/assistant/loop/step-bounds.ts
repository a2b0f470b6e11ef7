import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';

/** Bounds of one model answer. */
export interface StepBounds {
  readonly callsMax: number;
  /** Arguments of one call, as written. */
  readonly callBytesMax: number;
  readonly argumentBytesMax: number;
  /** A tool's name, and the provider's id of a call. */
  readonly nameCharactersMax: number;
  readonly textBytesMax: number;
  /** Reasoning, and metadata that the provider wants back. */
  readonly reasoningBytesMax: number;
  /** Parts of any kind; also ends a stream of very many empty pieces. */
  readonly partsMax: number;
}

/**
 * Far above what a model writes within `outputTokensMax`, and cheap to hold in memory: no model or server can make a
 * step cost more.
 */
export const stepBounds: StepBounds = {
  callsMax: 16,
  callBytesMax: 64 * 1024,
  argumentBytesMax: 256 * 1024,
  nameCharactersMax: 128,
  textBytesMax: 256 * 1024,
  reasoningBytesMax: 1024 * 1024,
  partsMax: 250_000,
};

/** Why reading stops: the text is cut there, or the answer is discarded. */
export interface Excess {
  readonly ends: 'text' | 'step';
  readonly message: string;
}

/** Measures an answer part by part, before anything is stored. */
export interface StepGauge {
  weigh(part: LanguageModelV3StreamPart): Excess | undefined;
  readonly textBytesLeft: number;
}

export function createStepGauge(bounds: StepBounds = stepBounds): StepGauge {
  const written = new Map<string, number>();
  let argumentBytes = 0;
  let textBytes = 0;
  let reasoningBytes = 0;
  let parts = 0;

  const begin = (id: string, name: string): Excess | undefined => {
    if (written.has(id)) return undefined;
    if (written.size >= bounds.callsMax) {
      return tooMuch(`more than ${bounds.callsMax} tool calls at once; ask for at most ${bounds.callsMax}`);
    }
    if (name.length > bounds.nameCharactersMax || id.length > bounds.nameCharactersMax) {
      return tooMuch(`a tool whose name is longer than ${bounds.nameCharactersMax} characters`);
    }
    written.set(id, 0);
    return undefined;
  };
  /** Deltas accumulate; a complete call adds only the bytes that its deltas did not. */
  const write = (id: string, bytes: number): Excess | undefined => {
    argumentBytes += bytes - (written.get(id) ?? 0);
    written.set(id, bytes);
    if (bytes > bounds.callBytesMax) {
      return tooMuch(`a tool call with arguments of more than ${bounds.callBytesMax} bytes; send less at once`);
    }
    if (argumentBytes > bounds.argumentBytesMax) {
      return tooMuch(
        `tool calls with arguments of more than ${bounds.argumentBytesMax} bytes in all; send less at once`,
      );
    }
    return undefined;
  };
  const think = (bytes: number): Excess | undefined => {
    reasoningBytes += bytes;
    return reasoningBytes > bounds.reasoningBytesMax
      ? tooMuch(`thoughts of more than ${bounds.reasoningBytesMax} bytes; answer directly`)
      : undefined;
  };
  const weighContent = (part: LanguageModelV3StreamPart): Excess | undefined => {
    switch (part.type) {
      case 'text-delta': {
        const bytes = Buffer.byteLength(part.delta);
        if (textBytes + bytes > bounds.textBytesMax) {
          return {
            ends: written.size === 0 ? 'text' : 'step',
            message: `The answer is longer than ${bounds.textBytesMax} bytes`,
          };
        }
        textBytes += bytes;
        return undefined;
      }
      case 'reasoning-delta':
        return think(Buffer.byteLength(part.delta));
      case 'tool-input-start':
        return begin(part.id, part.toolName);
      case 'tool-input-delta':
        return begin(part.id, '') ?? write(part.id, (written.get(part.id) ?? 0) + Buffer.byteLength(part.delta));
      case 'tool-call':
        return (
          begin(part.toolCallId, part.toolName) ??
          write(part.toolCallId, Math.max(written.get(part.toolCallId) ?? 0, Buffer.byteLength(part.input)))
        );
      default:
        return undefined;
    }
  };
  return {
    get textBytesLeft() {
      return bounds.textBytesMax - textBytes;
    },
    weigh(part) {
      parts += 1;
      if (parts > bounds.partsMax) return tooMuch(`more than ${bounds.partsMax} pieces`);
      const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined;
      return weighContent(part) ?? (metadata ? think(JSON.stringify(metadata).length) : undefined);
    },
  };
}

function tooMuch(what: string): Excess {
  return { ends: 'step', message: `Your last answer was not carried out: it held ${what}` };
}
