import { isRecord } from '@portolan/contract/json-value';
export type PeerAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Reads the answer to one request from chunks of a body: one JSON document or an event stream. */
export interface AnswerReader {
  /** True once the answer is complete; the rest need not be read. */
  push(text: string): boolean;
  end(): PeerAnswer | undefined;
}

/**
 * Skips the peer's requests and notifications before the answer: no capability was offered that they could use (MCP
 * 2025-11-25, Transports §Sending Messages).
 */
export function createAnswerReader(id: number): AnswerReader {
  let rest = '';
  let isStream: boolean | undefined;
  let data: string[] = [];
  let found: PeerAnswer | undefined;

  function readLine(line: string): void {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    if (line !== '') return;
    if (data.length > 0) found ??= answerIn(data.join('\n'), id);
    data = [];
  }

  return {
    push(text) {
      rest += text;
      isStream ??= isStreamed(rest);
      if (isStream !== true) return false;
      const end = rest.lastIndexOf('\n') + 1;
      if (end === 0) return false;
      const lines = rest.slice(0, end).split(/\r\n|\n/);
      rest = rest.slice(end);
      for (const line of lines.slice(0, -1)) readLine(line);
      return found !== undefined;
    },
    end() {
      if (isStream !== true) return answerIn(rest, id);
      for (const line of [...rest.split(/\r\n|\n/), '']) readLine(line);
      return found;
    },
  };
}

/** Undefined while only blanks were read. */
function isStreamed(text: string): boolean | undefined {
  const start = text.trimStart();
  return start === '' ? undefined : !/^[{[]/.test(start);
}

function answerIn(text: string, id: number): PeerAnswer | undefined {
  const parsed = parsedJson(text);
  // servers of 2025-03-26 may answer one request with a batch of one
  for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
    if (!isRecord(message)) continue;
    const { id: answered, result, error } = message;
    const isOurs = answered === id || (answered === null && error !== undefined);
    if (!isOurs) continue;
    if (isRecord(result)) return { result };
    if (isRecord(error)) {
      const { code, message: told } = error;
      return { error: { code: typeof code === 'number' ? code : 0, message: typeof told === 'string' ? told : '' } };
    }
  }
  return undefined;
}

/** Undefined if not JSON, or nested so deeply that a walk would overflow the stack. */
function parsedJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isDeep(parsed) ? undefined : parsed;
  } catch {
    return undefined;
  }
}

const depthMax = 500;

function isDeep(value: unknown): boolean {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next;
    if (typeof each !== 'object' || each === null) continue;
    if (depth > depthMax) return true;
    for (const inner of Object.values(each)) open.push([inner, depth + 1]);
  }
  return false;
}
