import type { ConnectableProvider, LlmProviderConfig } from '@portolan/contract/llm-providers';
import { AppError } from '../../../platform/errors.ts';
import { openModelStream } from '../model/open-model-stream.ts';
import type { ProvidersDeps } from './providers.deps.ts';

const answerMs = 10_000;
/** The smallest limit that every provider accepts. */
const outputTokens = 16;
const atOnce = 4;

interface ConnectionResult {
  readonly isValid: boolean;
  readonly message: string;
}

/**
 * Sends each model a short prompt, without quota or tools.
 * @throws AppError `LLMProviderModelTestError` with the result of every model
 */
export async function testConnection(
  deps: ProvidersDeps,
  orgId: string,
  provider: ConnectableProvider,
  config: LlmProviderConfig,
  models: readonly string[],
): Promise<void> {
  const waiting = [...models];
  const testedModels: Record<string, ConnectionResult> = {};
  const askNext = async (): Promise<void> => {
    for (let model = waiting.shift(); model !== undefined; model = waiting.shift()) {
      testedModels[model] = await test(deps, orgId, provider, config, model);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
  const failed = Object.entries(testedModels).find(([, { isValid }]) => !isValid);
  if (!failed) return;
  const [model, { message }] = failed;
  throw new AppError('LLMProviderModelTestError', `${model} did not answer. ${message}`, { details: { testedModels } });
}

async function test(
  { models }: ProvidersDeps,
  orgId: string,
  provider: ConnectableProvider,
  config: LlmProviderConfig,
  name: string,
): Promise<ConnectionResult> {
  const stop = new AbortController();
  const late = new AppError('llm_provider_timeout', `The model provider ${provider} did not answer in time`);
  const deadline = setTimeout(() => stop.abort(late), answerMs);
  try {
    const model = await models.openConfigured(orgId, provider, config, name);
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say OK.' }] }];
    const request = { prompt, maxOutputTokens: outputTokens };
    const { stream } = await openModelStream(model, request, {
      retryDelaysMs: [],
      retryAfterSecondsMax: 0,
      signal: stop.signal,
    });
    stream.cancel();
    return { isValid: true, message: 'The model answered' };
  } catch (error) {
    if (error instanceof AppError) return { isValid: false, message: error.message };
    throw error;
  } finally {
    clearTimeout(deadline);
    stop.abort();
  }
}
