import type { Page } from 'playwright-core';

/** The smallest text on the screen, in pixels as the browser computes them. */
export function smallestText(page: Page, within = 'main'): Promise<number> {
  return page.evaluate<number>(`(() => {
    const walker = document.createTreeWalker(document.querySelector('${within}'), NodeFilter.SHOW_TEXT);
    let least = 100;
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
      // offsetWidth is a whole number, so a few percent are rounding and no scale
      const ratio = element.offsetWidth ? element.getBoundingClientRect().width / element.offsetWidth : 1;
      const scale = Math.abs(ratio - 1) < 0.1 ? 1 : ratio || 1;
      least = Math.min(least, parseFloat(getComputedStyle(element).fontSize) * scale);
    }
    return least;
  })()`);
}
