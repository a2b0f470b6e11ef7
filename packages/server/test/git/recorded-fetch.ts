import { expect } from 'vitest';

/** One answer of a real host. */
export interface RecordedAnswer {
  readonly method: string;
  /** Path and query: the host stands anywhere. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const keptHeaders = ['content-type', 'link', 'x-total-count', 'etag', 'location'];

/** Passes requests on and keeps what came back. */
export function recordingFetch(through: typeof fetch, answers: RecordedAnswer[]): typeof fetch {
  return async (input, init) => {
    const answer = await through(input, init);
    const text = await answer.clone().text();
    const url = new URL(String(input));
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => keptHeaders.includes(name)));
    answers.push({
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      status: answer.status,
      headers,
      text,
    });
    return answer;
  };
}

/** Answers as the host did; a request that it was never sent fails the test. */
export function replayingFetch(answers: readonly RecordedAnswer[]): typeof fetch {
  const known = new Map(answers.map((answer) => [`${answer.method} ${answer.path}`, answer]));
  return async (input, init) => {
    const url = new URL(String(input));
    const asked = `${init?.method ?? 'GET'} ${url.pathname}${url.search}`;
    const answer = known.get(asked);
    if (!answer) return expect.fail(`the host was never asked ${asked}`);
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };
}
