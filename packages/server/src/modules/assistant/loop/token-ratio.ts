import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { LRUCache } from 'lru-cache';

/** How many tokens a character of a prompt is, for each model; no tokenizer is shipped. */
export interface TokenRatios {
  of(model: string): number;
  /** Corrects the estimate by what a provider reported for a prompt. */
  correct(model: string, characters: number, tokens: number): void;
}

/** English and JSON. */
const ratioAtFirst = 0.3;
const [ratioMin, ratioMax] = [0.2, 0.6];
/** Weight of the latest report. */
const weight = 0.2;
/** Of a shorter prompt, what providers add to each is too large a part. */
const charactersMin = 1_000;
const modelsKept = 1_000;

export function createTokenRatios(): TokenRatios {
  const ratios = new LRUCache<string, number>({ max: modelsKept });
  return {
    // rounded, so that the last digits do not shorten a history that fitted in the turn before
    of: (model) => Math.round((ratios.get(model) ?? ratioAtFirst) * 100) / 100,
    correct(model, characters, tokens) {
      if (characters < charactersMin || tokens <= 0) return;
      const reported = Math.min(ratioMax, Math.max(ratioMin, tokens / characters));
      const before = ratios.get(model) ?? ratioAtFirst;
      ratios.set(model, before + weight * (reported - before));
    },
  };
}

const toolCharacters = new WeakMap<readonly LanguageModelV3FunctionTool[], number>();

/** Of all texts, and of the tools beside them, which are the same for all steps of an invocation. */
export function countCharacters(prompt: LanguageModelV3Prompt, tools: readonly LanguageModelV3FunctionTool[]): number {
  const ofTools = toolCharacters.get(tools) ?? (tools.length === 0 ? 0 : JSON.stringify(tools).length);
  toolCharacters.set(tools, ofTools);
  return prompt.reduce((sum, { content }) => sum + lengthOf(content), ofTools);
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + lengthOf(each), 0);
}
