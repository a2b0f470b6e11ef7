import { crc32 } from 'node:zlib';
import type { ModelWire } from './model-wire.ts';

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
export const generateContent: ModelWire = {
  name: 'gemini',
  errorBody: (status) => ({
    error: { code: status, message: `mock says ${status} for key sk-secret-123456`, status: 'MOCK_ERROR' },
  }),
  begin(usage) {
    const chunk = (parts: unknown[], more: object = {}): string =>
      `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }] })}\n\n`;
    return {
      open: () => '',
      openText: () => '',
      text: (text) => chunk([{ text }]),
      closeText: () => '',
      call: (_index, name, args) => chunk([{ functionCall: { name, args: JSON.parse(args) } }]),
      error: () =>
        `data: ${JSON.stringify({ error: { code: 503, message: 'mock overloaded', status: 'UNAVAILABLE' } })}\n\n`,
      close: (reason) =>
        `data: ${JSON.stringify({
          candidates: [
            {
              index: 0,
              content: { role: 'model', parts: [] },
              finishReason: reason === 'length' ? 'MAX_TOKENS' : 'STOP',
            },
          ],
          usageMetadata: {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
          },
        })}\n\n`,
    };
  },
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const converse: ModelWire = {
  name: 'converse',
  encoding: 'latin1',
  contentType: 'application/vnd.amazon.eventstream',
  errorBody: (status) => ({ message: `mock says ${status} for key sk-secret-123456`, type: 'MockException' }),
  begin(usage) {
    let block = 0;
    return {
      open: () => frame('messageStart', { role: 'assistant' }),
      openText: () => '',
      text: (text) => frame('contentBlockDelta', { contentBlockIndex: block, delta: { text } }),
      closeText: () => frame('contentBlockStop', { contentBlockIndex: block++ }),
      call(index, name, args) {
        const at = block++;
        const middle = Math.floor(args.length / 2);
        return (
          frame('contentBlockStart', {
            contentBlockIndex: at,
            start: { toolUse: { toolUseId: `tooluse_${index}`, name } },
          }) +
          [args.slice(0, middle), args.slice(middle)]
            .map((input) => frame('contentBlockDelta', { contentBlockIndex: at, delta: { toolUse: { input } } }))
            .join('') +
          frame('contentBlockStop', { contentBlockIndex: at })
        );
      },
      error: () => frame('throttlingException', { message: 'mock overloaded' }, 'exception'),
      close: (reason) =>
        frame('messageStop', {
          stopReason: reason === 'tool-calls' ? 'tool_use' : reason === 'length' ? 'max_tokens' : 'end_turn',
        }) +
        frame('metadata', {
          usage: {
            inputTokens: usage.input,
            outputTokens: usage.output,
            totalTokens: usage.input + usage.output,
          },
          metrics: { latencyMs: 1 },
        }),
    };
  },
};

/** One message of the binary event stream of AWS, as latin1 text. */
function frame(type: string, payload: object, messageType: 'event' | 'exception' = 'event'): string {
  const headers = Buffer.concat([
    header(messageType === 'event' ? ':event-type' : ':exception-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', messageType),
  ]);
  const body = Buffer.from(JSON.stringify(payload), 'utf8');
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const start = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([start, checksum(start)]).toString('latin1');
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([7]),
    length,
    Buffer.from(value),
  ]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
