import type { ViewSettings } from '@portolan/contract/favorites';

/** What a favorite points to, as it is stored: rows, so that it follows what is renamed. */
export type FavoriteTarget =
  | { readonly kind: 'page' | 'action'; readonly key: number }
  | { readonly kind: 'entity' | 'agent'; readonly key: number; readonly blueprintKey: number }
  /** The key is that of the page; the view itself is kept nowhere else. */
  | { readonly kind: 'view'; readonly key: number; readonly name: string; readonly view: ViewSettings };
