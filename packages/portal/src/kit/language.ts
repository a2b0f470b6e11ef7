/** The languages that a person can choose; each but English has a catalogue in `src/languages`. */
export const languages = {
  en: { title: 'English', direction: 'ltr' },
  de: { title: 'Deutsch', direction: 'ltr' },
} as const;

/** For trying layouts: longer words, and the other direction. Chosen by hand, offered to nobody. */
const pseudoLanguages = {
  'en-XA': { direction: 'ltr' },
  'ar-XB': { direction: 'rtl' },
} as const;

export type LanguageChoice = 'auto' | keyof typeof languages;
export type Language = keyof typeof languages | keyof typeof pseudoLanguages;

const storageKey = 'portolan-language';

/** What was chosen in this browser; `auto` follows the browser. */
export function languageChoice(): LanguageChoice {
  const kept = keptLanguage();
  return kept && kept in languages ? (kept as LanguageChoice) : 'auto';
}

/** Keeps a choice and shows the page in it: texts are chosen once, as the page loads. */
export function chooseLanguage(choice: LanguageChoice): void {
  localStorage.setItem(storageKey, choice);
  location.reload();
}

/** The language of this page. */
export const language: Language = pick();

export const direction: 'ltr' | 'rtl' = { ...languages, ...pseudoLanguages }[language].direction;

/** For numbers, dates and the order of words: English as the browser's owner writes it, such as en-GB. */
export const locale: string = localeOf(language);

function pick(): Language {
  const kept = keptLanguage();
  if (kept && (kept in languages || kept in pseudoLanguages)) return kept as Language;
  for (const wanted of browserLanguages()) {
    const [base = ''] = wanted.split('-');
    if (base in languages) return base as Language;
  }
  return 'en';
}

function localeOf(chosen: Language): string {
  if (chosen in pseudoLanguages) return chosen === 'ar-XB' ? 'ar' : 'en';
  return browserLanguages().find((wanted) => wanted.split('-')[0] === chosen) ?? chosen;
}

function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
