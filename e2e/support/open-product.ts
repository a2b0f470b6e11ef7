import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type MockModelServer, startMockModelServer } from '../../packages/server/test/mock-model-server.ts';
import { type Ask, askAs, type Make, makeWith } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Product, startProduct } from './product.ts';

/** What a journey needs: the product, a browser, and the API beside them. */
export interface OpenProduct {
  readonly browser: Browser;
  readonly product: Product;
  readonly ask: Ask;
  readonly made: Make;
}

export async function openProduct(settings: Readonly<Record<string, string>> = {}): Promise<OpenProduct> {
  const browser = await launchBrowser();
  const product = await startProduct(settings);
  const ask = await askAs(product);
  return { browser, product, ask, made: makeWith(ask) };
}

/** Opens the product before the journeys of a file, gives it to `take`, and ends it after them. */
export function withProduct(take: (opened: OpenProduct) => void): void {
  let opened: OpenProduct | undefined;
  beforeAll(async () => {
    opened = await openProduct();
    take(opened);
  });
  afterAll(async () => {
    await opened?.browser.close();
    await opened?.product.stop();
  });
}

/** The settings of a product whose model is scripted. */
export function scriptedBy({ url }: MockModelServer): Readonly<Record<string, string>> {
  return {
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: url,
    PORTOLAN_LLM_MODEL: 'scripted',
  };
}

/** As `withProduct`, with a model that answers what the journeys script. */
export function withScriptedProduct(take: (opened: OpenProduct & { readonly model: MockModelServer }) => void): void {
  let opened: OpenProduct | undefined;
  let model: MockModelServer | undefined;
  beforeAll(async () => {
    model = await startMockModelServer();
    opened = await openProduct(scriptedBy(model));
    take({ ...opened, model });
  });
  afterAll(async () => {
    await opened?.browser.close();
    await opened?.product.stop();
    await model?.close();
  });
}

/** An automation that calls a webhook and is not on. */
export async function makeAutomation(made: Make, identifier: string): Promise<void> {
  await made('/actions', {
    identifier,
    title: identifier,
    publish: false,
    trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } },
    invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook', body: { a: 1 } },
  });
}
