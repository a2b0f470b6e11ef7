import type { LoopLimits } from '../src/modules/assistant/index.ts';
import { type AssistantHarness, type HarnessOptions, startAssistant } from './assistant-product.ts';
import { createTestDatabase } from './database.ts';

export {
  type AssistantHarness,
  type HarnessOptions,
  readEvents,
  send,
  type TestOrganization,
  until,
} from './assistant-product.ts';

/** The product over a copy of this run's database. */
export async function startAssistantHarness(
  limits: Partial<LoopLimits> = {},
  options: HarnessOptions = {},
): Promise<AssistantHarness> {
  return startAssistant(await createTestDatabase(), limits, options);
}
