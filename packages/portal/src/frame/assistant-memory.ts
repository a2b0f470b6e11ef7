const key = 'portolan-assistant';

/** Remembers what the assistant panel showed last, so that closing it loses nothing. */
export function rememberAssistant(ids: string): void {
  try {
    sessionStorage.setItem(key, ids);
  } catch {
    // storage is disabled: the panel opens empty
  }
}

export function lastAssistant(): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
