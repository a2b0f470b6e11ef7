import type { Page } from 'playwright-core';

/** A thing as assistive technology sees it. */
export interface Accessible {
  readonly role: string;
  readonly name: string;
  /** Of headings, from 1. */
  readonly level: number | undefined;
}

/** Everything on the page that assistive technology sees, in its order, from the browser's own accessibility tree. */
export async function accessibilityTree(page: Page): Promise<readonly Accessible[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  // the browser lists them level by level
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const inOrder: typeof nodes = [];
  const waiting = nodes.slice(0, 1);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    inOrder.push(node);
    waiting.push(...(node.childIds ?? []).toReversed().flatMap((id) => byId.get(id) ?? []));
  }
  return inOrder
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties }) => ({
      role: String(role?.value ?? ''),
      name: String(name?.value ?? '').trim(),
      level: properties?.find((property) => property.name === 'level')?.value.value as number | undefined,
    }));
}

/** What is wrong with the names and the order of a page, in sentences. */
export function structureProblems(tree: readonly Accessible[]): string[] {
  const headings = tree.filter(({ role }) => role === 'heading');
  const named = ['link', 'button', 'textbox', 'searchbox', 'navigation', 'region', 'heading', 'image'];
  return [
    ...tree.filter(({ role, name }) => named.includes(role) && name === '').map(({ role }) => `a ${role} has no name`),
    ...['main', 'banner']
      .map((role) => ({ role, count: tree.filter((each) => each.role === role).length }))
      .filter(({ count }) => count !== 1)
      .map(({ role, count }) => `there are ${count} landmarks ${role}`),
    ...headings
      .filter(({ level = 0 }, index) => level > (headings[index - 1]?.level ?? 0) + 1)
      .map(({ name, level }) => `the heading "${name}" of level ${level} skips one`),
    ...(headings.filter(({ level }) => level === 1).length === 1
      ? []
      : ['there is not exactly one heading of level 1']),
  ];
}

/** Texts whose contrast with what is behind them is below 4.5, with the ratio (WCAG 2.2, 1.4.3). */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const luminance = ([r, g, b]) => [r, g, b]
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const ground = (element) => {
      for (let each = element; each; each = each.parentElement) {
        const colour = parse(getComputedStyle(each).backgroundColor);
        if (colour[3] !== 0) return colour;
      }
      return [255, 255, 255];
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
      const lights = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((a, b) => b - a);
      const ratio = (lights[0] + 0.05) / (lights[1] + 0.05);
      if (ratio < 4.5) found.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
    }
    return [...found];
  })()`);
}
