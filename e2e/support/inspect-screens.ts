import type { Page } from 'playwright-core';
import { accessibilityTree, structureProblems } from './accessibility.ts';
import { seriousFindings } from './axe.ts';
import type { Visit } from './browser.ts';
import { goTo } from './go-to.ts';
import { settled } from './settled.ts';

/** What keeps people from reading or using what a page shows: its colours, names, order and width. */
export async function inspect(page: Page): Promise<string[]> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [
    ...(await seriousFindings(page)),
    ...structureProblems(await accessibilityTree(page)),
    ...(overflow === 0 ? [] : [`scrolls sideways by ${overflow}`]),
  ];
}

/** Goes to one screen after the other, takes a picture of each, and answers what keeps people from reading or using it. */
export async function inspectScreens(
  { page, picture }: Pick<Visit, 'page' | 'picture'>,
  paths: readonly string[],
  variant: string,
  prepare: (path: string) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const findings: string[] = [];
  for (const path of paths) {
    await goTo(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    await prepare(path);
    const name = `${path.replaceAll(/[^a-z0-9]+/gi, '-')}-${variant}`;
    await picture(name);
    findings.push(...(await inspect(page)).map((finding) => `${name}: ${finding}`));
  }
  return findings;
}
