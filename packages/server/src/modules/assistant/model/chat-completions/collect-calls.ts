import { randomUUID } from 'node:crypto';
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { type CallDelta, metadataKey } from './chunk.ts';

/** Puts tool calls together from their pieces. */
export interface CallCollector {
  push(delta: CallDelta, parts: LanguageModelV3StreamPart[]): void;
  /** Closes all calls, in the order of their indexes. */
  end(parts: LanguageModelV3StreamPart[]): void;
}

interface Call {
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  signature: string | undefined;
}

/**
 * A piece belongs to the call of its index, else to the call of its identifier, else to the last one; a name with
 * another identifier under a known index begins another call, since some servers number all calls 0. A call shows as
 * soon as its name is known. One without an identifier gets one, and a repeated identifier is replaced.
 */
export function createCallCollector(): CallCollector {
  const calls: Call[] = [];
  const ids = new Set<string>();

  const find = (index: number | undefined, id: string | undefined, name: string | undefined): Call | undefined => {
    if (index !== undefined) {
      const known = calls.findLast((call) => call.index === index);
      const isAnother = known?.name && name && id && known.id !== id;
      return isAnother ? undefined : known;
    }
    if (id !== undefined) return calls.findLast((call) => call.id === id);
    return name === undefined ? calls.at(-1) : undefined;
  };
  const begin = (call: Call, parts: LanguageModelV3StreamPart[], name: string): void => {
    call.name = name;
    if (call.id === undefined || ids.has(call.id)) call.id = randomUUID();
    ids.add(call.id);
    parts.push({ type: 'tool-input-start', id: call.id, toolName: name });
    if (call.arguments !== '') parts.push({ type: 'tool-input-delta', id: call.id, delta: call.arguments });
  };

  return {
    push(delta, parts) {
      const index = delta.index ?? undefined;
      const id = filled(delta.id);
      const name = filled(delta.function?.name);
      let call = find(index, id, name);
      if (!call) {
        call = { index, id, name: undefined, arguments: '', signature: undefined };
        calls.push(call);
      }
      call.signature ??= delta.extra_content?.google?.thought_signature ?? undefined;
      const written = delta.function?.arguments ?? undefined;
      const more = typeof written === 'object' ? JSON.stringify(written) : written;
      if (more !== undefined) call.arguments += more;
      if (call.name !== undefined) {
        if (more !== undefined) parts.push({ type: 'tool-input-delta', id: call.id!, delta: more });
        return;
      }
      call.id ??= id;
      if (name !== undefined) begin(call, parts, name);
    },
    end(parts) {
      const isNumbered = calls.every(({ index }) => index !== undefined);
      for (const call of isNumbered ? calls.toSorted((a, b) => a.index! - b.index!) : calls) {
        if (call.name === undefined || call.id === undefined) {
          parts.push({ type: 'error', error: new Error('The provider sent a tool call without a name') });
          continue;
        }
        const metadata: SharedV3ProviderMetadata | undefined = call.signature
          ? { [metadataKey]: { thoughtSignature: call.signature } }
          : undefined;
        parts.push(
          { type: 'tool-input-end', id: call.id },
          {
            type: 'tool-call',
            toolCallId: call.id,
            toolName: call.name,
            input: call.arguments,
            ...(metadata ? { providerMetadata: metadata } : {}),
          },
        );
      }
    },
  };
}

function filled(text: string | null | undefined): string | undefined {
  return text && text.trim() !== '' ? text : undefined;
}
