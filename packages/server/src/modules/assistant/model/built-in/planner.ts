import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { unfenceOutput } from '../../loop/tool-output.ts';
import { readEarlier } from './follow-up.ts';
import { planAnswer } from './plan.ts';
import { type Answer, type Ask, type OfferedTools, type Reply, refused } from './plan-steps.ts';

/** Marks every step as not written by a language model, and an answer with what became of the question. */
function metadataOf(outcome: Answer['outcome'] | undefined) {
  return { 'built-in': { isLanguageModel: false, ...(outcome ? { outcome } : {}) } };
}

const noTokens: LanguageModelV3Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * A small deterministic planner with a language model's interface: maps common catalog questions to tool calls and
 * writes a plain answer. The same conversation always gives the same step. Needs no key and no network.
 */
export function createPlanner(modelId: string): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'built-in',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const { content, finishReason, outcome } = nextStep(options);
      return { content, finishReason, usage: noTokens, providerMetadata: metadataOf(outcome), warnings: [] };
    },
    async doStream(options) {
      const { content, finishReason, outcome } = nextStep(options);
      const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: [] }];
      for (const part of content) {
        if (part.type === 'text') parts.push(...textParts(part.text));
        else parts.push(part as LanguageModelV3StreamPart);
      }
      parts.push({ type: 'finish', finishReason, usage: noTokens, providerMetadata: metadataOf(outcome) });
      return { stream: toStream(parts) };
    },
  };
}

interface Step {
  readonly content: LanguageModelV3Content[];
  readonly finishReason: LanguageModelV3FinishReason;
  /** Absent while tools are called. */
  readonly outcome?: Answer['outcome'];
}

function nextStep({ prompt, tools = [], toolChoice }: LanguageModelV3CallOptions): Step {
  const offered: OfferedTools = new Map(
    tools.flatMap((tool) =>
      tool.type === 'function'
        ? [[tool.name, { description: tool.description ?? '', inputSchema: tool.inputSchema }]]
        : [],
    ),
  );
  const { question, replies } = readConversation(prompt);
  const plan = planAnswer(question, offered, readToday(prompt), readEarlier(prompt));
  let step = plan.next();
  for (const reply of replies) {
    if (step.done) break;
    step = plan.next(reply);
  }
  if (step.done) return answer(step.value);
  if (toolChoice?.type === 'none') {
    return answer(refused('It would take more tool calls than one question may make.'));
  }
  return call(step.value, replies.length);
}

function answer({ text, outcome }: Answer): Step {
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, outcome };
}

function call({ name, args }: Ask, position: number): Step {
  const part = {
    type: 'tool-call',
    toolCallId: `step-${position + 1}`,
    toolName: name,
    input: JSON.stringify(args),
  } as const;
  return { content: [part], finishReason: { unified: 'tool-calls', raw: 'tool-calls' } };
}

/** The day that the system prompt names last, in our own part of it; the day of this machine if it names none. */
function readToday(prompt: LanguageModelV3Prompt): string {
  const system = prompt
    .flatMap((message) => {
      if (message.role === 'system') return [message.content];
      // in a conversation it stands beside the question, which is the first part
      return message.role === 'user'
        ? message.content.slice(1).map((part) => (part.type === 'text' ? part.text : ''))
        : [];
    })
    .join('\n');
  const days = [...system.matchAll(/^Today is (\d{4}-\d\d-\d\d) \(UTC\)\./gm)];
  return days.at(-1)?.[1] ?? new Date().toISOString().slice(0, 10);
}

/** The last question and the tool results after it, in the order of calls. */
function readConversation(prompt: LanguageModelV3Prompt): { question: string; replies: Reply[] } {
  const asked = prompt.findLastIndex((message) => message.role === 'user');
  const message = prompt[asked];
  // the first text is the question, the others stand beside it
  const [first] = message?.role === 'user' ? message.content : [];
  const question = first?.type === 'text' ? first.text : '';
  const replies: Reply[] = [];
  for (const later of prompt.slice(asked + 1)) {
    if (later.role !== 'tool') continue;
    for (const part of later.content) if (part.type === 'tool-result') replies.push(toReply(part.output));
  }
  return { question, replies };
}

function toReply(output: LanguageModelV3ToolResultPart['output']): Reply {
  switch (output.type) {
    case 'json':
    case 'error-json':
      return { isError: output.type === 'error-json', content: output.value };
    case 'text':
    case 'error-text':
      return { isError: output.type === 'error-text', content: readContent(unfenceOutput(output.value)) };
    default:
      return { isError: true, content: { message: 'the call was refused' } };
  }
}

function readContent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const deltaCharacters = 48;

/** Splits text between words, as a model would. */
function textParts(text: string): LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [{ type: 'text-start', id: 'answer' }];
  // marks are taken out before anybody reads them, so the cuts are as if they were not there
  const pieces = text.split(/(\[\^[rucxk]\d+\])/);
  let delta = '';
  let length = 0;
  const cut = (): void => {
    if (delta !== '') parts.push({ type: 'text-delta', id: 'answer', delta });
    delta = '';
    length = 0;
  };
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1) {
      delta += piece;
      continue;
    }
    for (const sign of piece) {
      delta += sign;
      length += sign.length;
      if (length > deltaCharacters && /\s/.test(sign)) cut();
    }
  }
  cut();
  parts.push({ type: 'text-end', id: 'answer' });
  return parts;
}

function toStream(parts: readonly LanguageModelV3StreamPart[]): ReadableStream<LanguageModelV3StreamPart> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const part = parts[next++];
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
}
