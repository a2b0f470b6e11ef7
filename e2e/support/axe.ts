import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** The rules whose answer another theme can change: the elements, their names and their places stay. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What the rules of WCAG 2.2 A and AA find that is serious, in sentences; with `rules`, what these find. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // evaluated over the debugging protocol, which the policy of the page does not hold
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const violations = await page.evaluate<readonly Finding[]>(
    `axe.run(document, {
      runOnly: ${JSON.stringify(rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags })},
      // naming every element that passes takes longer than all the rules
      resultTypes: ['violations'],
    }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
}
