import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { boundOutput } from '../../src/modules/assistant/loop/tool-output.ts';
import { createPlanner } from '../../src/modules/assistant/model/built-in/planner.ts';
import { systemActor } from '../../src/platform/actor.ts';
import { callTool } from '../../src/platform/tools/call-tool.ts';
import type { TestApp } from '../build-test-app.ts';
import { demoNow } from './demo-questions.ts';

const stepsMax = 12;
const outputBytesMax = 32 * 1024;
const readOnly = /^(list|get|search|track|describe)_/;

/** The planner's answer over the tools of a request, without an invocation: for questions in great number. */
export async function askDirectly({ app }: TestApp, orgId: string, text: string): Promise<string> {
  const planner = createPlanner('planner');
  const tools = app.tools.tools
    .filter(({ declaration }) => declaration.audience === 'developer' && readOnly.test(declaration.name))
    .map(
      ({ declaration, inputSchema }): LanguageModelV3FunctionTool => ({
        type: 'function',
        name: declaration.name,
        inputSchema: inputSchema as LanguageModelV3FunctionTool['inputSchema'],
      }),
    );
  const today = demoNow.toISOString().slice(0, 10);
  const prompt: LanguageModelV3Prompt = [
    { role: 'system', content: `Context\nToday is ${today} (UTC).` },
    { role: 'user', content: [{ type: 'text', text }] },
  ];
  for (let step = 0; step < stepsMax; step += 1) {
    const { content } = await planner.doGenerate({ prompt, tools });
    const [part] = content;
    if (part?.type === 'text') return part.text;
    if (part?.type !== 'tool-call') break;
    const { toolCallId, toolName } = part;
    const input: unknown = JSON.parse(part.input);
    const outcome = await callTool(app.tools, toolName, input, {
      actor: systemActor(orgId),
      signal: new AbortController().signal,
    });
    const { bounded: value } = boundOutput(outcome.content, outputBytesMax);
    prompt.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] });
    const output = { type: outcome.isError ? ('error-text' as const) : ('text' as const), value };
    prompt.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
  }
  throw new Error(`no answer to: ${text}`);
}
