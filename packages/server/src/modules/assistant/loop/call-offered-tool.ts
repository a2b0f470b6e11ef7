import { AppError, asAppError } from '../../../platform/errors.ts';
import type { ToolOutcome } from '../../../platform/tools/call-tool.ts';
import { abortReason } from '../model/open-model-stream.ts';
import type { RequestedCall } from './read-step.ts';

/**
 * Calls a tool by its offered name; `callId` is unique in the invocation. Should not reject; a rejection becomes a tool
 * error.
 */
export type CallTool = (name: string, input: unknown, signal: AbortSignal, callId: string) => Promise<ToolOutcome>;

export interface OfferedToolOptions {
  readonly callTool: CallTool;
  readonly callId: string;
  readonly offered: ReadonlySet<string>;
  readonly toolMs: number;
  readonly signal: AbortSignal;
}

/** Executes a call. Never rejects: every failure is a result that the model can read. */
export async function callOfferedTool(call: RequestedCall, options: OfferedToolOptions): Promise<ToolOutcome> {
  const { callTool, callId, offered, toolMs, signal } = options;
  if (!offered.has(call.name)) {
    const names = [...offered].join(', ') || 'none';
    return failed('not_found', `There is no tool named ${call.name.slice(0, 100)}. Tools on offer: ${names}`);
  }
  if (call.input === undefined) return failed('invalid_request', 'The arguments are not valid JSON');
  const stop = new AbortController();
  const follow = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  let deadline: NodeJS.Timeout | undefined;
  try {
    if (signal.aborted) follow();
    return await new Promise<ToolOutcome>((resolve, reject) => {
      if (stop.signal.aborted) return reject(abortReason(stop.signal));
      stop.signal.addEventListener('abort', () => reject(abortReason(stop.signal)), { once: true });
      deadline = setTimeout(() => {
        stop.abort(new AppError('service_unavailable', `${call.name} did not answer within ${toolMs / 1000} s`));
      }, toolMs);
      callTool(call.name, call.input, stop.signal, callId).then(resolve, reject);
    });
  } catch (error) {
    const told = asAppError(error, `${call.name} failed inside`);
    return failed(told.code, told.message);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', follow);
  }
}

export function refusedCall(callsMax: number): ToolOutcome {
  return failed('invocation_limit_reached', `No more than ${callsMax} tool calls are made. Answer with what you have.`);
}

function failed(error: AppError['code'], message: string): ToolOutcome {
  return { isError: true, content: { error, message } };
}
