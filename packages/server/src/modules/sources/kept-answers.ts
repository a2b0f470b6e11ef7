/** An answer of a host that may be needed again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** It will never be another one, so it need not be asked for. */
  readonly isFinal: boolean;
}

/** What a source was answered, as far as it is still kept; by whatever names the request. */
export interface KeptAnswers {
  find(request: string): KeptAnswer | undefined;
  keep(request: string, answer: KeptAnswer): void;
}

const bytesMax = 32 * 1024 * 1024;
/** Larger ones would push out too many others. */
const answerBytesMax = 1024 * 1024;
/** About what an answer takes beside its text. */
const overheadBytes = 500;

/**
 * Keeps answers in memory, those that were used last, as long as they take no more than 32 MB in all. Scopes share that
 * room and nothing else: a source never sees what another was answered, nor what it was answered with other credentials.
 */
export function createAnswerStore(limits = { bytesMax, answerBytesMax }): (scope: string) => KeptAnswers {
  const kept = new Map<string, KeptAnswer>();
  let bytes = 0;
  const sizeOf = (key: string, { text }: KeptAnswer): number => key.length + text.length + overheadBytes;
  const drop = (key: string): void => {
    const answer = kept.get(key);
    if (answer && kept.delete(key)) bytes -= sizeOf(key, answer);
  };
  return (scope) => ({
    find(request) {
      const key = `${scope}\n${request}`;
      const answer = kept.get(key);
      // a map is in the order of what was put in last
      if (answer && kept.delete(key)) kept.set(key, answer);
      return answer;
    },
    keep(request, answer) {
      const key = `${scope}\n${request}`;
      drop(key);
      const size = sizeOf(key, answer);
      if (size > limits.answerBytesMax) return;
      kept.set(key, answer);
      bytes += size;
      for (const oldest of kept.keys()) {
        if (bytes <= limits.bytesMax) break;
        drop(oldest);
      }
    },
  });
}
