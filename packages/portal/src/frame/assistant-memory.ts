const key = 'portolan-assistant';

/** What the assistant's panel showed last, so that closing it loses nothing. */
export function rememberAssistant(ids: string): void {
  try {
    sessionStorage.setItem(key, ids);
  } catch {
    // storage that is switched off: the panel opens empty
  }
}

export function lastAssistant(): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
