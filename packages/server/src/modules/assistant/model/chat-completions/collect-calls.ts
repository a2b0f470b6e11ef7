import { randomUUID } from 'node:crypto';
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { stepBounds } from '../../loop/step-bounds.ts';
import { type CallDelta, metadataKey } from './chunk.ts';

export interface CallCollector {
  push(delta: CallDelta, parts: LanguageModelV3StreamPart[]): void;
  /** Closes all calls, ordered by index. */
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
 * A piece belongs to the call of its index, else of its identifier, else to the last one; a name with another
 * identifier under a known index starts a new call, because some servers number all calls 0. A call is emitted once its
 * name is known. Missing identifiers are generated, and repeated ones replaced. A piece costs the same however many
 * calls there are, and only enough is kept to show that a bound is exceeded.
 */
export function createCallCollector(): CallCollector {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  const byId = new Map<string, Call>();
  const find = (index: number | undefined, id: string | undefined, name: string | undefined): Call | undefined => {
    if (index !== undefined) {
      const known = byIndex.get(index);
      const isAnother = known?.name && name && id && known.id !== id;
      return isAnother ? undefined : known;
    }
    if (id !== undefined) return byId.get(id);
    return name === undefined ? calls.at(-1) : undefined;
  };
  const add = (index: number | undefined, id: string | undefined): Call => {
    const call: Call = { index, id, name: undefined, arguments: '', signature: undefined };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };
  const begin = (call: Call, parts: LanguageModelV3StreamPart[], name: string): void => {
    call.name = name;
    const isTaken = call.id !== undefined && (byId.get(call.id) ?? call) !== call;
    if (call.id === undefined || isTaken) call.id = randomUUID();
    byId.set(call.id, call);
    parts.push({ type: 'tool-input-start', id: call.id, toolName: name });
    if (call.arguments !== '') parts.push({ type: 'tool-input-delta', id: call.id, delta: call.arguments });
  };
  return {
    push(delta, parts) {
      const index = delta.index ?? undefined;
      const id = filled(delta.id);
      const name = filled(delta.function?.name);
      const known = find(index, id, name);
      if (!known && calls.length > stepBounds.callsMax) return;
      const call = known ?? add(index, id);
      if (call.id !== undefined && !byId.has(call.id)) byId.set(call.id, call);
      call.signature ??= delta.extra_content?.google?.thought_signature ?? undefined;
      const written = delta.function?.arguments ?? undefined;
      const more = typeof written === 'object' ? JSON.stringify(written) : written;
      if (more !== undefined && call.arguments.length <= stepBounds.callBytesMax) call.arguments += more;
      if (call.name !== undefined) {
        if (more !== undefined) parts.push({ type: 'tool-input-delta', id: call.id!, delta: more });
        return;
      }
      if (call.id === undefined && id !== undefined) {
        call.id = id;
        if (!byId.has(id)) byId.set(id, call);
      }
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
