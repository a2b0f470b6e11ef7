import { accessibilityTree, structureProblems } from './accessibility.ts';
import { seriousFindings } from './axe.ts';
import type { Visit } from './browser.ts';
import { settled } from './settled.ts';

/** Opens one screen after the other, takes a picture of each, and answers what keeps people from reading or using it. */
export async function inspectScreens(
  { page, picture }: Pick<Visit, 'page' | 'picture'>,
  paths: readonly string[],
  variant: string,
  prepare: (path: string) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const findings: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    await prepare(path);
    const name = `${path.replaceAll(/[^a-z0-9]+/gi, '-')}-${variant}`;
    await picture(name);
    findings.push(
      ...(await seriousFindings(page)).map((finding) => `${name}: ${finding}`),
      ...structureProblems(await accessibilityTree(page)).map((problem) => `${name}: ${problem}`),
    );
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (overflow !== 0) findings.push(`${name}: scrolls sideways by ${overflow}`);
  }
  return findings;
}

/** Those of the paths that the gallery does not walk in the dark at 360 pixels: it knows screens, and no parts of them. */
export function beyondGallery(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.includes('?'));
}
