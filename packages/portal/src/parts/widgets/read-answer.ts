import { createEventDecoder } from '@portolan/contract/invocation-stream-decoder';

/** Reads the stream of an invocation and passes on the text so far. @throws the error that the stream reports */
export async function readAnswer(response: Response, onText: (text: string) => void): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) throw new Error('The answer has no body');
  const decoder = createEventDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event, data } of decoder.push(value)) {
      if (event === 'error') throw new Error(parseMessage(data));
      if (event !== 'execution') continue;
      text += data;
      onText(text);
    }
  }
}

function parseMessage(data: string): string {
  try {
    const { message } = JSON.parse(data) as { message?: unknown };
    return typeof message === 'string' ? message : data;
  } catch {
    return data;
  }
}
