import type { InvocationEvents } from '@portolan/contract/invocation-stream';
import type { NumberedEvent } from '../event.store.ts';
import type { LoopEvent } from './loop-event.ts';

/**
 * Reconstructs an invocation's events from its stored stream: text, tool calls, results and approvals. Joins chunks and
 * keeps incomplete ones. The stream has no durations, and no results beyond those that readers saw.
 */
export function toLoopEvents(events: readonly NumberedEvent[]): LoopEvent[] {
  const told: LoopEvent[] = [];
  const calls = new Map<string, { name: string; arguments: string }>();
  const results = new Map<string, { content: string; isError: boolean }>();
  let lastResult = '';
  for (const { event, data } of events) {
    if (event === 'execution') told.push({ type: 'segment', text: data as InvocationEvents['execution'] });
    if (event === 'tool_call') {
      const { id, name = '', arguments: piece, lastChunk } = data as InvocationEvents['tool_call'];
      const call = calls.get(id) ?? { name, arguments: '' };
      call.arguments += piece;
      calls.set(id, call);
      if (lastChunk) told.push({ type: 'tool-call', id, ...call });
    }
    if (event === 'tool_result') {
      const { id, content, isError = false, lastChunk } = data as InvocationEvents['tool_result'];
      const result = results.get(id) ?? { content: '', isError };
      result.content += content;
      results.set(id, result);
      const name = calls.get(id)?.name ?? '';
      if (lastChunk)
        told.push({ type: 'tool-result', id, name, ...result, fullContent: result.content, durationMs: null });
      lastResult = id;
    }
    if (event === 'approval_request') {
      told.push({ type: 'approval-request', id: lastResult, request: data as InvocationEvents['approval_request'] });
    }
  }
  return told;
}
