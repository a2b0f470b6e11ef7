import type { MantineColorSchemeManager } from '@mantine/core';
import { t } from '../kit/translate.ts';

/** What a person can choose; those with contrast have the strongest text and edges. */
export const themeChoices = ['auto', 'light', 'dark', 'contrast-light', 'contrast'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const themeNames: Readonly<Record<ThemeChoice, string>> = {
  auto: t('Same as system'),
  light: t('Light'),
  dark: t('Dark'),
  'contrast-light': t('High contrast, light'),
  contrast: t('High contrast, dark'),
};

/** Also read by the script in index.html, before anything is painted. */
const storageKey = 'portolan-theme';

export function themeChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(storageKey) as ThemeChoice;
    return themeChoices.includes(kept) ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

const listeners = new Set<() => void>();

export function onThemeChoice(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** Keeps and applies a choice, in every open tab. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // a browser that keeps nothing still shows it until it is closed
  }
  applyContrast(choice);
  for (const tell of listeners) tell();
}

/** Browsers without it have nothing to say about contrast. */
function systemContrast(): MediaQueryList | undefined {
  return typeof window.matchMedia === 'function' ? window.matchMedia('(prefers-contrast: more)') : undefined;
}

/** Strong contrast is chosen here or by the system; the script in index.html does the same before the first paint. */
function applyContrast(choice: ThemeChoice): void {
  const isStrong = choice.startsWith('contrast') || systemContrast()?.matches;
  if (isStrong) document.documentElement.setAttribute('data-contrast', 'more');
  else document.documentElement.removeAttribute('data-contrast');
}

const schemeOf = { auto: 'auto', light: 'light', dark: 'dark', 'contrast-light': 'light', contrast: 'dark' } as const;

/** Tells the parts which scheme counts; `chooseTheme` is the one way to change it. */
export function schemeManager(): MantineColorSchemeManager {
  let stop: (() => void) | undefined;
  return {
    get: () => schemeOf[themeChoice()],
    set: () => {},
    subscribe(onUpdate) {
      const tell = () => {
        applyContrast(themeChoice());
        onUpdate(schemeOf[themeChoice()]);
      };
      const fromOtherTab = (event: StorageEvent) => {
        if (event.key === storageKey) tell();
      };
      const unlisten = onThemeChoice(tell);
      const contrast = systemContrast();
      window.addEventListener('storage', fromOtherTab);
      contrast?.addEventListener('change', tell);
      stop = () => {
        unlisten();
        window.removeEventListener('storage', fromOtherTab);
        contrast?.removeEventListener('change', tell);
      };
    },
    unsubscribe: () => stop?.(),
    clear: () => {},
  };
}
