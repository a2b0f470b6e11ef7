import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** What the rules of WCAG 2.2 A and AA find that is serious, in sentences. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // evaluated over the debugging protocol, which the policy of the page does not hold
  await page.evaluate(axe.source);
  const violations = await page.evaluate<readonly Finding[]>(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
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
