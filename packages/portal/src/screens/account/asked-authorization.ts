const key = 'portolan-connect-app';

/**
 * The query with which an app sent the browser here. It stands in the fragment, so that it reaches no log, and is kept as
 * long as the tab: the identity provider may lie in between.
 */
export function takeAskedAuthorization(fragment: string): string {
  const asked = fragment.replace(/^#/, '');
  try {
    if (asked !== '') sessionStorage.setItem(key, asked);
    return asked || (sessionStorage.getItem(key) ?? '');
  } catch {
    // storage is full or disabled: a sign-in with a password needs none
    return asked;
  }
}

export function forgetAskedAuthorization(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}
