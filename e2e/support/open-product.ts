import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
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
