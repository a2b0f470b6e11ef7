import type { MantineColorSchemeManager } from '@mantine/core';

/** What a person can choose; `contrast` is dark with the strongest edges. */
export const themeChoices = ['auto', 'light', 'dark', 'contrast'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

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

function applyContrast(choice: ThemeChoice): void {
  document.documentElement.toggleAttribute('data-contrast', false);
  if (choice === 'contrast') document.documentElement.setAttribute('data-contrast', 'more');
}

const schemeOf = { auto: 'auto', light: 'light', dark: 'dark', contrast: 'dark' } as const;

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
      window.addEventListener('storage', fromOtherTab);
      stop = () => {
        unlisten();
        window.removeEventListener('storage', fromOtherTab);
      };
    },
    unsubscribe: () => stop?.(),
    clear: () => {},
  };
}
